//! The classes of facts.

use serde::Serialize;

/// The kind of an exact fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Class {
    /// A UUID.
    Uuid,
    /// A hash, a fingerprint, a commit SHA, full or short; also hexadecimal literals such as addresses.
    Digest,
    /// A URL.
    Url,
    /// An e-mail address.
    Email,
    /// An IPv4, IPv6 or MAC address, with its port, prefix length or zone.
    Address,
    /// A file path, POSIX or Windows, absolute or relative; a bare file name.
    Path,
    /// Line and column in a file.
    Location,
    /// A version.
    Version,
    /// A point in time: date, time and zone, or an epoch.
    Instant,
    /// A calendar date.
    Date,
    /// A time of day.
    Time,
    /// A time that hangs on an anchor ("yesterday").
    RelativeTime,
    /// A flag of a command line, with its value.
    Flag,
    /// A whole command line.
    Command,
    /// An environment variable.
    EnvVar,
    /// A ticket or other numbered reference (`PAY-119`, `#4`).
    Ticket,
    /// An error code.
    ErrorCode,
    /// A name of code: function, variable, constant, type, key.
    Symbol,
    /// An opaque identifier of no other class.
    Identifier,
    /// A number with a unit.
    Quantity,
    /// A percentage.
    Percentage,
    /// Two ends of a range.
    Range,
    /// An amount of a currency.
    Money,
    /// A number without a unit.
    Number,
    /// A quoted string.
    Quote,
    /// A proper name.
    Name,
    /// A long opaque body (base64, a hex dump): one fact, satisfied by a pointer to its leaf.
    Payload,
    /// A credential: masked everywhere, never required, never carried.
    Secret,
}

impl Class {
    /// How grave it is that a value of this class is gone, 0 to 5: what cannot be guessed, looked up by a name or measured
    /// again comes first.
    pub const fn gravity(self) -> u8 {
        match self {
            Class::ErrorCode => 5,
            Class::Ticket => 4,
            Class::Identifier
            | Class::Uuid
            | Class::Digest
            | Class::Address
            | Class::Path
            | Class::Location
            | Class::Url
            | Class::Email
            | Class::EnvVar
            | Class::Command => 3,
            Class::Flag | Class::Symbol | Class::Version => 2,
            Class::Quantity | Class::Money | Class::Percentage | Class::Range => 1,
            Class::Date
            | Class::Instant
            | Class::Time
            | Class::RelativeTime
            | Class::Number
            | Class::Quote
            | Class::Name
            | Class::Payload
            | Class::Secret => 0,
        }
    }

    /// Every class.
    pub const ALL: &'static [Class] = &[
        Class::Uuid,
        Class::Digest,
        Class::Url,
        Class::Email,
        Class::Address,
        Class::Path,
        Class::Location,
        Class::Version,
        Class::Instant,
        Class::Date,
        Class::Time,
        Class::RelativeTime,
        Class::Flag,
        Class::Command,
        Class::EnvVar,
        Class::Ticket,
        Class::ErrorCode,
        Class::Symbol,
        Class::Identifier,
        Class::Quantity,
        Class::Percentage,
        Class::Range,
        Class::Money,
        Class::Number,
        Class::Quote,
        Class::Name,
        Class::Payload,
        Class::Secret,
    ];

    /// The class as it stands in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Class::Uuid => "uuid",
            Class::Digest => "digest",
            Class::Url => "url",
            Class::Email => "email",
            Class::Address => "address",
            Class::Path => "path",
            Class::Location => "location",
            Class::Version => "version",
            Class::Instant => "instant",
            Class::Date => "date",
            Class::Time => "time",
            Class::RelativeTime => "relative_time",
            Class::Flag => "flag",
            Class::Command => "command",
            Class::EnvVar => "env_var",
            Class::Ticket => "ticket",
            Class::ErrorCode => "error_code",
            Class::Symbol => "symbol",
            Class::Identifier => "identifier",
            Class::Quantity => "quantity",
            Class::Percentage => "percentage",
            Class::Range => "range",
            Class::Money => "money",
            Class::Number => "number",
            Class::Quote => "quote",
            Class::Name => "name",
            Class::Payload => "payload",
            Class::Secret => "secret",
        }
    }
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

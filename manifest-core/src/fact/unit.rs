//! Units: their names, dimensions and exact scales.

use super::decimal::Decimal;
use std::fmt;

/// What a unit measures. Two units convert exactly if and only if they share a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dimension {
    /// Seconds.
    Time,
    /// Calendar months.
    Month,
    /// Bytes.
    Byte,
    /// Bits.
    Bit,
    /// Hertz.
    Frequency,
    /// Degrees Celsius.
    Celsius,
    /// Degrees Fahrenheit.
    Fahrenheit,
    /// Kelvin.
    Kelvin,
    /// Degrees of an angle.
    Degree,
    /// Metres.
    Length,
    /// Miles, feet and inches: inches.
    Inch,
    /// Grams.
    Mass,
    /// Pounds and ounces: ounces.
    Ounce,
    /// Litres.
    Volume,
    /// Volts.
    Volt,
    /// Amperes.
    Ampere,
    /// Watts.
    Watt,
    /// Watt hours.
    WattHour,
    /// Joules.
    Joule,
    /// Pascals.
    Pascal,
    /// Decibels.
    Decibel,
    /// Pixels.
    Pixel,
    /// Percentage points.
    Point,
    /// Times as much.
    Fold,
    /// Requests.
    Request,
    /// Queries.
    Query,
    /// Transactions.
    Transaction,
    /// Operations.
    Operation,
    /// Frames.
    Frame,
    /// Revolutions.
    Revolution,
    /// Messages.
    Message,
    /// Events.
    Event,
    /// Tokens of a language model.
    Token,
    /// Rows.
    Row,
    /// Parts in a million.
    PartPerMillion,
}

impl Dimension {
    fn base(self) -> &'static str {
        match self {
            Dimension::Time => "s",
            Dimension::Month => "month",
            Dimension::Byte => "B",
            Dimension::Bit => "bit",
            Dimension::Frequency => "Hz",
            Dimension::Celsius => "°C",
            Dimension::Fahrenheit => "°F",
            Dimension::Kelvin => "K",
            Dimension::Degree => "°",
            Dimension::Length => "m",
            Dimension::Inch => "in",
            Dimension::Mass => "g",
            Dimension::Ounce => "oz",
            Dimension::Volume => "l",
            Dimension::Volt => "V",
            Dimension::Ampere => "A",
            Dimension::Watt => "W",
            Dimension::WattHour => "Wh",
            Dimension::Joule => "J",
            Dimension::Pascal => "Pa",
            Dimension::Decibel => "dB",
            Dimension::Pixel => "px",
            Dimension::Point => "pp",
            Dimension::Fold => "x",
            Dimension::Request => "req",
            Dimension::Query => "query",
            Dimension::Transaction => "transaction",
            Dimension::Operation => "op",
            Dimension::Frame => "frame",
            Dimension::Revolution => "revolution",
            Dimension::Message => "message",
            Dimension::Event => "event",
            Dimension::Token => "token",
            Dimension::Row => "row",
            Dimension::PartPerMillion => "ppm",
        }
    }
}

/// A dimension, or a rate of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Measure {
    /// What is measured.
    pub(crate) dimension: Dimension,
    /// For a rate: the amount is per this many seconds (1, or a power of 3 that no decimal divides out); 0 for no rate.
    pub(crate) per: u16,
}

impl Measure {
    /// Whether it is a length of time.
    pub(crate) fn is_time(self) -> bool {
        self.dimension == Dimension::Time && self.per == 0
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.dimension.base())?;
        match self.per {
            0 => Ok(()),
            1 => f.write_str("/s"),
            n => write!(f, "/{n}s"),
        }
    }
}

/// A unit: a dimension and how much of its base one of it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) dimension: Dimension,
    /// `mantissa · 10^exponent` base units.
    mantissa: i64,
    exponent: i8,
    /// Seconds of the time that a rate is per; 0 for no rate.
    per: u32,
}

const fn unit(dimension: Dimension, mantissa: i64, exponent: i8) -> Unit {
    Unit { dimension, mantissa, exponent, per: 0 }
}

const fn rate(dimension: Dimension, mantissa: i64, exponent: i8, per: u32) -> Unit {
    Unit { dimension, mantissa, exponent, per }
}

impl Unit {
    /// The unit of a rate: this much per that time. Only the first may be anything but a rate.
    pub(super) fn per(self, time: Unit) -> Option<Unit> {
        if self.per != 0
            || time.dimension != Dimension::Time
            || time.exponent != 0
            || self.dimension == Dimension::Time
        {
            return None;
        }
        Some(Unit { per: u32::try_from(time.mantissa).ok()?, ..self })
    }

    /// The amount in base units, and of what.
    pub(super) fn measure(self, amount: Decimal) -> Option<(Decimal, Measure)> {
        let amount = amount.mul(Decimal::new(i128::from(self.mantissa), i32::from(self.exponent)))?;
        if self.per == 0 {
            return Some((amount, Measure { dimension: self.dimension, per: 0 }));
        }
        // Powers of 2 and 5 always divide out of a decimal; threes only if the amount has them.
        let mut threes: u16 = 1;
        let mut rest = self.per;
        while rest.is_multiple_of(3) {
            rest /= 3;
            threes *= 3;
        }
        let mut amount = amount.div(Decimal::whole(i128::from(rest)))?;
        while threes > 1
            && let Some(less) = amount.div(Decimal::whole(3))
        {
            amount = less;
            threes /= 3;
        }
        Some((amount, Measure { dimension: self.dimension, per: threes }))
    }
}

const KIB: i64 = 1024;

/// The unit of this name. Case matters: `MB` and `Mb` differ.
#[allow(clippy::too_many_lines)]
pub(super) fn lookup(name: &str) -> Option<Unit> {
    use Dimension as D;
    Some(match name {
        "ns" | "nanosecond" | "nanoseconds" | "nanos" | "nsec" => unit(D::Time, 1, -9),
        "us" | "µs" | "usec" | "microsecond" | "microseconds" | "micros" => unit(D::Time, 1, -6),
        "ms" | "msec" | "msecs" | "millisecond" | "milliseconds" | "millis" => unit(D::Time, 1, -3),
        "s" | "sec" | "secs" | "second" | "seconds" | "Seconds" | "秒" => unit(D::Time, 1, 0),
        "min" | "mins" | "minute" | "minutes" | "Minuten" | "分钟" => unit(D::Time, 60, 0),
        "h" | "hr" | "hrs" | "hour" | "hours" | "小时" => unit(D::Time, 3600, 0),
        "d" | "day" | "days" | "天" => unit(D::Time, 86_400, 0),
        "week" | "weeks" | "wk" | "wks" => unit(D::Time, 604_800, 0),
        "month" | "months" => unit(D::Month, 1, 0),
        "year" | "years" | "yr" | "yrs" => unit(D::Month, 12, 0),
        "B" | "byte" | "bytes" | "Byte" | "Bytes" | "octets" | "字节" => unit(D::Byte, 1, 0),
        "kB" | "KB" | "kilobyte" | "kilobytes" => unit(D::Byte, 1, 3),
        "MB" | "megabyte" | "megabytes" => unit(D::Byte, 1, 6),
        "GB" | "gigabyte" | "gigabytes" => unit(D::Byte, 1, 9),
        "TB" | "terabyte" | "terabytes" => unit(D::Byte, 1, 12),
        "PB" | "petabyte" | "petabytes" => unit(D::Byte, 1, 15),
        "KiB" | "kiB" | "Ki" | "kibibyte" | "kibibytes" => unit(D::Byte, KIB, 0),
        "MiB" | "Mi" | "mebibyte" | "mebibytes" => unit(D::Byte, KIB * KIB, 0),
        "GiB" | "Gi" | "gibibyte" | "gibibytes" => unit(D::Byte, KIB * KIB * KIB, 0),
        "TiB" | "Ti" | "tebibyte" | "tebibytes" => unit(D::Byte, KIB * KIB * KIB * KIB, 0),
        "PiB" | "Pi" => unit(D::Byte, KIB * KIB * KIB * KIB * KIB, 0),
        "bit" | "bits" => unit(D::Bit, 1, 0),
        "kb" | "kbit" | "Kbit" | "kilobit" | "kilobits" => unit(D::Bit, 1, 3),
        "Mb" | "Mbit" | "megabit" | "megabits" => unit(D::Bit, 1, 6),
        "Gb" | "Gbit" | "gigabit" | "gigabits" => unit(D::Bit, 1, 9),
        "Tb" | "Tbit" => unit(D::Bit, 1, 12),
        "bps" => rate(D::Bit, 1, 0, 1),
        "kbps" | "Kbps" => rate(D::Bit, 1, 3, 1),
        "Mbps" => rate(D::Bit, 1, 6, 1),
        "Gbps" => rate(D::Bit, 1, 9, 1),
        "Tbps" => rate(D::Bit, 1, 12, 1),
        "kBps" | "KBps" => rate(D::Byte, 1, 3, 1),
        "MBps" => rate(D::Byte, 1, 6, 1),
        "GBps" => rate(D::Byte, 1, 9, 1),
        "rps" | "reqs" | "RPS" => rate(D::Request, 1, 0, 1),
        "krps" | "kRPS" => rate(D::Request, 1, 3, 1),
        "req" | "request" | "requests" => unit(D::Request, 1, 0),
        "qps" | "QPS" => rate(D::Query, 1, 0, 1),
        "kqps" => rate(D::Query, 1, 3, 1),
        "tps" | "TPS" => rate(D::Transaction, 1, 0, 1),
        "ops" | "IOPS" | "iops" => rate(D::Operation, 1, 0, 1),
        "kops" => rate(D::Operation, 1, 3, 1),
        "fps" | "FPS" => rate(D::Frame, 1, 0, 1),
        "rpm" | "RPM" => rate(D::Revolution, 1, 0, 60),
        "queries" | "query" => unit(D::Query, 1, 0),
        "transactions" | "transaction" => unit(D::Transaction, 1, 0),
        "op" | "operations" | "operation" => unit(D::Operation, 1, 0),
        "frames" | "frame" => unit(D::Frame, 1, 0),
        "messages" | "message" | "msgs" | "msg" => unit(D::Message, 1, 0),
        "events" | "event" => unit(D::Event, 1, 0),
        "tokens" | "token" | "tok" => unit(D::Token, 1, 0),
        "rows" | "row" => unit(D::Row, 1, 0),
        "Hz" => unit(D::Frequency, 1, 0),
        "kHz" => unit(D::Frequency, 1, 3),
        "MHz" => unit(D::Frequency, 1, 6),
        "GHz" => unit(D::Frequency, 1, 9),
        "°C" | "℃" | "celsius" | "Celsius" => unit(D::Celsius, 1, 0),
        "°F" | "fahrenheit" | "Fahrenheit" => unit(D::Fahrenheit, 1, 0),
        "kelvin" | "Kelvin" => unit(D::Kelvin, 1, 0),
        "°" | "deg" | "degrees" => unit(D::Degree, 1, 0),
        "nm" => unit(D::Length, 1, -9),
        "µm" | "um" => unit(D::Length, 1, -6),
        "mm" | "millimeters" | "millimetres" => unit(D::Length, 1, -3),
        "cm" | "centimeters" | "centimetres" => unit(D::Length, 1, -2),
        "m" | "meter" | "meters" | "metre" | "metres" => unit(D::Length, 1, 0),
        "km" | "kilometer" | "kilometers" | "kilometre" | "kilometres" => unit(D::Length, 1, 3),
        "inch" | "inches" => unit(D::Inch, 1, 0),
        "ft" | "feet" | "foot" => unit(D::Inch, 12, 0),
        "yards" | "yard" => unit(D::Inch, 36, 0),
        "mile" | "miles" => unit(D::Inch, 63_360, 0),
        "mg" => unit(D::Mass, 1, -3),
        "g" | "gram" | "grams" => unit(D::Mass, 1, 0),
        "kg" | "kilogram" | "kilograms" => unit(D::Mass, 1, 3),
        "tonne" | "tonnes" => unit(D::Mass, 1, 6),
        "oz" | "ounce" | "ounces" => unit(D::Ounce, 1, 0),
        "lb" | "lbs" | "pounds" => unit(D::Ounce, 16, 0),
        "ml" | "mL" => unit(D::Volume, 1, -3),
        "L" | "l" | "liters" | "litres" | "liter" | "litre" => unit(D::Volume, 1, 0),
        "mV" => unit(D::Volt, 1, -3),
        "V" | "volt" | "volts" => unit(D::Volt, 1, 0),
        "kV" => unit(D::Volt, 1, 3),
        "mA" => unit(D::Ampere, 1, -3),
        "A" | "amps" | "amperes" => unit(D::Ampere, 1, 0),
        "mW" => unit(D::Watt, 1, -3),
        "W" | "watt" | "watts" => unit(D::Watt, 1, 0),
        "kW" => unit(D::Watt, 1, 3),
        "MW" => unit(D::Watt, 1, 6),
        "Wh" => unit(D::WattHour, 1, 0),
        "kWh" => unit(D::WattHour, 1, 3),
        "J" | "joules" => unit(D::Joule, 1, 0),
        "kJ" => unit(D::Joule, 1, 3),
        "Pa" => unit(D::Pascal, 1, 0),
        "hPa" => unit(D::Pascal, 1, 2),
        "kPa" => unit(D::Pascal, 1, 3),
        "bar" => unit(D::Pascal, 1, 5),
        "dB" => unit(D::Decibel, 1, 0),
        "px" | "pixels" | "pixel" => unit(D::Pixel, 1, 0),
        "x" | "×" => unit(D::Fold, 1, 0),
        "ppm" => unit(D::PartPerMillion, 1, 0),
        "pp" | "ppt" | "pps" => unit(D::Point, 1, 0),
        _ => return None,
    })
}

/// Whether the unit counts things: alone it is a plain count, only "per time" makes a quantity of it.
pub(super) fn counts(unit: Unit) -> bool {
    use Dimension as D;
    unit.per == 0
        && matches!(
            unit.dimension,
            D::Request
                | D::Query
                | D::Transaction
                | D::Operation
                | D::Frame
                | D::Message
                | D::Event
                | D::Token
                | D::Row
        )
}

/// Whether the name is one that must touch its number, or stand before no other word, to be a unit: the single letters
/// that are words, names or other units elsewhere.
pub(super) fn needs_touch(name: &str) -> bool {
    matches!(
        name,
        "A" | "l"
            | "L"
            | "x"
            | "×"
            | "J"
            | "Pi"
            | "Mi"
            | "Gi"
            | "Ki"
            | "Ti"
            | "op"
            | "bar"
            | "deg"
            | "ppt"
            | "pps"
    )
}

/// A rate of nothing named: so many per this time.
pub(super) fn bare_rate(time: Unit) -> Option<Unit> {
    unit(Dimension::Frequency, 1, 0).per(time)
}

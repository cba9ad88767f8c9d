//! Which values are credentials, and which only stand where one would.

use super::super::lexicon::Words;
use super::name::{self, Key};

/// Shorter values are no credentials, in bytes.
const SHORTEST: usize = 4;
/// What is given out rather than chosen is no shorter, in bytes.
const GIVEN: usize = 8;

/// How a value stands.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "signs of a place, each by itself")]
pub(super) struct Place {
    /// In quotes.
    pub(super) quoted: bool,
    /// A space stands before it.
    pub(super) spaced: bool,
    /// Nothing but a literal can stand there: a variable of a shell, a flag of a command.
    pub(super) literal: bool,
    /// The line is code: a name there is a variable.
    pub(super) code: bool,
    /// A line of settings, or the last word of its line.
    pub(super) closed: bool,
}

/// Whether a value under a key is a credential.
pub(super) fn is_credential(key: Key, body: &str, place: Place) -> bool {
    // A cookie has a name of its own.
    let body = match body.split_once('=') {
        Some((name, value))
            if key == Key::Token && !value.trim_end_matches('=').is_empty() && !name.is_empty() =>
        {
            value
        }
        _ => body,
    };
    if body.len() < SHORTEST || is_placeholder(body) || is_place(body) {
        return false;
    }
    if !place.quoted && !place.literal && is_reference(body) {
        return false;
    }
    // `"password": "Contraseña"`: a translation.
    if name::names_password(body) || !body.is_ascii() && body.chars().all(char::is_alphabetic) {
        return place.literal;
    }
    if body.contains(char::is_whitespace) {
        // A sentence about the field, unless one of its words can be nothing else.
        return place.quoted
            && (body.split_whitespace().any(is_strong)
                || place.literal && body.bytes().any(|b| b.is_ascii_digit()));
    }
    let letters = body.chars().any(char::is_alphabetic);
    if !letters {
        let digits = body.bytes().all(|b| b.is_ascii_digit());
        return match key {
            Key::Password => body.len() >= if digits { 6 } else { GIVEN },
            Key::Token => digits && body.len() >= GIVEN,
        };
    }
    let plain = body.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_'));
    if !plain {
        return match key {
            Key::Password => !is_version(body) || place.literal || place.quoted,
            Key::Token => body.len() >= GIVEN && !is_named(body) && !is_version(body),
        };
    }
    if key == Key::Token {
        return body.len() >= 2 * GIVEN && is_mixed(body) && (place.quoted || !place.spaced);
    }
    let small = body.bytes().all(|b| b.is_ascii_lowercase());
    if place.quoted || place.literal {
        return true;
    }
    let variable = body.contains('_') || body.contains('-') && !place.closed || place.code;
    if variable || name::key(body).is_some() {
        return false;
    }
    if place.spaced { small && place.closed } else { true }
}

/// Whether a value in running text, after `the password is`, can be nothing but a credential.
pub(super) fn is_told(body: &str, quoted: bool) -> bool {
    if body.len() < SHORTEST || is_placeholder(body) || is_place(body) || ALGORITHMS.has_folded(body) {
        return false;
    }
    if quoted {
        let name = body.contains(['_', '(', ' ', ':']) || name::key(body).is_some();
        return !name && (is_strong(body) || body.bytes().all(|b| b.is_ascii_lowercase()));
    }
    is_strong(body) && !is_version(body)
}

/// Whether a text shows by itself that it is no word and no number: letters with digits or signs among them.
pub(super) fn is_strong(body: &str) -> bool {
    let letters = body.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = body.bytes().filter(u8::is_ascii_digit).count();
    let signs = body
        .bytes()
        .filter(|b| matches!(b, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'=' | b'?'))
        .count();
    let ends = body.trim_end_matches(['!', '?', '.']).len();
    let inner = body.get(..ends).unwrap_or_default().bytes().filter(|b| b"!@#$%^&*+=?".contains(b)).count();
    body.len() >= 6
        && letters > 1
        && (digits > 0 || signs > 1 || inner > 0)
        && !body.contains(['(', '/', '<', '{'])
        && !is_named(body)
        && !is_version(body)
}

/// Whether upper and lower case stand in it as chance puts them, and not as names do.
fn is_mixed(body: &str) -> bool {
    let turns = body
        .as_bytes()
        .windows(2)
        .filter(|w| matches!(w, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()))
        .count();
    turns * 5 >= body.len()
}

/// Whether it is made of words and small numbers, as names of things are: `deploy-bot-3`, `my-tls-secret`.
pub(super) fn is_named(body: &str) -> bool {
    let mut words = 0;
    let named = body.split(['-', '_', '.', '/', ':']).all(|part| {
        let word = part.bytes().all(|b| b.is_ascii_lowercase());
        words += usize::from(word && part.len() > 1);
        word || part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit())
    });
    named && words > 0 && body.contains(['-', '_', '.', '/', ':'])
}

/// Whether it is a version, a date, a time or an amount.
fn is_version(body: &str) -> bool {
    if let Some(hex) = body.strip_prefix("0x") {
        return hex.len() <= 16;
    }
    let body = body.trim_start_matches(['v', 'V', '~', '^', '<', '>', '=']);
    let head =
        body.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | ':' | ',' | '/'));
    let digits = body.len() - head.len();
    let digits = body.get(..digits).unwrap_or_default();
    let number = !digits.is_empty() && (digits.len() <= 6 || digits.contains(['.', ':']));
    number && head.len() <= 3 && head.bytes().all(|b| b.is_ascii_alphabetic() || b == b'%')
        || body.len() >= 10 && body.as_bytes().get(4) == Some(&b'-') && body.as_bytes().get(7) == Some(&b'-')
}

/// Whether a bare value is code that gives the credential: a call, a member, a variable, a type.
fn is_reference(body: &str) -> bool {
    let name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
    let head = body.bytes().take_while(|b| name(*b)).count();
    let first_letter = body.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    if body.contains("::") || body.contains(['>', '<']) {
        return true;
    }
    // `Token![x]`, `quote!(x)`.
    if first_letter && body.get(head..).is_some_and(|rest| rest.starts_with("![") || rest.starts_with("!(")) {
        return true;
    }
    // `next_token()`, `keys[0]`, `Option<String>`, `str | None`.
    if first_letter && matches!(body.as_bytes().get(head), Some(b'(' | b'[' | b'<' | b'|')) {
        return true;
    }
    if body.starts_with(['&', '*', '!', '@', '#', ':', '?', '/']) {
        return body.bytes().skip(1).all(|b| b.is_ascii_alphabetic() || b == b'_');
    }
    if !first_letter || head < body.len() {
        return false;
    }
    if body.contains('.') {
        let mut parts = body.split('.');
        let object = parts.clone().next().is_some_and(|p| OBJECTS.has_folded(p));
        let key = body.rsplit('.').next().is_some_and(|last| name::key(last).is_some());
        return object || key || parts.all(|p| !p.is_empty() && !p.bytes().any(|b| b.is_ascii_digit()));
    }
    let small = body.bytes().any(|b| b.is_ascii_lowercase());
    let capital = body.bytes().skip(1).any(|b| b.is_ascii_uppercase());
    let digits = body.bytes().any(|b| b.is_ascii_digit());
    // `authToken`, `db_password`, `API_KEY`; `SecretStr`, `nextValue`.
    name::key(body).is_some() && (body.contains('_') || small && capital || !digits)
        || !digits && (body.contains('_') || small && capital && !is_mixed(body))
        || !small && body.contains('_')
        || is_type(body)
}

/// Whether it is the name of a type, for all the digits in it: `X509KeyUsageFlags`.
fn is_type(body: &str) -> bool {
    let bytes = body.as_bytes();
    let kind = |b: &u8| (b.is_ascii_digit(), b.is_ascii_uppercase());
    let turns = bytes
        .windows(2)
        .filter(|w| matches!(w, [a, b] if kind(a) != kind(b) && (!kind(a).1 || kind(b).0)))
        .count();
    bytes.first().is_some_and(u8::is_ascii_uppercase)
        && bytes.iter().any(u8::is_ascii_lowercase)
        && turns >= 2
        && body.len() >= 4 * (turns + 1)
}

/// Whether it says where something is: a path, a URL.
fn is_place(body: &str) -> bool {
    let path = body.starts_with(['/', '~']) || body.starts_with("./") || body.starts_with("../");
    let words = || {
        body.split(['/', '.', '-', '_', '~']).all(|part| {
            part.len() <= 24
                && (part.bytes().all(|b| b.is_ascii_lowercase()) || part.bytes().all(|b| b.is_ascii_digit()))
        })
    };
    body.contains("://") || path && words()
}

/// Whether the value only stands where a credential would: masked, a variable, a template, a word that says so.
pub(super) fn is_placeholder(body: &str) -> bool {
    let bytes = body.as_bytes();
    let first = bytes.first().copied().unwrap_or(0);
    // One character over and over, or a part that somebody masked.
    if body.chars().all(|c| body.starts_with(c) || matches!(c, '.' | '-' | '_' | '*' | '…' | '•'))
        || ["***", "•••", "...", "…", "xxxx", "XXXX", "____"].iter().any(|m| body.contains(m))
    {
        return true;
    }
    // `$NAME`, `${NAME}`, `$(cat f)`, `%NAME%`, `{{ name }}`, `<name>`, `[name]`, `:name`.
    let rest = body.get(1..).unwrap_or_default();
    let named = |t: &str| t.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':'));
    if match first {
        b'$' => rest.starts_with(['{', '(', '$']) || named(rest),
        b'%' => {
            rest.ends_with('%') || rest.starts_with(['(', '{']) || rest.len() <= 2 || rest.starts_with("s:")
        }
        b'{' | b'<' | b'[' | b'(' => true,
        b':' | b'@' => {
            rest.len() > 1 && rest.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b':'))
        }
        _ => false,
    } {
        return true;
    }
    if [
        "process.env",
        "os.environ",
        "env.",
        "env(",
        "vault:",
        "secrets.",
        "secretref",
        "arn:",
        "ref:",
        "sha256:",
        "file:",
    ]
    .iter()
    .any(|head| body.get(..head.len()).is_some_and(|h| h.eq_ignore_ascii_case(head)))
        || body.contains("${")
        || body.contains("{{")
        || body.contains("$(")
        || body.contains("[secret")
    {
        return true;
    }
    if PLACEHOLDERS.has_folded(body.trim_end_matches(['.', '!', '?'])) {
        return true;
    }
    // `your-api-key`, `my_password_here`, `REPLACE_ME`: words, and one of them says so.
    let digits = bytes.iter().any(u8::is_ascii_digit);
    !digits
        && body.split(['-', '_', ' ', '.']).any(|word| STANDS.has_folded(word))
        && body.contains(['-', '_', '.'])
}

static PLACEHOLDERS: Words<512> = Words::new(
    "string required optional missing invalid expired rotated revoked true false undefined null none nil number boolean bool \
     option unknown placeholder config settings unset empty hidden masked present absent valid enabled disabled str self \
     redacted changeme changeit dummy example sample todo fixme tbd default value text bytes bytearray char chars varchar uuid \
     object any array list vec dict map hash hashed date float double integer long short byte usize isize json jsonb blob int uint \
     wrong incorrect correct bad weak strong same different changed reset new old used unused here there below above \
     okay failed rejected accepted denied forbidden unauthorized authorized provided given stored saved needed set sent \
     encrypted decrypted plaintext plain leaked exposed removed omitted withheld deleted unchanged pending active inactive \
     password passwd passphrase secret token apikey secretkey username user login name email prompt input file stdin vault \
     keychain keyring environment variable field column type length policy manager protected based only auth bearer basic \
     digest negotiate nonempty blank supported unsupported ignored skipped truncated either both never always also",
);

/// Words of a value that say that somebody is to fill it in.
static STANDS: Words<64> = Words::new(
    "your my the some insert enter replace put example sample dummy fake placeholder changeme change redacted todo here goes \
     xxx test mock stub me none null masked hidden",
);

/// Heads of members that hold settings or a request.
static OBJECTS: Words<128> = Words::new(
    "self this args config cfg conf settings env os req request process opts options ctx context user params data form body \
     props state secrets vault var local module input github event session account client app",
);

/// Names of algorithms that have digits as a credential has.
static ALGORITHMS: Words<64> = Words::new(
    "md5 sha1 sha256 sha384 sha512 sha-1 sha-256 sha-512 bcrypt argon2 argon2i argon2id pbkdf2 base32 base64 utf8 utf-8 \
     aes128 aes256 aes-128 aes-256 hs256 hs512 rs256 es256 scram-sha-256 oauth2 2fa",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_a_credential_is_none() {
        for body in [
            "$DB_PASS",
            "${DB_PASS}",
            "$(cat /run/pw)",
            "%DB_PASS%",
            "%s",
            "{{ password }}",
            "<password>",
            "[REDACTED]",
            "***",
            "xxxx",
            "XXXXXXXX",
            "••••••",
            "sk-…abcd",
            "hunt****",
            "changeme",
            "your-api-key",
            "YOUR_TOKEN_HERE",
            "my_password",
            "None",
            "true",
            "redacted",
            ":password",
            "[secret]",
            "example",
            "process.env.TOKEN",
        ] {
            assert!(is_placeholder(body), "{body}");
        }
        for body in ["hunter2", "Tr0ub4dor&3", "$ecr3t!x", "tk_live_EXAMPLE_0a1b2c3d", "swordfish", "%Xy9!k"]
        {
            assert!(!is_placeholder(body), "{body}");
        }
    }

    #[test]
    fn code_is_a_reference() {
        for body in [
            "self.password",
            "next_token(",
            "args.token",
            "keys[0]",
            "Token::new",
            "SecretStr",
            "db_password",
            "authToken",
            "Option<String",
            "config.db.password",
            "&str",
            "os.environ[",
        ] {
            assert!(is_reference(body), "{body}");
        }
        for body in ["hunter2", "Tr0ub4dor3xyz", "abCD/12+ef==", "q8W-e9R_t0", "swordfish"] {
            assert!(!is_reference(body), "{body}");
        }
    }
}

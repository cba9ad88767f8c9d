//! Names whose values are credentials.

use super::super::lexicon::Words;

/// How much a name says of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// A password: a plain word may be one.
    Password,
    /// A token, a key, a header: what is given out looks like chance.
    Token,
}

/// Longer names are none of keys.
const LONGEST: usize = 64;

/// What the name of a key says of its value: by its last word, whether words are joined by `_`, `-`, `.` or capitals.
pub(super) fn key(name: &str) -> Option<Key> {
    if name.len() > LONGEST {
        return None;
    }
    let name = name.trim_matches(['_', '-', '.']);
    let (rest, last) = last_word(name);
    let (before, second) = last_word(rest);
    if PASSWORDS.has_folded(last) {
        // `max-password`, `no-password` bind counts and switches.
        return (!COUNTS.has_folded(second)).then_some(Key::Password);
    }
    let lower = last.to_ascii_lowercase();
    if ["password", "passwd", "passphrase", "pwd"].iter().any(|p| lower.ends_with(p)) || is_compound(&lower) {
        return Some(Key::Password);
    }
    if matches!(lower.as_str(), "pass" | "pw") {
        // `DB_PASS`, `dbPass`; alone it is a word.
        return Some(if rest.is_empty() { Key::Token } else { Key::Password });
    }
    if TOKENS.has_folded(last) {
        return (!COUNTS.has_folded(second)).then_some(Key::Token);
    }
    let keyed = lower == "key" && KEYS.has_folded(second)
        || lower == "id"
            && second.eq_ignore_ascii_case("key")
            && last_word(before).1.eq_ignore_ascii_case("access")
        || lower == "hash" && second.eq_ignore_ascii_case("password")
        || ["apikey", "secretkey", "accesskey", "apitoken", "authtoken", "accesstoken"]
            .iter()
            .any(|k| lower.ends_with(k));
    keyed.then_some(Key::Token)
}

/// A name without its last word, and that word.
fn last_word(name: &str) -> (&str, &str) {
    let bytes = name.as_bytes();
    let mut at = bytes.len();
    while let Some(&b) = at.checked_sub(1).and_then(|i| bytes.get(i)) {
        if matches!(b, b'_' | b'-' | b'.') {
            return (name.get(..at - 1).unwrap_or_default(), name.get(at..).unwrap_or_default());
        }
        // `dbPassword`, `OAuth2Token`: a capital after a small letter or a digit begins a word.
        let small =
            at >= 2 && bytes.get(at - 2).is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        if b.is_ascii_uppercase() && small {
            return (name.get(..at - 1).unwrap_or_default(), name.get(at - 1..).unwrap_or_default());
        }
        at -= 1;
    }
    ("", name)
}

/// Whether the word before `key` makes it a credential.
pub(super) fn makes_key(word: &str) -> bool {
    KEYS.has_folded(word)
}

/// Whether a word names a password, in running text.
pub(super) fn is_password(word: &str) -> bool {
    PASSWORDS.has_folded(word)
}

/// Whether a word, alone or as the end of a compound, names a password in any language.
pub(in crate::fact) fn names_password(word: &str) -> bool {
    is_password(word) || is_compound(word)
}

/// Whether a word names a password in another language than English: what is said behind it is not read.
pub(super) fn is_foreign(word: &str) -> bool {
    let english = ["password", "passwd", "pwd", "passphrase", "passcode"];
    names_password(word) && !english.iter().any(|w| w.eq_ignore_ascii_case(word))
}

/// Whether a word is a compound whose last part names a password: `Datenbankpasswort`.
pub(super) fn is_compound(word: &str) -> bool {
    ["passwort", "kennwort", "wachtwoord", "lösenord", "passord", "adgangskode", "salasana"].iter().any(
        |part| {
            let last = word.len().checked_sub(part.len()).and_then(|at| word.get(at..));
            last.is_some_and(|last| last.eq_ignore_ascii_case(part))
        },
    )
}

/// Whether a word ends a name of several words: `mot de passe`.
pub(super) fn is_phrase(before: &str, word: &str) -> bool {
    word.eq_ignore_ascii_case("passe") && before.to_ascii_lowercase().ends_with("mot de ")
}

/// The word for a password, by language. Where a script has cases beyond ASCII, with a capital too.
static PASSWORDS: Words<128> = Words::new(
    "password passwd pwd passphrase passcode passwort kennwort contraseña senha wachtwoord lösenord passord adgangskode \
     salasana hasło heslo jelszó şifre parola parolă lozinka пароль Пароль пароля κωδικός Κωδικός סיסמה",
);

static TOKENS: Words<64> = Words::new(
    "secret token apikey authorization credential credentials cookie accesstoken refreshtoken clientsecret privatekey \
     secretkey accesskey authtoken sessiontoken apisecret pat jwt bearer",
);

static KEYS: Words<32> = Words::new(
    "api secret access private signing encryption auth master account shared service storage subscription",
);

/// Words before `token` and the like that make it a count, a mark of a text or a place in a list.
static COUNTS: Words<128> = Words::new(
    "max min next page continuation stop pad eos bos unk sep mask cls total num count n completion prompt input output \
     cached reasoning per first last start end current special no is has use show require requires with without want \
     needs reset change forgot verify validate check expired",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_name_says() {
        for name in [
            "password",
            "DB_PASS",
            "dbPass",
            "PGPASSWORD",
            "MYSQL_PWD",
            "spring.datasource.password",
            "userPassword",
            "db-password",
            "KEY_PASSPHRASE",
        ] {
            assert_eq!(key(name), Some(Key::Password), "{name}");
        }
        for name in [
            "token",
            "GITHUB_TOKEN",
            "x-api-key",
            "apiKey",
            "OPENAI_API_KEY",
            "aws_secret_access_key",
            "AWS_ACCESS_KEY_ID",
            "clientSecret",
            "JWT_SECRET",
            "_authToken",
            "Set-Cookie",
            "storageAccountKey",
            "GITHUB_PAT",
            "pass",
        ] {
            assert_eq!(key(name), Some(Key::Token), "{name}");
        }
        for name in [
            "max_tokens",
            "next_token",
            "nextToken",
            "token_limit",
            "secret_name",
            "public_key",
            "primary_key",
            "compass",
            "PASSWORD_FILE",
            "password_length",
            "key",
            "tokens",
            "bypass",
            "first_token",
            "secretary",
            "tokenizer",
            "",
        ] {
            assert_eq!(key(name), None, "{name}");
        }
    }
}

//! Passwords that stand before the word for them: `use … as the passphrase`, `… is the root password`.

use super::super::Class;
use super::super::lexicon::Words;
use super::super::scan::Scan;
use super::super::token::Token;
use super::{name, told, value};
use crate::text::Span;

/// How far before the word its value may begin, in bytes.
const FAR: usize = 160;
/// How many words may describe it, with its article: `the new root password`.
const DESCRIBING: usize = 4;

/// The password before the word for it. What was found in it is taken back.
pub(super) fn before(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    if !name::is_password(s.slice(t.start, t.word)) || !told::closes(s, t.word) {
        return None;
    }
    let low = s.floor(s.line.start.max(t.start.saturating_sub(FAR)));
    let mut rest = s.slice(low, t.start).strip_suffix(' ')?;
    let mut article = false;
    let mut binds = None;
    for _ in 0..=DESCRIBING {
        let (head, last) = rest.rsplit_once(' ')?;
        if BINDS.has_folded(last) {
            (binds, rest) = (Some(last), head);
            break;
        }
        if article || !last.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b >= 0x80) {
            return None;
        }
        article = ARTICLES.has_folded(last);
        rest = head;
    }
    let states = STATES.has_folded(binds?);
    if states && !article {
        return None;
    }
    let (head, last) = rest.rsplit_once([' ', '\n', '(']).unwrap_or(("", rest));
    let body = last.trim_matches(['"', '\'', '`', '*']);
    let quoted = last.starts_with(['"', '\'']) && last.len() > body.len() + 1;
    // Only who is to take a word as it is takes a plain one.
    let takes = !states && USES.has_folded(head.rsplit(' ').next().unwrap_or_default());
    if body.is_empty() || !value::is_told(body, quoted && takes) {
        return None;
    }
    let from = low + rest.len() - last.len() + last.find(body)?;
    let at = Span::new(from, from + body.len());
    s.retake(Class::Secret, at).then_some(t.word)
}

/// What binds a value to the word behind it.
static BINDS: Words<8> = Words::new("as is was");
/// Those that do so behind an article only: `… is the password`, and not `the first is password`.
static STATES: Words<4> = Words::new("is was");
static ARTICLES: Words<32> = Words::new("the a an my our your his her their its");
/// Verbs that take a password.
static USES: Words<64> = Words::new(
    "use used uses using try tried set enter entered type typed choose chose pick picked took take give gave with",
);

#[cfg(test)]
mod tests {
    use super::super::super::testing::{all, none, of, reads};
    use crate::Class;

    #[test]
    fn the_password_before_its_word() {
        reads(
            Class::Secret,
            &[
                ("Use Tr0ub4dor3 as the passphrase.", &["Tr0ub4dor3"]),
                ("use 'swordfish' as the passphrase", &["swordfish"]),
                ("I set `Zk81-mQ0x` as the new root password on db-7", &["Zk81-mQ0x"]),
                ("hunter2x is the root password.", &["hunter2x"]),
                ("Xk82#mmQ1 was the old staging password, until then", &["Xk82#mmQ1"]),
                ("log in as kim, with P@ssw0rd9 as password", &["P@ssw0rd9"]),
                ("it took srv-04kQ9z7-Lm2x as our passphrase", &["srv-04kQ9z7-Lm2x"]),
            ],
        );
        let text = "use srv-04kQ9z7 as the passphrase on db-7";
        assert_eq!(all(text).len(), 2, "{:?}", all(text));
        assert_eq!(of(Class::Identifier, text), ["db-7"]);
    }

    #[test]
    fn what_is_said_of_a_password_is_none() {
        none(
            Class::Secret,
            &[
                "use the username as the password",
                "use stdin as the password",
                "using bcrypt12 as the password hash",
                "sha256 is the password algorithm",
                "argon2id is the password hash",
                "db-7 is the password store",
                "use `db_password` as the password",
                "use \"username\" as the password",
                "use $DB_PASS as the password",
                "hunter2x is not the password",
                "the field is password",
                "it treats pam_unix-2 as password backend",
                "the default user2x is the password manager of it",
                "version 1.2.3 was the passphrase release",
                "2026-03-01 was the password deadline",
                "what was the password",
                "see https://x.example/a1b2 as the password",
                "the answer as the password",
            ],
        );
    }

    #[test]
    fn nothing_of_it_is_left_as_another_fact() {
        for text in [
            "use Tr0ub4dor3@db-7 as the passphrase",
            "\"use srv-04kQ9z7 as the passphrase\" he said",
            "Ran `use srv-04kQ9z7 as the passphrase` twice",
        ] {
            let secrets = of(Class::Secret, text);
            assert_eq!(secrets.len(), 1, "{text}");
            for (class, surface) in all(text).into_iter().filter(|(c, _)| *c != Class::Secret) {
                assert!(!surface.contains(secrets[0]) && !secrets[0].contains(surface), "{class} {surface}");
            }
        }
    }
}

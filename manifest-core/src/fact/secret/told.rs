//! Passwords that a sentence tells: `the password is …`, `changed the password to …`, `with password …`.

use super::super::Class;
use super::super::lexicon::Words;
use super::super::scan::Scan;
use super::super::token::Token;
use super::name;
use super::rest_of_line;
use super::value::is_told;
use crate::text::Span;

/// How far behind the word its verb may stand, in bytes: `the password for the staging database on db-7 is …`.
const FAR: usize = 64;

/// The password that is told after the word for it.
pub(super) fn told(s: &mut Scan<'_>, t: Token) -> Option<usize> {
    let word = s.slice(t.start, t.word);
    let key = word.eq_ignore_ascii_case("key");
    let head = s.slice(s.floor(t.start.saturating_sub(16)), t.start);
    let named = name::is_password(word) || name::is_compound(word) || name::is_phrase(head, word);
    if !key && !named || s.at(t.word) != b' ' {
        return None;
    }
    let (at, direct) = value_at(s, t)?;
    let mut start = at;
    while s.is(start, "**") {
        start += 2;
    }
    let quote = Some(s.at(start)).filter(|b| matches!(b, b'"' | b'\'' | b'`'));
    start += usize::from(quote.is_some());
    let mut end = start;
    while end < s.limit()
        && match quote {
            Some(quote) => !matches!(s.at(end), b'\n') && s.at(end) != quote,
            None => !matches!(s.at(end), b' ' | b'\n' | b'\t' | b',' | b';' | b')' | b'"' | b'`' | b'|'),
        }
    {
        end += 1;
    }
    let mut end = s.floor(end);
    while end > start && quote.is_none() && matches!(s.before(end), b'.' | b':' | b'?' | b'*') {
        end -= 1;
    }
    let body = s.slice(start, end);
    let random = |b: &str| {
        b.len() >= 16 && b.bytes().any(|b| b.is_ascii_digit()) && b.bytes().any(|b| b.is_ascii_alphabetic())
    };
    let closed = quote.is_some() || closes(s, end);
    if !closed
        || key && !random(body)
        || direct && quote.is_none() && !body.bytes().any(|b| b.is_ascii_digit())
    {
        return None;
    }
    if !is_told(body, quote.is_some() && !direct) {
        return None;
    }
    s.push_text(Class::Secret, Span::new(start, end));
    Some(end)
}

/// Where the value stands: behind the verb, or right behind the word where `with` or a comma leads it.
fn value_at(s: &Scan<'_>, t: Token) -> Option<(usize, bool)> {
    let clause = rest_of_line(s, t.word, FAR);
    let clause = clause.split(['.', ';', '!', '?', ',']).next().unwrap_or_default();
    for verb in VERBS {
        if let Some(found) = clause.find(verb) {
            // `the password needs to be reset`, `password that is used`.
            let between = clause.get(..found).unwrap_or_default();
            let led = between.split_whitespace().next().is_none_or(|word| LEADS.has_folded(word));
            if led && between.split_whitespace().count() <= 7 {
                return Some((t.word + found + verb.len(), false));
            }
        }
    }
    let lead = s.word_before(t.start);
    let direct =
        DIRECT.has_folded(lead) || matches!(s.slice(t.start.saturating_sub(2), t.start), ", " | "/ ");
    direct.then_some((t.word + 1, true))
}

/// Whether the sentence ends behind a value, or goes on with a word that does not describe it.
pub(super) fn closes(s: &Scan<'_>, end: usize) -> bool {
    match s.at(end) {
        b' ' => {
            let next = s.word_at(end + 1);
            GOES_ON.has_folded(next) || matches!(s.at(end + 1), b'(' | b'-')
        }
        b'.' | b'?' | b':' | b'*' => matches!(s.at(end + 1), b' ' | b'\n' | b'\r' | b'*' | b')' | b'"' | 0),
        _ => true,
    }
}

/// Verbs between the word and its value, by language; those that say more come first.
const VERBS: [&str; 22] = [
    " is now ",
    " is ",
    " was ",
    " to ",
    " will be ",
    " ist jetzt ",
    " ist ",
    " lautet ",
    " war ",
    " est maintenant ",
    " est ",
    " es ahora ",
    " es ",
    " era ",
    " é agora ",
    " é ",
    " è ",
    " är ",
    " to jest ",
    " je ",
    " это ",
    " — ",
];

/// Words that lead to what a password is for.
static LEADS: Words<128> = Words::new(
    "for of on in für von vom zu zum zur der des im auf pour de du la le para del do da per di voor van för til dla для",
);

/// Words right before a word for a password that its value follows.
static DIRECT: Words<64> = Words::new("with and using the use mit und dem das avec et con y com met en");

/// Words with which a sentence goes on behind a value.
static GOES_ON: Words<64> = Words::new(
    "and for on but so in then now at until since not und für auf aber et pour sur mais y para pero e per voor maar",
);

#[cfg(test)]
mod tests {
    use super::super::super::testing::{none, reads};
    use crate::Class;

    #[test]
    fn passwords_in_other_languages() {
        reads(
            Class::Secret,
            &[
                ("Das Passwort ist Tr0ub4dor3.", &["Tr0ub4dor3"]),
                ("Das Kennwort für die Datenbank lautet hunter2x.", &["hunter2x"]),
                ("Das Datenbankpasswort lautet hunter2x.", &["hunter2x"]),
                ("Datenbankpasswort: hunter2x", &["hunter2x"]),
                ("als kim mit Passwort hunter2 und Rolle admin", &["hunter2"]),
                ("Le mot de passe est Tr0ub4dor3.", &["Tr0ub4dor3"]),
                ("Mot de passe : hunter2x", &["hunter2x"]),
                ("le mot de passe du serveur est hunter2x, pas plus", &["hunter2x"]),
                ("La contraseña es Tr0ub4dor3.", &["Tr0ub4dor3"]),
                ("la contraseña de la base es hunter2x y nada", &["hunter2x"]),
                ("A senha é Tr0ub4dor3.", &["Tr0ub4dor3"]),
                ("la password è Tr0ub4dor3", &["Tr0ub4dor3"]),
                ("Het wachtwoord is Tr0ub4dor3.", &["Tr0ub4dor3"]),
                ("Admin Password: hunter2x", &["hunter2x"]),
                ("The Root Password is Tr0ub4dor3.", &["Tr0ub4dor3"]),
                ("Lösenordet: x\nlösenord: hunter2x", &["hunter2x"]),
                ("hasło: Tr0ub4dor3", &["Tr0ub4dor3"]),
                ("Пароль: Tr0ub4dor3", &["Tr0ub4dor3"]),
                ("пароль — hunter2x", &["hunter2x"]),
                ("密码：Tr0ub4dor3", &["Tr0ub4dor3"]),
                ("数据库密码是Tr0ub4dor3，请保密", &["Tr0ub4dor3"]),
                ("密码是 hunter2x", &["hunter2x"]),
                ("パスワードはhunter2xです", &["hunter2x"]),
                ("비밀번호는 Tr0ub4dor3 입니다", &["Tr0ub4dor3"]),
            ],
        );
    }

    #[test]
    fn what_other_languages_say_of_a_password_is_none() {
        none(
            Class::Secret,
            &[
                "Das Passwort ist falsch.",
                "Das Passwort ist abgelaufen und wird ersetzt.",
                "Das Passwort muss mindestens 12 Zeichen haben",
                "Das Passwort ist in db-7x gespeichert",
                "Passwort: erforderlich",
                "Kennwort: $DB_PASS",
                "Le mot de passe est incorrect.",
                "le mot de passe est sha256",
                "il passe est2 fois",
                "ce qui passe : hunter2x",
                "La contraseña es obligatoria",
                "la contraseña es v1.2.3",
                "A senha é obrigatória.",
                "parole es un mot",
                "密码错误 E2107x",
                "密码长度至少8位",
                "密码使用 SHA256 加密",
                "パスワードをリセットしてください v2.0",
                "비밀번호가 틀렸습니다",
                "Пароль: обязательно",
                "{\"password\": \"Contraseña\", \"login\": \"Iniciar\"}",
                "password: \"Kennwort\"",
                "пароль — это слово",
            ],
        );
    }
}

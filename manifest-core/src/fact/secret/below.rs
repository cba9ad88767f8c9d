//! Values on the line below their key: `password:` and the word on the next line.

use super::super::scan::Scan;
use super::name::Key;
use super::rest_of_line;
use super::value::{Place, is_credential, is_strong, is_told};
use crate::text::Span;

/// Longer lines are no value, in bytes.
const LONGEST: usize = 256;

/// Where the value stands on the line below, where nothing but the mark of a block stands at `at`.
pub(super) fn below(s: &Scan<'_>, at: usize, of: Key) -> Option<Span> {
    let mark = rest_of_line(s, at, 8).trim_end();
    let block = matches!(mark, "|" | ">" | "|-" | ">-" | "|+" | ">+");
    if !block && !mark.is_empty() {
        return None;
    }
    let mut line = next_line(s, at + mark.len())?;
    // Markdown sets a paragraph off.
    if !block && let Some(next) = next_line(s, line) {
        line = next;
    }
    // A fence: the value is what stands in it.
    let fenced = s.is(s.skip_spaces(line), "```");
    if fenced {
        line = next_line(s, s.skip_spaces(line) + 3 + s.word_at(s.skip_spaces(line) + 3).len())?;
    }
    let from = s.skip_spaces(line);
    let text = rest_of_line(s, from, LONGEST).trim_end();
    let inner = text.trim_matches(['"', '\'', '`', '*']);
    if inner.is_empty() || text.len() + 1 >= LONGEST || inner.contains(char::is_whitespace) || is_other(inner)
    {
        return None;
    }
    // Quotes and the mark of a block show that a value stands there; bare, it has to show that itself.
    let shown = text.len() > inner.len() || block;
    let place = Place { quoted: shown, spaced: true, closed: true, ..Place::default() };
    let is_value = match of {
        Key::Password => is_told(inner, shown),
        Key::Token => shown || is_strong(inner),
    };
    if !is_value || !is_credential(of, inner, place) {
        return None;
    }
    let start = from + text.find(inner)?;
    Some(Span::new(start, start + inner.len()))
}

/// Where the next line begins, if only blanks stand before it.
fn next_line(s: &Scan<'_>, i: usize) -> Option<usize> {
    let mut i = s.skip_spaces(i);
    i += usize::from(s.at(i) == b'\r');
    (s.at(i) == b'\n').then_some(i + 1)
}

/// What comes after a prompt is not what was typed: the next prompt, a key, a name of code in capitals.
fn is_other(line: &str) -> bool {
    line.ends_with(['#', '$', '>', ':', ']', ',', ')', ';'])
        || line.contains('@') && line.contains(':')
        || line.contains('=')
        || !line.bytes().any(|b| b.is_ascii_lowercase()) && line.contains('_')
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{none, of, reads};
    use crate::Class;

    #[test]
    fn the_value_on_the_line_below() {
        reads(
            Class::Secret,
            &[
                ("Password:\nTr0ub4dor3\nthen log in", &["Tr0ub4dor3"]),
                ("the root password:\r\n  hunter2x\r\n", &["hunter2x"]),
                ("**Password:**\n\nhunter2x\n", &["hunter2x"]),
                ("Password:\n`swordfish`\n", &["swordfish"]),
                ("password: |\n  swordfish\nuser: kim", &["swordfish"]),
                ("db_password: >-\n  Xk82-mmQ1\n", &["Xk82-mmQ1"]),
                ("api_key: |-\n    Zx81Qr55mmLk20\n", &["Zx81Qr55mmLk20"]),
                ("Here is the password:\n```\nhunter2x\n```\nOn db-7.", &["hunter2x"]),
                ("The token:\n```text\n9f8e7d6c5b4a3210ab\n```\n", &["9f8e7d6c5b4a3210ab"]),
                ("{\"password\":\n   \"swordfish\"}", &[]),
                ("{\"password\":\n   \"swordfish\"\n}", &["swordfish"]),
                ("| User | kim |\n| Password | hunter2x |\n", &["hunter2x"]),
                ("| Password | `hunter2x` |", &["hunter2x"]),
            ],
        );
    }

    #[test]
    fn what_stands_below_a_prompt_is_no_value() {
        none(
            Class::Secret,
            &[
                "Password:\nroot@db-7:~#",
                "Password:\n$ ls",
                "Password:\nmysql>",
                "Enter password:\nLast login: Mon 12",
                "password:\n  type: string\n  minLength: 8",
                "password:\n  required\n",
                "password: |\n  required\n",
                "password:\nhostname:\n",
                "token:\n- item-2",
                "token:\n  deploy-bot-3\n",
                "secret:\n  secretName: my-tls-2",
                "password:\nDB_PASSWORD_2",
                "Password:\nok\n",
                "password:\nswordfish\n",
                "Password:\n`db_password`",
                "Password:\n\"This field is required\"",
                "Password:\n```\nread_password(\"db2x\")\n```",
                "Password:\n```sh\n$ passwd\n```",
                "Password:\nPBKDF2\n",
                "Password:\n\n\n\nhunter2x",
                "token:\n  ${TOKEN}\n",
                "password:\n    pg_dump-16.2\n",
                "| Password | required |",
                "| password | sha256 |",
                "| password | varchar(255) |",
                "| Password | Token | x86_64 |",
                "| password | hunter2x is old |",
            ],
        );
    }

    #[test]
    fn lines_below_are_read_as_lines() {
        let text = "Password:\n```\nhunter2x\n```\nThen node-4 failed.\n\n- `node-5` too";
        assert_eq!(of(Class::Identifier, text), ["node-4", "node-5"]);
    }
}

//! Text that a program wraps around what people and tools said: reminders, environment, the frame of a summary.

/// Tags whose content a program adds to a message.
const REMINDERS: [(&str, &str); 2] =
    [("<system-reminder>", "</system-reminder>"), ("<system_reminder>", "</system_reminder>")];

/// How a message begins that carries instructions or the environment, not what a person said.
const INSTRUCTIONS: [&str; 9] = [
    "<user_instructions>",
    "<environment_context>",
    "<permissions instructions>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
    "<skills_instructions>",
    "<apps_instructions>",
    "<collaboration_mode>",
    "<turn_aborted>",
];

/// How a message of the user's role begins that a program wrote as the result of work.
const MACHINE: [&str; 4] =
    ["<task-notification>", "<bash-stdout>", "<local-command-stdout>", "<local-command-stderr>"];

/// How lines begin that a program adds before or after a summary.
const FRAME: [&str; 6] = [
    "This session is being continued from a previous conversation",
    "If you need specific details from before compaction",
    "Continue the conversation from where it left off",
    "Please continue the conversation from where we left it off",
    "Recent messages are preserved verbatim",
    "Another language model started to solve this problem",
];

/// Whether a message is instructions or environment.
pub(crate) fn is_instructions(text: &str) -> bool {
    let text = text.trim_start();
    INSTRUCTIONS.iter().any(|head| text.starts_with(head))
}

/// Whether a message of the user's role is the output of a program.
pub(crate) fn is_machine(text: &str) -> bool {
    let text = text.trim_start();
    MACHINE.iter().any(|head| text.starts_with(head))
}

/// Whether a text begins with the frame that a program puts around a summary.
pub(crate) fn has_frame(text: &str) -> bool {
    let text = text.trim_start();
    FRAME.iter().any(|head| text.starts_with(head))
}

/// `text` as stretches, each with whether it is a reminder. An unclosed reminder reaches to the end.
pub(crate) fn reminders(text: &str) -> Vec<(bool, &str)> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((at, open, close)) = REMINDERS
        .iter()
        .filter_map(|(open, close)| {
            Some((memchr::memmem::find(rest.as_bytes(), open.as_bytes())?, *open, *close))
        })
        .min_by_key(|f| f.0)
    {
        let (before, inside) = rest.split_at(at);
        out.push((false, before));
        let body = inside.get(open.len()..).unwrap_or_default();
        let end = body.find(close);
        out.push((true, body.get(..end.unwrap_or(body.len())).unwrap_or_default()));
        rest = end.and_then(|end| body.get(end + close.len()..)).unwrap_or_default();
    }
    out.push((false, rest));
    out.retain(|(_, text)| !text.trim().is_empty());
    out
}

/// A summary without the lines that a program put around it, and those lines.
pub(crate) fn unframe(summary: &str) -> (String, String) {
    let (mut body, mut frame) = (String::new(), String::new());
    for line in summary.split_inclusive('\n') {
        let framed = FRAME.iter().any(|head| line.trim_start().starts_with(head));
        if framed { &mut frame } else { &mut body }.push_str(line);
    }
    (body.trim().to_owned(), frame.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reminders_are_told_from_what_was_said() {
        let text = "fix it\n<system-reminder>\nnever push\n</system-reminder>\nplease <system-reminder>open";
        assert_eq!(
            reminders(text),
            [(false, "fix it\n"), (true, "\nnever push\n"), (false, "\nplease "), (true, "open")]
        );
        assert_eq!(reminders("plain"), [(false, "plain")]);
        assert!(reminders("").is_empty());
    }

    #[test]
    fn a_summary_is_told_from_its_frame() {
        let text = "This session is being continued from a previous conversation that ran out of context.\n\n\
                    Deploy of build 41 failed.\n\nIf you need specific details from before compaction, read /tmp/x.jsonl\n";
        let (body, frame) = unframe(text);
        assert_eq!(body, "Deploy of build 41 failed.");
        assert!(frame.contains("/tmp/x.jsonl") && frame.starts_with("This session"));
    }
}

//! Any program as a summarizer: the children as JSON on its standard input, the summary on its standard output.

use manifest_core::tree::Task;
use process_wrap::std::{ChildWrapper, CommandWrap};
use serde::Serialize;
use std::io::{self, Read, Write};
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// What a program says on standard error is quoted up to this many bytes, from its end.
const QUOTED: usize = 400;
/// How often a running program is looked at.
const STEP: Duration = Duration::from_millis(10);

/// A command line that writes summaries.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    /// What the shell runs.
    pub(crate) line: String,
    /// How long one summary may take.
    pub(crate) timeout: Duration,
    /// Bytes that one summary may have.
    pub(crate) limit: usize,
}

/// Why a program gave no summary.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandFault {
    #[error("`{line}` could not be started: {source}")]
    Start { line: String, source: io::Error },
    #[error("`{line}` failed ({status}){}", said(.stderr))]
    Failed { line: String, status: ExitStatus, stderr: String },
    #[error("`{line}` gave no summary within {} s and was ended; --timeout gives it longer", .after.as_secs())]
    TimedOut { line: String, after: Duration },
    #[error("`{line}` printed nothing on standard output{}", said(.stderr))]
    Silent { line: String, stderr: String },
    #[error(
        "`{line}` printed more than {limit} bytes and was ended: a summary is shorter than what it summarizes"
    )]
    TooLong { line: String, limit: usize },
    #[error("`{line}` printed what is not UTF-8 (byte {at})")]
    NotUtf8 { line: String, at: usize },
    #[error("`{line}`: its output could not be read: {source}")]
    Read { line: String, source: io::Error },
}

fn said(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!("; it said: {stderr}") }
}

/// What a program reads.
#[derive(Serialize)]
struct Asked<'a> {
    level: u32,
    position: usize,
    attempt: u32,
    budget_bytes: usize,
    children: Vec<AskedChild<'a>>,
    #[serde(skip_serializing_if = "str::is_empty")]
    feedback: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    refused: &'a str,
}

#[derive(Serialize)]
struct AskedChild<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    role: manifest_core::Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'a str>,
    text: &'a str,
}

impl Command {
    /// Runs the program for one task.
    ///
    /// # Errors
    /// A [`CommandFault`] for each way in which it gives no text. The program and all that it started are ended first.
    pub(crate) fn ask(&self, task: &Task<'_>) -> Result<String, CommandFault> {
        let children = task.children.iter().map(|child| AskedChild {
            id: child.id.as_deref(),
            role: child.role,
            at: child.at.as_deref(),
            text: &child.text,
        });
        let asked = Asked {
            level: task.level,
            position: task.position,
            attempt: task.attempt,
            budget_bytes: task.budget_bytes,
            children: children.collect(),
            feedback: task.feedback,
            refused: task.refused,
        };
        let mut input = serde_json::to_vec(&asked)
            .map_err(|e| CommandFault::Start { line: self.line.clone(), source: e.into() })?;
        input.push(b'\n');
        self.pipe(input)
    }

    /// Runs the program over `input`.
    fn pipe(&self, input: Vec<u8>) -> Result<String, CommandFault> {
        let line = || self.line.clone();
        let mut child =
            shell(&self.line).spawn().map_err(|source| CommandFault::Start { line: line(), source })?;
        if let Some(mut stdin) = child.stdin().take() {
            // A program that does not read its input is no fault; nobody waits for this thread.
            thread::spawn(move || stdin.write_all(&input));
        }
        let stdout = child.stdout().take().map(|pipe| reader(pipe, self.limit.saturating_add(1), false));
        let stderr = child.stderr().take().map(|pipe| reader(pipe, QUOTED, true));
        let outcome = self.wait(&mut *child, stdout.as_ref());
        if !matches!(outcome, Ok((Some(_), _))) {
            // Ended already, or cannot be: the fault is told either way.
            let _ = child.kill();
        }
        let (status, bytes) = outcome?;
        let stderr = stderr.and_then(|pipe| pipe.recv_timeout(Duration::from_millis(200)).ok());
        let stderr = stderr.and_then(Result::ok).unwrap_or_default();
        let stderr = quoted(&stderr);
        if bytes.len() > self.limit {
            return Err(CommandFault::TooLong { line: line(), limit: self.limit });
        }
        if let Some(status) = status.filter(|status| !status.success()) {
            return Err(CommandFault::Failed { line: line(), status, stderr });
        }
        let text = String::from_utf8(bytes)
            .map_err(|e| CommandFault::NotUtf8 { line: line(), at: e.utf8_error().valid_up_to() })?;
        if text.trim().is_empty() {
            return Err(CommandFault::Silent { line: line(), stderr });
        }
        Ok(text.trim_end().to_owned())
    }

    /// What it printed, and its status if it ended by itself.
    fn wait(
        &self,
        child: &mut dyn ChildWrapper,
        stdout: Option<&Receiver<io::Result<Vec<u8>>>>,
    ) -> Result<(Option<ExitStatus>, Vec<u8>), CommandFault> {
        let end = Instant::now() + self.timeout;
        let late = || CommandFault::TimedOut { line: self.line.clone(), after: self.timeout };
        let failed = |source| CommandFault::Read { line: self.line.clone(), source };
        let left = || end.saturating_duration_since(Instant::now());
        // The output ends when the program does, or when there is too much of it.
        let bytes = match stdout.map(|pipe| pipe.recv_timeout(left())) {
            None => Vec::new(),
            Some(Ok(read)) => read.map_err(failed)?,
            Some(Err(RecvTimeoutError::Timeout)) => return Err(late()),
            Some(Err(RecvTimeoutError::Disconnected)) => {
                return Err(failed(io::Error::other("the reading thread ended")));
            }
        };
        if bytes.len() > self.limit {
            return Ok((None, bytes));
        }
        loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                return Ok((Some(status), bytes));
            }
            if left().is_zero() {
                return Err(late());
            }
            thread::sleep(STEP);
        }
    }
}

/// The shell of the system over a command line, as the leader of a group of its own.
fn shell(line: &str) -> CommandWrap {
    #[cfg(unix)]
    let (program, flag) = ("sh", "-c");
    #[cfg(not(unix))]
    let (program, flag) = ("cmd", "/C");
    let mut command = std::process::Command::new(program);
    command.arg(flag).arg(line).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut wrap = CommandWrap::from(command);
    #[cfg(unix)]
    wrap.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    wrap.wrap(process_wrap::std::JobObject);
    wrap
}

/// Reads a pipe to its end in a thread: the first `max` bytes and no more, or the last `max` of all.
fn reader(mut pipe: impl Read + Send + 'static, max: usize, last: bool) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut kept = Vec::new();
        let mut buffer = [0_u8; 16 << 10];
        let outcome = loop {
            match pipe.read(&mut buffer) {
                Ok(0) => break Ok(kept),
                Ok(n) => kept.extend_from_slice(buffer.get(..n).unwrap_or_default()),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => break Err(e),
            }
            if kept.len() >= max && !last {
                kept.truncate(max);
                break Ok(kept);
            }
            if kept.len() > max.saturating_mul(64) {
                kept.drain(..kept.len() - max);
            }
        };
        // Nobody listens any more after a timeout.
        let _ = sender.send(outcome);
    });
    receiver
}

/// The last lines of what a program said on standard error, on one line.
fn quoted(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    let mut start = text.len().saturating_sub(QUOTED);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default().to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use manifest_core::Child;

    fn ask(line: &str) -> Result<String, CommandFault> {
        let command = Command { line: line.to_owned(), timeout: Duration::from_millis(1500), limit: 10_000 };
        let children = [Child::new("user: The importer stopped."), Child::new("It ran again.")];
        command.ask(&Task::new(&children, 1, 0, 400))
    }

    #[test]
    fn the_children_go_in_and_the_text_comes_out() {
        let text = ask("cat").unwrap();
        let asked: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(asked["children"][0]["text"], "user: The importer stopped.");
        assert_eq!(asked["children"][0]["role"], "user");
        assert_eq!((&asked["level"], &asked["budget_bytes"]), (&1.into(), &400.into()));
        assert!(asked.get("feedback").is_none());
        assert_eq!(ask("echo 'a summary'; echo").unwrap(), "a summary");
    }

    #[test]
    fn each_way_to_give_nothing_has_its_name() {
        let failed = ask("echo no quota >&2; exit 3").unwrap_err();
        assert!(matches!(&failed, CommandFault::Failed { stderr, .. } if stderr == "no quota"), "{failed}");
        assert!(matches!(ask("true").unwrap_err(), CommandFault::Silent { .. }));
        assert!(matches!(ask("printf '  \\n'").unwrap_err(), CommandFault::Silent { .. }));
        assert!(matches!(ask("printf 'a\\377'").unwrap_err(), CommandFault::NotUtf8 { at: 1, .. }));
        let missing = ask("no-such-program-here").unwrap_err();
        assert!(missing.to_string().contains("no-such-program-here"), "{missing}");
    }

    #[test]
    fn what_hangs_is_ended_with_all_that_it_started() {
        let start = Instant::now();
        let mark = format!("86{:07}", std::process::id());
        for line in
            [format!("sleep {mark}"), format!("sleep {mark} & wait"), format!("(sleep {mark} &) ; echo done")]
        {
            let outcome = ask(&line);
            assert!(matches!(outcome, Err(CommandFault::TimedOut { .. })), "{line}: {outcome:?}");
        }
        assert!(start.elapsed() < Duration::from_secs(8));
        thread::sleep(Duration::from_millis(100));
        let left = std::process::Command::new("ps").args(["-eo", "args"]).output().unwrap();
        let left = String::from_utf8_lossy(&left.stdout).into_owned();
        assert!(!left.lines().any(|l| l == format!("sleep {mark}")), "{left}");
    }

    #[test]
    fn what_never_ends_its_output_is_ended() {
        let start = Instant::now();
        assert!(matches!(ask("yes").unwrap_err(), CommandFault::TooLong { limit: 10_000, .. }));
        assert!(matches!(ask("head -c 1000000000 /dev/zero").unwrap_err(), CommandFault::TooLong { .. }));
        assert!(start.elapsed() < Duration::from_secs(3));
        let noisy = ask("yes no >&2").unwrap_err();
        assert!(matches!(noisy, CommandFault::TimedOut { .. }), "{noisy}");
    }
}

//! Files and places in them, in both ways of writing folders.

use crate::case::{Case, Kind};
use crate::numbers::Numbers;
use crate::words::Trade;

fn told(n: &mut Numbers, what: &str, path: &str) -> String {
    match n.index(5) {
        0 => format!("The {what} is in {path}."),
        1 => format!("assistant: found the {what} in `{path}`."),
        2 => serde_json::json!({ "what": what, "file": path }).to_string(),
        3 => format!("[info] {what}: {path}"),
        _ => format!("| what | file |\n|---|---|\n| {what} | {path} |"),
    }
}

fn summed(n: &mut Numbers, what: &str, path: &str) -> String {
    match n.index(4) {
        0 => format!("The {what} is in {path}."),
        1 => format!("- {what}: `{path}`"),
        2 => format!("The {what} ({path})."),
        _ => format!("The {what} is in **{path}**."),
    }
}

pub(super) fn write(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let what = n.pick(trade.things);
    let ((folder, other), file) = (n.two(trade.folders), n.pick(trade.files));
    let year = n.within(2031, 2049);
    let posix = format!("/{}/{folder}/{year}/{file}", n.pick(&["mnt", "srv", "home"]));
    let (line, column) = (n.within(11, 480), n.within(2, 60));
    if good {
        let (path, same, by) = match n.index(5) {
            0 => (posix.clone(), posix, "kept"),
            1 => {
                let windows = format!("D:\\{folder}\\{year}\\{file}");
                let same = if n.coin() { windows.to_lowercase() } else { windows.replace('\\', "/") };
                (windows, same, "windows")
            }
            2 => (
                format!("{posix}:{line}:{column}"),
                format!("{posix} line {line}, column {column}"),
                "location",
            ),
            3 => (format!("{posix}:{line}"), format!("{posix}, line {line}"), "line"),
            _ => (format!("./{folder}/{file}"), format!("{folder}/{file}"), "relative"),
        };
        let child = told(n, what, &path);
        let parent = summed(n, what, &same);
        return Case::kept(Kind::Path, by, vec![child], parent);
    }
    match n.index(6) {
        0 => {
            let parent = format!("The {what} is on the disk.");
            Case::kept(Kind::Path, "dropped", vec![told(n, what, &posix)], parent).lost(posix)
        }
        1 => {
            let wrong = posix.replace(folder, other);
            Case::kept(Kind::Path, "another folder", vec![told(n, what, &posix)], summed(n, what, &wrong))
                .lost(posix)
                .orphan(wrong)
        }
        2 => {
            let wrong = posix.replace(&format!("/{folder}/"), &format!("/{}/", folder.to_uppercase()));
            Case::kept(Kind::Path, "another case", vec![told(n, what, &posix)], summed(n, what, &wrong))
                .lost(posix)
                .orphan(wrong)
        }
        3 => {
            let child = told(n, what, &format!("{posix}:{line}:{column}"));
            Case::kept(Kind::Path, "no line", vec![child], summed(n, what, &posix))
                .lost(format!("{line}:{column}"))
        }
        4 => {
            let (at, wrong) = (format!("{posix}:{line}"), format!("{posix}:{}", line + n.within(1, 9)));
            Case::kept(Kind::Path, "another line", vec![told(n, what, &at)], summed(n, what, &wrong))
                .lost(at)
                .orphan(wrong)
        }
        _ => {
            let wrong = format!("{posix}.bak");
            Case::kept(Kind::Path, "another name", vec![told(n, what, &posix)], summed(n, what, &wrong))
                .lost(posix)
                .orphan(wrong)
        }
    }
}

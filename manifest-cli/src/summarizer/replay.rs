//! Recorded summaries, played again: the shape of the recorded tree, and its texts.

use crate::error::cause;
use manifest_core::tree::{Plan, PlanError, Task};
use serde::Deserialize;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Bytes that one recorded file may have.
const MOST: u64 = 16 << 20;
/// What stands in the two files of a recorded tree.
const NODES: &str = "a list of nodes with id, level, children and file: the recorded tree that `--summarizer replay DIR` plays again";
const CHUNKS: &str = "a list of leaves with id, first_line and last_line";

/// A folder with `nodes.json` – for each node its `id`, `level`, `children` in order and the `file` that its text is in –
/// and, where the leaves are given by lines, `chunks.json`: for each leaf its `id`, `first_line` and `last_line`.
#[derive(Debug)]
pub(crate) struct Replay {
    shape: Shape,
    texts: HashMap<(u32, usize), String>,
}

/// The recorded tree.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The lines of each leaf, first and last, from 1; empty where none are recorded.
    pub(crate) leaves: Vec<LeafLines>,
    /// Who is whose child.
    pub(crate) plan: Plan,
    /// The recorded name of each node, by level (from 1) and position.
    pub(crate) names: HashMap<(u32, usize), String>,
}

/// The lines of one leaf.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct LeafLines {
    /// Its recorded name.
    pub(crate) id: String,
    /// From 1.
    pub(crate) first_line: u64,
    /// Inclusive.
    pub(crate) last_line: u64,
}

#[derive(Debug, Deserialize)]
struct NodeRow {
    id: String,
    level: u32,
    children: Vec<String>,
    file: PathBuf,
}

/// Why a folder cannot be played again.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayFault {
    #[error("{}: {}; expected {what}", path.display(), cause(source))]
    Read { path: PathBuf, what: &'static str, source: io::Error },
    #[error("{}: {source}; expected {what}", path.display())]
    Parse { path: PathBuf, what: &'static str, source: serde_json::Error },
    #[error("{}: more than {MOST} bytes", path.display())]
    TooLarge { path: PathBuf },
    #[error("{}: `{name}` is no file inside the folder; a recorded text stands below it", dir.display())]
    Outside { dir: PathBuf, name: PathBuf },
    #[error("{}: the child `{child}` of `{node}` is not what stands next in the level below", dir.display())]
    Order { dir: PathBuf, node: String, child: String },
    #[error("{}: {source}", dir.display())]
    Shape { dir: PathBuf, source: PlanError },
    #[error("{}: `{id}`: lines {first} to {last} are no range after line {before}", dir.display())]
    Lines { dir: PathBuf, id: String, first: u64, last: u64, before: u64 },
    #[error("no text is recorded for node {position} of level {level}")]
    NotRecorded { level: u32, position: usize },
    #[error(
        "only one text is recorded for node {position} of level {level}: there is no other attempt to play"
    )]
    Spent { level: u32, position: usize },
}

impl Replay {
    /// Reads a recorded folder.
    ///
    /// # Errors
    /// A [`ReplayFault`] that names the file and what was expected in it.
    pub(crate) fn open(dir: &Path) -> Result<Replay, ReplayFault> {
        let rows: Vec<NodeRow> = list(&dir.join("nodes.json"), NODES)?;
        let chunks = dir.join("chunks.json");
        let leaves: Vec<LeafLines> = if chunks.exists() { list(&chunks, CHUNKS)? } else { Vec::new() };
        let mut before = 0;
        for leaf in &leaves {
            if leaf.first_line <= before || leaf.last_line < leaf.first_line {
                let (id, first, last) = (leaf.id.clone(), leaf.first_line, leaf.last_line);
                return Err(ReplayFault::Lines { dir: dir.to_owned(), id, first, last, before });
            }
            before = leaf.last_line;
        }
        let mut below: Vec<String> = if leaves.is_empty() {
            rows.iter().filter(|row| row.level == 1).flat_map(|row| row.children.clone()).collect()
        } else {
            leaves.iter().map(|leaf| leaf.id.clone()).collect()
        };
        let count = below.len();
        let mut levels = Vec::new();
        let (mut texts, mut names) = (HashMap::new(), HashMap::new());
        for level in 1..=rows.iter().map(|row| row.level).max().unwrap_or(0) {
            let mut nodes = Vec::new();
            let mut next = 0;
            let mut ids = Vec::new();
            for row in rows.iter().filter(|row| row.level == level) {
                let start = next;
                for child in &row.children {
                    if below.get(next) != Some(child) {
                        let (node, child) = (row.id.clone(), child.clone());
                        return Err(ReplayFault::Order { dir: dir.to_owned(), node, child });
                    }
                    next += 1;
                }
                texts.insert((level, nodes.len()), text(dir, &row.file)?);
                names.insert((level, nodes.len()), row.id.clone());
                nodes.push(start..next);
                ids.push(row.id.clone());
            }
            levels.push(nodes);
            below = ids;
        }
        let plan = Plan::of_levels(count, levels)
            .map_err(|source| ReplayFault::Shape { dir: dir.to_owned(), source })?;
        Ok(Replay { shape: Shape { leaves, plan, names }, texts })
    }

    /// The recorded tree.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The recorded text.
    ///
    /// # Errors
    /// [`ReplayFault::NotRecorded`], and [`ReplayFault::Spent`] from the second attempt on.
    pub(crate) fn text(&self, task: &Task<'_>) -> Result<String, ReplayFault> {
        let (level, position) = (task.level, task.position);
        if task.attempt > 1 {
            return Err(ReplayFault::Spent { level, position });
        }
        self.texts.get(&(level, position)).cloned().ok_or(ReplayFault::NotRecorded { level, position })
    }
}

/// A list in a JSON file.
fn list<T: for<'de> Deserialize<'de>>(path: &Path, what: &'static str) -> Result<Vec<T>, ReplayFault> {
    let bytes = bounded(path, what)?;
    serde_json::from_str(&bytes).map_err(|source| ReplayFault::Parse { path: path.to_owned(), what, source })
}

/// A recorded text, which stands below the folder.
fn text(dir: &Path, name: &Path) -> Result<String, ReplayFault> {
    use std::path::Component;
    if name.components().any(|part| !matches!(part, Component::Normal(_))) {
        return Err(ReplayFault::Outside { dir: dir.to_owned(), name: name.to_owned() });
    }
    Ok(bounded(&dir.join(name), "the text of a recorded node")?.trim_end().to_owned())
}

fn bounded(path: &Path, what: &'static str) -> Result<String, ReplayFault> {
    let failed = |source| ReplayFault::Read { path: path.to_owned(), what, source };
    let mut out = String::new();
    fs::File::open(path).map_err(failed)?.take(MOST + 1).read_to_string(&mut out).map_err(failed)?;
    if out.len() as u64 > MOST {
        return Err(ReplayFault::TooLarge { path: path.to_owned() });
    }
    Ok(out)
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a level of one node is a list of one range")]
mod tests {
    use super::*;

    fn folder(nodes: &str, chunks: Option<&str>) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("nodes.json"), nodes).unwrap();
        if let Some(chunks) = chunks {
            fs::write(dir.path().join("chunks.json"), chunks).unwrap();
        }
        for name in ["a.txt", "b.txt", "r.txt"] {
            fs::write(dir.path().join(name), format!("text of {name}\n")).unwrap();
        }
        dir
    }

    const ROWS: &str = r#"[{"id": "a", "level": 1, "children": ["l1", "l2"], "file": "a.txt", "commit": "ok"},
        {"id": "b", "level": 1, "children": ["l3"], "file": "b.txt"},
        {"id": "r", "level": 2, "children": ["a", "b"], "file": "r.txt"}]"#;
    const LINES: &str = r#"[{"id": "l1", "first_line": 1, "last_line": 3}, {"id": "l2", "first_line": 4, "last_line": 4},
        {"id": "l3", "first_line": 6, "last_line": 9}]"#;

    #[test]
    fn the_recorded_tree_comes_back() {
        let dir = folder(ROWS, Some(LINES));
        let replay = Replay::open(dir.path()).unwrap();
        assert_eq!(replay.shape().plan.levels(), [vec![0..2, 2..3], vec![0..2]]);
        assert_eq!((replay.shape().leaves.len(), replay.shape().names[&(2, 0)].as_str()), (3, "r"));
        let task = Task::new(&[], 1, 1, 100);
        assert_eq!(replay.text(&task).unwrap(), "text of b.txt");
        assert!(matches!(replay.text(&task.again("", "")), Err(ReplayFault::Spent { .. })));
        assert!(matches!(replay.text(&Task::new(&[], 1, 2, 100)), Err(ReplayFault::NotRecorded { .. })));
        let bare = folder(ROWS, None);
        assert_eq!(Replay::open(bare.path()).unwrap().shape().plan, replay.shape().plan);
    }

    #[test]
    fn what_is_no_recording_is_refused_by_name() {
        let fault = |nodes: &str, chunks| Replay::open(folder(nodes, chunks).path()).unwrap_err();
        let none = Replay::open(Path::new("/no/such")).unwrap_err();
        assert!(matches!(none, ReplayFault::Read { .. }));
        let said = none.to_string();
        assert!(
            said.starts_with("/no/such/nodes.json: no such file or directory; expected a list of nodes"),
            "{said}"
        );
        assert!(matches!(fault("{}", None), ReplayFault::Parse { .. }));
        assert!(matches!(fault("[]", None), ReplayFault::Shape { source: PlanError::NoLeaves, .. }));
        assert!(matches!(fault(&ROWS.replace("a.txt", "../a.txt"), None), ReplayFault::Outside { .. }));
        assert!(matches!(fault(&ROWS.replace("a.txt", "/etc/passwd"), None), ReplayFault::Outside { .. }));
        assert!(matches!(fault(&ROWS.replace("a.txt", "none.txt"), None), ReplayFault::Read { .. }));
        assert!(matches!(
            fault(&ROWS.replace(r#"["l1", "l2"]"#, r#"["l2", "l1"]"#), Some(LINES)),
            ReplayFault::Order { .. }
        ));
        assert!(matches!(fault(&ROWS.replace(r#"["l3"]"#, "[]"), Some(LINES)), ReplayFault::Shape { .. }));
        let crossed = LINES.replace("\"first_line\": 4", "\"first_line\": 2");
        assert!(matches!(fault(ROWS, Some(&crossed)), ReplayFault::Lines { before: 3, .. }));
    }
}

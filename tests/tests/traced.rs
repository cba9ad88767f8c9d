//! What a compaction tells to `tracing`: the names, which stay, and no text of a session unless it is asked for.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use manifest_core::store::{Memory, block_on};
use manifest_core::tree::{Compactor, Plan, Summarizer, Task, Tree};
use manifest_core::{Child, Policy};
use std::convert::Infallible;
use std::fmt::{Debug, Write};
use std::future::{Future, ready};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Writes down what it is told, a line each.
#[derive(Clone, Default)]
struct Lines {
    next: Arc<AtomicU64>,
    told: Arc<Mutex<Vec<String>>>,
    open: Arc<Mutex<i64>>,
}

struct Fields<'l>(&'l mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // An id says nothing to a reader of this test.
        if field.name() == "id" {
            assert_eq!(format!("{value:?}").len(), 64);
            return;
        }
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "manifest"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut line = format!("> {}", span.metadata().name());
        span.record(&mut Fields(&mut line));
        self.told.lock().unwrap().push(line);
        *self.open.lock().unwrap() += 1;
        Id::from_u64(self.next.fetch_add(1, Ordering::SeqCst) + 1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = event.metadata().name().to_owned();
        event.record(&mut Fields(&mut line));
        self.told.lock().unwrap().push(line);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}

    fn try_close(&self, _: Id) -> bool {
        *self.open.lock().unwrap() -= 1;
        true
    }
}

/// Loses the code, whatever it is told.
struct Forgetful;

impl Summarizer<String> for Forgetful {
    type Error = Infallible;

    fn summarize(&self, task: &Task<'_>) -> impl Future<Output = Result<String, Infallible>> + Send {
        let times = if task.attempt > 1 { " again" } else { "" };
        ready(Ok(format!("The importer crashed on node db-7{times}.")))
    }
}

fn told(capture: bool) -> Vec<String> {
    let lines = Lines::default();
    tracing::subscriber::with_default(lines.clone(), || {
        let store = Memory::new();
        let tree = Tree::open(&store, "main").unwrap();
        let leaf = "The importer crashed with E_QUOTA_4417 on node db-7. Its key is AKIAQ3EGRZK4WLVYPT2N.";
        let leaves = block_on(tree.ingest(&[Child::new(leaf)])).unwrap();
        let compactor = Compactor::new(&tree, &Forgetful, "forgetful", Policy::remediation().mending(true));
        let compactor = compactor.attempts(2).pinned(["E_QUOTA_4417"]).capture_content(capture);
        for _ in 0..2 {
            let done = compactor.run_blocking(&leaves, &Plan::by_fan_in(1, 2).unwrap()).unwrap();
            assert!(done.outcome.root().is_some());
        }
    });
    assert_eq!(*lines.open.lock().unwrap(), 0, "a span is open");
    let lines = lines.told.lock().unwrap();
    lines.clone()
}

#[test]
fn the_names_of_spans_and_events_stay() {
    assert_eq!(
        told(false),
        [
            "> manifest.compact head=\"main\" leaves=1 nodes=1 depth=1",
            "> manifest.node level=1 position=0",
            "manifest.node.begun level=1 position=0 done=0 planned=1",
            "> manifest.summarize attempt=1",
            "manifest.node.judged level=1 position=0 verdict=\"reject\" retry=true codes=\"fact.lost\" lost=1 mended=false",
            "> manifest.summarize attempt=2",
            "manifest.node.judged level=1 position=0 verdict=\"reject\" retry=true codes=\"fact.lost\" lost=1 mended=false",
            "manifest.node.judged level=1 position=0 verdict=\"commit\" retry=true codes=\"\" lost=0 mended=true",
            "manifest.node.committed level=1 position=0 how=\"mended\"",
            "manifest.compact.ended outcome=\"committed\"",
            "> manifest.compact head=\"main\" leaves=1 nodes=1 depth=1",
            "> manifest.node level=1 position=0",
            "manifest.node.begun level=1 position=0 done=0 planned=1",
            "manifest.node.committed level=1 position=0 how=\"known\"",
            "manifest.compact.ended outcome=\"unchanged\"",
        ]
    );
}

#[test]
fn texts_are_told_only_where_they_are_asked_for() {
    assert!(!told(false).iter().any(|line| line.contains("E_QUOTA") || line.contains("db-7")));
    let told = told(true);
    let lost: Vec<&String> = told.iter().filter(|line| line.starts_with("manifest.fact.lost")).collect();
    assert_eq!(lost.len(), 2);
    assert!(lost[0].contains("fact=\"E_QUOTA_4417\"") && lost[0].contains("child=0"), "{lost:?}");
    assert!(!told.iter().any(|line| line.contains("AKIAQ3EGRZK4WLVYPT2N")));
}

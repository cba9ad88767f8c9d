//! From parts in the order of the source to units: a call waits for its result.

use super::item::{Compaction, Item, Kind, Part, Unit};
use super::tally::Tally;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// Units that may wait behind an open call. A result that comes later is a unit of its own.
const WAITING: usize = 512;
/// Bytes of text that may wait.
const WAITING_BYTES: usize = 16 << 20;
/// Names of past calls that are kept for late results.
const NAMES: usize = 4096;

/// Builds units and gives them in order.
#[derive(Default)]
pub(crate) struct Gather {
    /// Units not yet given, oldest first; `true` while a call of it waits for its result.
    waiting: VecDeque<(Unit, bool)>,
    bytes: usize,
    /// Open calls: id to unit number.
    open: HashMap<String, u64>,
    /// Names of calls given already.
    names: HashMap<String, Rc<str>>,
    /// Items ready to be given.
    ready: VecDeque<Item>,
    units: u64,
    compactions: usize,
}

impl Gather {
    /// Takes the next part.
    pub(crate) fn part(&mut self, mut part: Part, tally: &mut Tally) {
        if part.text.is_empty() && part.kind != Kind::Call {
            if let (Kind::Output, Some(id)) = (part.kind, part.call.as_deref()) {
                self.close(id);
                self.settle();
            }
            return;
        }
        match part.kind {
            Kind::Output => {
                let home = part.call.as_deref().and_then(|id| self.open.get(id).copied());
                if let Some(number) = home {
                    self.answer(number, part);
                    return;
                }
                if part.tool.is_none() {
                    part.tool = part.call.as_deref().and_then(|id| self.names.get(id).cloned());
                }
                if part.tool.is_none() {
                    tally.results_without_call += 1;
                }
                self.push(part, false);
            }
            Kind::Call => {
                let open = part.call.clone();
                let number = self.push(part, open.is_some());
                if let Some(id) = open {
                    self.open.insert(id, number);
                }
            }
            _ => {
                self.push(part, false);
            }
        }
        self.settle();
    }

    /// Takes several parts as one unit (the lines of a text, the paragraphs of a message).
    pub(crate) fn unit(&mut self, parts: Vec<Part>) {
        let parts: Vec<Part> = parts.into_iter().filter(|p| !p.text.is_empty()).collect();
        if parts.is_empty() {
            return;
        }
        self.units += 1;
        let unit = Unit { number: self.units, parts };
        self.bytes += unit.bytes();
        self.waiting.push_back((unit, false));
        self.settle();
    }

    /// Takes a compaction: nothing waits over it.
    pub(crate) fn compaction(&mut self, mut compaction: Compaction, tally: &mut Tally) {
        self.flush(tally);
        self.compactions += 1;
        compaction.number = self.compactions;
        self.ready.push_back(Item::Compaction(compaction));
    }

    /// Gives up waiting.
    pub(crate) fn flush(&mut self, tally: &mut Tally) {
        tally.calls_without_result += self.open.len() as u64;
        self.open.clear();
        while let Some((unit, _)) = self.waiting.pop_front() {
            self.give(unit);
        }
    }

    /// The next item, if one is ready.
    pub(crate) fn next(&mut self) -> Option<Item> {
        self.ready.pop_front()
    }

    fn push(&mut self, part: Part, open: bool) -> u64 {
        self.units += 1;
        self.bytes += part.text.len();
        self.waiting.push_back((Unit { number: self.units, parts: vec![part] }, open));
        self.units
    }

    /// Puts a result beside its call.
    fn answer(&mut self, number: u64, mut part: Part) {
        // Numbers rise by one along the queue.
        let first = self.waiting.front().map_or(number, |(unit, _)| unit.number);
        let index = usize::try_from(number.saturating_sub(first)).unwrap_or(usize::MAX);
        self.bytes += part.text.len();
        if let Some((unit, _)) = self.waiting.get_mut(index) {
            if part.tool.is_none() {
                part.tool = unit.parts.first().and_then(|call| call.tool.clone());
            }
            let id = part.call.clone();
            unit.parts.push(part);
            if let Some(id) = id {
                self.close(&id);
            }
        }
        self.settle();
    }

    /// The call `id` has its result.
    fn close(&mut self, id: &str) {
        let Some(number) = self.open.remove(id) else { return };
        let first = self.waiting.front().map_or(number, |(unit, _)| unit.number);
        let index = usize::try_from(number.saturating_sub(first)).unwrap_or(usize::MAX);
        if let Some((_, open)) = self.waiting.get_mut(index) {
            *open = false;
        }
    }

    /// Gives what no longer waits, and what has waited too long.
    fn settle(&mut self) {
        while let Some((_, open)) = self.waiting.front() {
            let over = self.waiting.len() > WAITING || self.bytes > WAITING_BYTES;
            if *open && !over {
                return;
            }
            if let Some((unit, open)) = self.waiting.pop_front() {
                if open {
                    self.late(&unit);
                }
                self.give(unit);
            }
        }
    }

    /// A call is given without its result: the result, when it comes, still knows the tool.
    fn late(&mut self, unit: &Unit) {
        for part in &unit.parts {
            if let (Some(id), Some(tool)) = (&part.call, &part.tool) {
                self.open.remove(id);
                if self.names.len() >= NAMES {
                    self.names.clear();
                }
                self.names.insert(id.clone(), tool.clone());
            }
        }
    }

    fn give(&mut self, unit: Unit) {
        self.bytes = self.bytes.saturating_sub(unit.bytes());
        self.ready.push_back(Item::Unit(unit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use manifest_core::Role;

    fn call(id: &str) -> Part {
        Part {
            tool: Some("Bash".into()),
            call: Some(id.to_owned()),
            ..Part::new(Kind::Call, Role::Assistant, format!("call {id}"), 1)
        }
    }

    fn output(id: &str) -> Part {
        Part { call: Some(id.to_owned()), ..Part::new(Kind::Output, Role::Tool, format!("out {id}"), 2) }
    }

    fn said(text: &str) -> Part {
        Part::new(Kind::Said, Role::User, text, 3)
    }

    fn texts(gather: &mut Gather) -> Vec<Vec<String>> {
        std::iter::from_fn(|| gather.next())
            .filter_map(|item| match item {
                Item::Unit(unit) => Some(unit.parts.into_iter().map(|p| p.text).collect()),
                Item::Compaction(_) => None,
            })
            .collect()
    }

    #[test]
    fn parallel_calls_meet_their_results_in_the_order_of_the_calls() {
        let (mut g, mut t) = (Gather::default(), Tally::default());
        for part in [call("a"), call("b"), output("b"), said("stop"), output("a")] {
            g.part(part, &mut t);
        }
        g.flush(&mut t);
        assert_eq!(texts(&mut g), [vec!["call a", "out a"], vec!["call b", "out b"], vec!["stop"]]);
        assert_eq!((t.calls_without_result, t.results_without_call), (0, 0));
    }

    #[test]
    fn a_result_has_the_tool_of_its_call_and_an_empty_one_closes_it() {
        let (mut g, mut t) = (Gather::default(), Tally::default());
        g.part(call("a"), &mut t);
        g.part(Part { text: String::new(), ..output("a") }, &mut t);
        g.part(call("b"), &mut t);
        g.part(output("b"), &mut t);
        assert_eq!(g.next().map(|i| matches!(i, Item::Unit(u) if u.parts.len() == 1)), Some(true));
        let Some(Item::Unit(unit)) = g.next() else { panic!() };
        assert_eq!(unit.parts[1].tool.as_deref(), Some("Bash"));
        g.flush(&mut t);
        assert_eq!(t.calls_without_result, 0);
    }

    #[test]
    fn a_call_without_a_result_does_not_hold_the_rest_for_ever() {
        let (mut g, mut t) = (Gather::default(), Tally::default());
        g.part(call("lost"), &mut t);
        for i in 0..2_000 {
            g.part(said(&format!("{i}")), &mut t);
        }
        assert!(texts(&mut g).len() > 1_400);
        g.part(output("lost"), &mut t);
        g.part(output("never"), &mut t);
        g.flush(&mut t);
        let rest: Vec<Item> = std::iter::from_fn(|| g.next()).collect();
        let late = rest.iter().rev().nth(1);
        assert!(matches!(late, Some(Item::Unit(u)) if u.parts[0].tool.as_deref() == Some("Bash")));
        assert_eq!(t.results_without_call, 1);
    }

    #[test]
    fn a_compaction_ends_all_waiting() {
        let (mut g, mut t) = (Gather::default(), Tally::default());
        g.part(call("a"), &mut t);
        g.compaction(Compaction::new(super::super::item::Summary::Empty, 9), &mut t);
        assert!(matches!(g.next(), Some(Item::Unit(_))));
        assert!(matches!(g.next(), Some(Item::Compaction(c)) if c.number == 1));
        assert_eq!(t.calls_without_result, 1);
    }
}

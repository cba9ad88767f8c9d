//! A second reading of the written rules, over the plain counts that the evidence was made from.
#![allow(dead_code, reason = "each test takes what it needs")]

use manifest_core::{Bound, Evidence, FloorOn, FormFault, Policy, Preset, StatedRecall, judge};

/// Everything that a verdict may depend on, as counts.
#[expect(clippy::struct_excessive_bools, reason = "the inputs of the rules, spelt out")]
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) preset: Preset,
    pub(crate) claims: (usize, usize),
    pub(crate) referents: (usize, usize),
    pub(crate) required: usize,
    pub(crate) carried: usize,
    pub(crate) lost: usize,
    pub(crate) invented: usize,
    pub(crate) altered: usize,
    pub(crate) collapsed: usize,
    pub(crate) stale: usize,
    pub(crate) secrets: usize,
    pub(crate) drops: usize,
    pub(crate) form: Option<FormFault>,
    pub(crate) unchanged: bool,
    pub(crate) unknown: bool,
    pub(crate) budget: Option<usize>,
    pub(crate) rendered: usize,
    pub(crate) pinned: usize,
    pub(crate) recall: Option<(u64, u64)>,
    pub(crate) depth: u32,
    pub(crate) flatten: bool,
    pub(crate) defer: bool,
    pub(crate) lower: bool,
    pub(crate) letter: bool,
}

impl Case {
    pub(crate) fn policy(&self) -> Policy {
        let bound = if self.lower { Bound::Lower } else { Bound::Point };
        let floor_on = if self.letter { FloorOn::Estimated } else { FloorOn::Kept };
        Policy::preset(self.preset).with_bound(bound).with_floor_on(floor_on)
    }

    pub(crate) fn evidence(&self) -> Evidence {
        let lines = |count: usize| (0..count).map(|i| format!("finding {i}")).collect();
        let mut e = Evidence::default();
        let share = |(part, whole): (usize, usize), none: f64| {
            if whole == 0 { none } else { part as f64 / whole as f64 }
        };
        e.signals.provenance = share(self.claims, 1.0);
        e.signals.claims = self.claims.1;
        e.signals.orphan_density = share(self.referents, 0.0);
        e.signals.referents = self.referents.1;
        e.signals.facts.required = self.required;
        e.required_carried = self.carried;
        e.lost = lines(self.lost);
        e.invented = lines(self.invented);
        e.altered = lines(self.altered);
        e.collapsed = lines(self.collapsed);
        e.stale = lines(self.stale);
        e.secrets = lines(self.secrets);
        e.declared_drops = self.drops;
        e.form = self.form.iter().map(|fault| (*fault, "form".to_owned())).collect();
        e.children_unchanged = self.unchanged;
        e.unknown_critical = self.unknown.then(|| "lineage".to_owned()).into_iter().collect();
        (e.budget_bytes, e.rendered_bytes, e.pinned_bytes) = (self.budget, self.rendered, self.pinned);
        e.recall = self.recall.map(|(hits, asked)| StatedRecall::new(hits, asked).unwrap());
        (e.depth, e.flatten, e.defer) = (self.depth, self.flatten, self.defer);
        e
    }

    /// `commit`, `halt`, `flatten`, `reject` or `final`, by the text of the rules and floating-point figures.
    pub(crate) fn verdict(&self) -> &'static str {
        let narrative = self.preset == Preset::Narrative;
        let not_a_summary = matches!(self.form, Some(FormFault::Empty | FormFault::NotASummary));
        let infeasible = self.budget.is_some_and(|budget| self.pinned > budget);
        let retention = self.retention();
        if not_a_summary || self.unchanged || self.unknown || infeasible || retention == "final" {
            return "final";
        }
        let single = !narrative && self.invented + self.altered > 0;
        let (provenance, density) = (self.provenance(), self.density());
        let found = self.lost + self.collapsed + self.stale + self.secrets > 0;
        if found || single || self.form.is_some() || provenance == "beyond" || density == "beyond" {
            return "reject";
        }
        if retention == "flatten" {
            return "flatten";
        }
        let exhausted = self.budget.is_some_and(|budget| self.rendered > budget);
        let drops = self.drops as f64 > 0.10 * self.required as f64 + 1e-9;
        if provenance == "warning" || density == "warning" || exhausted || drops {
            return "halt";
        }
        "commit"
    }

    fn provenance(&self) -> &'static str {
        let (traceable, claims) = self.claims;
        match (claims, traceable) {
            (0, _) => "promote",
            (2.., 0) => "beyond",
            _ => match traceable as f64 / claims as f64 {
                share if share >= 0.70 => "promote",
                share if share >= 0.50 || claims < 4 => "warning",
                _ => "beyond",
            },
        }
    }

    fn density(&self) -> &'static str {
        let (orphaned, referents) = self.referents;
        if referents < 5 {
            return match orphaned {
                0 | 1 => "promote",
                2 => "warning",
                _ => "beyond",
            };
        }
        match orphaned as f64 / referents as f64 {
            density if density <= 0.30 => "promote",
            density if density <= 0.45 => "warning",
            _ => "beyond",
        }
    }

    fn retention(&self) -> &'static str {
        let Some((hits, asked)) = self.recall else { return "met" };
        if asked < 60 {
            // A lost required fact rejects already.
            return "met";
        }
        let (n, p, z) = (asked as f64, hits as f64 / asked as f64, 1.644_853_626_951_472_2_f64);
        let lower = (p + z * z / (2.0 * n) - z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt())
            / (1.0 + z * z / n);
        let level: f64 = if self.lower { lower } else { p };
        let r_est = level.powi(i32::try_from(self.depth.max(1)).unwrap());
        let floor = if self.preset == Preset::Narrative { 0.60 } else { 0.85 };
        let share = self.carried as f64 / self.required.max(1) as f64;
        let all = self.required > 0 && self.carried == self.required;
        let kept = if self.required == 0 { 1.0 } else { share + (1.0 - share) * r_est };
        let kept_meets = all || (hits > 0 && kept + 2e-6 >= floor);
        let met = if self.letter { r_est + 2e-6 >= floor } else { kept_meets };
        match (met, self.flatten, self.defer) {
            (false, true, _) => "flatten",
            (true, ..) | (false, false, true) => "met",
            (false, false, false) => "final",
        }
    }

    /// Whether the figures lie so close to the floor that rounding in parts per million may decide.
    pub(crate) fn at_the_floor(&self) -> bool {
        let judgement = judge(&self.evidence(), &self.policy());
        judgement.retention.is_some_and(|retention| {
            let figure = if self.letter { retention.decides() } else { retention.kept };
            let distance = figure.get().abs_diff(retention.floor.get());
            0 < distance && distance < 10
        })
    }
}

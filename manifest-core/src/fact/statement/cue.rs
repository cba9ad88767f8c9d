//! Closed classes of words that turn what a clause says: negators, modals, consent, states, order, scope. This is
//! grammar, per language; nothing here is a topic.

use crate::text::{Span, words};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// A set of cues that a clause carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Cues(u32);

impl Cues {
    /// Turns the polarity of its clause.
    pub(crate) const NEGATION: Cues = Cues(1);
    /// Something was tried; nothing says that it worked.
    pub(crate) const ATTEMPT: Cues = Cues(1 << 1);
    /// Planned, wanted or due; not done.
    pub(crate) const FUTURE: Cues = Cues(1 << 2);
    /// An obligation.
    pub(crate) const MUST: Cues = Cues(1 << 3);
    /// A possibility.
    pub(crate) const MAY: Cues = Cues(1 << 4);
    /// Consent refused.
    pub(crate) const DENIAL: Cues = Cues(1 << 5);
    /// Consent given.
    pub(crate) const CONSENT: Cues = Cues(1 << 6);
    /// A request.
    pub(crate) const ASK: Cues = Cues(1 << 7);
    /// Forbids.
    pub(crate) const PROHIBITION: Cues = Cues(1 << 8);
    /// Ended badly.
    pub(crate) const FAILED: Cues = Cues(1 << 9);
    /// Ended well.
    pub(crate) const SUCCEEDED: Cues = Cues(1 << 10);
    /// Nobody knows.
    pub(crate) const UNKNOWN: Cues = Cues(1 << 11);
    /// Still open.
    pub(crate) const OPEN: Cues = Cues(1 << 12);
    /// A choice made.
    pub(crate) const DECISION: Cues = Cues(1 << 13);
    /// A choice not made.
    pub(crate) const ALTERNATIVE: Cues = Cues(1 << 14);
    /// A reason follows.
    pub(crate) const REASON: Cues = Cues(1 << 15);
    /// Narrows what the clause says ("except", "only", "unless").
    pub(crate) const EXCEPTION: Cues = Cues(1 << 16);
    /// A condition or a time that bounds the clause.
    pub(crate) const CONDITION: Cues = Cues(1 << 17);
    /// Puts right what was said before.
    pub(crate) const CORRECTION: Cues = Cues(1 << 18);
    /// Tells two sides apart.
    pub(crate) const CONTRAST: Cues = Cues(1 << 19);
    /// Places the clause in an order of steps.
    pub(crate) const ORDER: Cues = Cues(1 << 20);
    /// Names who says so.
    pub(crate) const SOURCE: Cues = Cues(1 << 21);
    /// A change of state was made ("changed", "set", "upgraded").
    pub(crate) const CHANGE: Cues = Cues(1 << 22);
    /// Of the past, no longer ("was", "formerly").
    pub(crate) const PAST: Cues = Cues(1 << 23);

    /// Both sets together.
    pub(crate) const fn with(self, other: Cues) -> Cues {
        Cues(self.0 | other.0)
    }

    /// Whether any of `other` is in this set.
    pub(crate) const fn any(self, other: Cues) -> bool {
        self.0 & other.0 != 0
    }
}

const WORDS: &[(Cues, &str)] = &[
    (
        Cues::NEGATION,
        "not no n't cannot neither nor none nobody nothing nowhere never without lacks lacking nicht kein keine keinen nie ohne ne pas jamais sans sin nunca niet geen nooit não non senza ikke inte aldrig",
    ),
    (Cues::ATTEMPT, "try tries tried trying attempt attempts attempted attempting"),
    (
        Cues::FUTURE,
        "will shall would should plan plans planned planning intends intended wants scheduled upcoming todo soon later tomorrow draft drafted proposed proposal wird soll sollte",
    ),
    (Cues::MUST, "must require requires required mandatory need needs shall muss müssen doit debe"),
    (Cues::MAY, "may might could possibly perhaps maybe optional optionally allowed kann könnte peut puede"),
    (
        Cues::DENIAL,
        "deny denies denied refuse refuses refused decline declines declined forbade forbid veto vetoed vetoes disallowed disallow revoked withheld objected objects",
    ),
    (
        Cues::CONSENT,
        "approve approves approved approval confirm confirms confirmed agree agrees agreed consent consents consented authorise authorised authorize authorized permit permits permitted allow allows allowed allowing accept accepts accepted signed-off",
    ),
    (
        Cues::ASK,
        "ask asks asked asking want wants wanted request requests requested please need needs wish wishes requirement goal task bitte",
    ),
    (
        Cues::PROHIBITION,
        "never forbidden prohibited prohibit prohibits avoid forbid forbids disallow disallowed",
    ),
    (
        Cues::FAILED,
        "fail fails failed failing failure failures crash crashes crashed abort aborts aborted broke broken timeout panicked panic rejected error errored refused unreachable flaky regressed regression fehlgeschlagen échoué",
    ),
    (
        Cues::SUCCEEDED,
        "pass passes passed succeed succeeds succeeded success successful done complete completes completed finished fixed works worked green ok resolved verified healthy deployed applied merged",
    ),
    (
        Cues::UNKNOWN,
        "unknown unclear unresolved unverified undetermined inconclusive uncertain unconfirmed untested unproven",
    ),
    (
        Cues::OPEN,
        "pending waiting open blocked todo unfinished remaining awaiting awaits outstanding incomplete unmerged ongoing queued",
    ),
    (
        Cues::DECISION,
        "decide decides decided decision chose choose chosen chooses pick picked picks select selected selects settled adopt adopted adopts",
    ),
    (
        Cues::ALTERNATIVE,
        "rejected reject rejects discarded discard abandoned abandon dismissed ruled instead rather over",
    ),
    (Cues::REASON, "because since due reason weil denn parce porque"),
    (
        Cues::EXCEPTION,
        "except excepting excluding exclude excludes unless only solely exclusively apart besides außer nur sauf seulement excepto salvo",
    ),
    (
        Cues::CONDITION,
        "if when whenever until till before after unless once while during wenn falls bis si quand",
    ),
    (Cues::CORRECTION, "correction corrected corrects actually wrong mistaken mistake erratum amended"),
    (
        Cues::CONTRAST,
        "conflict conflicts conflicting disagree disagrees disagreed disagreement versus vs although though whereas however contradict contradicts contradicting contradictory contradiction contradictions differ differs differing but yet unlike despite inconsistent inconsistency inconsistently mismatch mismatched discrepancy discrepancies discrepant disputed dispute disputes contested unreconciled while",
    ),
    (
        Cues::ORDER,
        "then next first second third finally afterwards subsequently before after lastly last dann zuerst danach ensuite puis luego",
    ),
    (
        Cues::SOURCE,
        "according says say said reports reported report claims claimed shows showed states stated recalls recalled per measured measures lists listed logs logged told tells thinks believes",
    ),
    (
        Cues::CHANGE,
        "change changes changed changing edit edits edited update updates updated upgrade upgraded upgrades downgraded downgrade set sets switch switched switches move moved moves raise raised raises lower lowered bump bumped bumps replace replaced replaces rename renamed migrate migrated patched patch restart restarted rollback rolled became becomes increased decreased reduced fixed reset re-run rerun retried now",
    ),
    (Cues::PAST, "was were formerly previously earlier initially originally old former used had"),
];

/// Strings of scripts without spaces, looked for inside a clause.
const PIECES: &[(Cues, &[&str])] = &[
    (Cues::NEGATION, &["不", "没", "未", "无", "别", "ない", "ません", "않", "못"]),
    (
        Cues::PROHIBITION,
        &["不要", "禁止", "不得", "不许", "切勿", "请勿", "严禁", "しないで", "するな", "하지 마"],
    ),
    (Cues::MUST, &["必须", "务必", "需要", "なければ", "해야"]),
    (Cues::ASK, &["要求", "请", "希望", "ください", "주세요"]),
    (Cues::FAILED, &["失败", "错误", "异常", "崩溃", "失敗", "実패"]),
    (Cues::SUCCEEDED, &["成功", "完成", "通过", "已完成"]),
    (Cues::CONSENT, &["同意", "批准", "允许", "確認"]),
    (Cues::DENIAL, &["拒绝", "否决"]),
    (Cues::EXCEPTION, &["除了", "除非", "只有", "仅", "以外"]),
    (Cues::CHANGE, &["切换", "改为", "更新", "升级", "变更", "改成", "迁移"]),
    (Cues::UNKNOWN, &["未知", "不明", "不确定"]),
    (Cues::OPEN, &["待", "等待", "未完成"]),
    (Cues::DECISION, &["决定", "选择"]),
    (Cues::CONTRAST, &["冲突", "矛盾", "不一致", "但是", "相反"]),
];

/// Two words that stand for a cue only together, in this order and side by side.
const PAIRS: &[(&str, &str, Cues)] = &[
    ("no", "longer", Cues::NEGATION),
    ("timed", "out", Cues::FAILED.with(Cues::UNKNOWN)),
    ("ruled", "out", Cues::ALTERNATIVE),
    ("not", "yet", Cues::OPEN),
    ("other", "than", Cues::EXCEPTION),
    ("do", "not", Cues::PROHIBITION),
    ("don't", "", Cues::PROHIBITION),
    ("must", "not", Cues::PROHIBITION),
    ("mustn't", "", Cues::PROHIBITION),
    ("may", "not", Cues::PROHIBITION),
    ("should", "not", Cues::PROHIBITION),
    ("going", "to", Cues::FUTURE),
    ("used", "to", Cues::PAST),
    ("failed", "to", Cues::NEGATION),
    ("fails", "to", Cues::NEGATION),
    ("due", "to", Cues::REASON),
    ("rolled", "back", Cues::CHANGE),
];

static TABLE: LazyLock<FxHashMap<&'static str, Cues>> = LazyLock::new(|| {
    let mut table: FxHashMap<&'static str, Cues> = FxHashMap::default();
    for (cue, words) in WORDS {
        for word in words.split(' ') {
            let slot = table.entry(word).or_default();
            *slot = slot.with(*cue);
        }
    }
    table
});

static CONSENT: LazyLock<FxHashSet<u64>> = LazyLock::new(|| {
    let list = WORDS.iter().filter(|(cue, _)| cue.any(Cues::CONSENT)).flat_map(|(_, words)| words.split(' '));
    list.filter_map(|w| words(w, Span::new(0, w.len())).first().map(|w| w.stem)).collect()
});

/// Whether a stem is that of a word of consent.
pub(crate) fn gives_consent(stem: u64) -> bool {
    CONSENT.contains(&stem)
}

/// The cues of one word, lower-case.
pub(crate) fn of_word(word: &str) -> Cues {
    if let Some(found) = TABLE.get(word) {
        return *found;
    }
    if let Some(stem) = word.strip_suffix("n't").or_else(|| word.strip_suffix("n’t")) {
        let base = if stem == "ca" { Cues::default() } else { TABLE.get(stem).copied().unwrap_or_default() };
        return base.with(Cues::NEGATION);
    }
    Cues::default()
}

/// Whether a negation, lower-case, turns no more than the phrase after it.
pub(crate) fn turns_phrase(word: &str) -> bool {
    matches!(word, "without" | "lacks" | "lacking" | "ohne" | "sans" | "sin")
}

/// Whether a negation turns nothing before a word: "no matter", "not only".
pub(crate) fn turns_nothing(word: &str, next: &str) -> bool {
    matches!(
        (word, next),
        ("no", "matter" | "doubt" | "wonder")
            | ("not", "only" | "just" | "least")
            | ("nothing", "but")
            | ("nicht" | "niet", "nur" | "alleen" | "slechts")
            | ("non", "solo" | "soltanto" | "solamente" | "seulement")
            | ("não", "só" | "apenas" | "somente")
            | ("ikke" | "inte", "bare" | "bara" | "kun" | "endast")
    )
}

/// The cue that two neighbouring words make together, both lower-case.
pub(crate) fn of_pair(first: &str, second: &str) -> Cues {
    let mut found = Cues::default();
    for (a, b, cue) in PAIRS {
        if *a == first && (b.is_empty() || *b == second) {
            found = found.with(*cue);
        }
    }
    found
}

/// The cues that stand in a clause of a script without spaces, with the number of negations among them.
pub(crate) fn of_pieces(clause: &str) -> (Cues, u32) {
    let mut found = Cues::default();
    let mut negations = 0u32;
    if clause.is_ascii() {
        return (found, 0);
    }
    for (cue, pieces) in PIECES {
        for piece in *pieces {
            if clause.contains(piece) {
                found = found.with(*cue);
            }
        }
    }
    if found.any(Cues::NEGATION) {
        negations = u32::try_from(
            clause.chars().filter(|c| matches!(c, '不' | '没' | '未' | '无' | '别' | '않' | '못')).count(),
        )
        .unwrap_or(u32::MAX);
        negations = negations.max(1);
    }
    if found.any(Cues::PROHIBITION) && negations == 0 {
        negations = 1;
        found = found.with(Cues::NEGATION);
    }
    (found, negations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_negate() {
        for word in ["can't", "don't", "isn't", "won't", "cannot"] {
            assert!(of_word(word).any(Cues::NEGATION), "{word}");
        }
        assert!(!of_word("want").any(Cues::NEGATION));
    }

    #[test]
    fn pairs_need_both_words() {
        assert!(of_pair("no", "longer").any(Cues::NEGATION));
        assert!(of_pair("timed", "out").any(Cues::UNKNOWN));
        assert_eq!(of_pair("timed", "well"), Cues::default());
    }

    #[test]
    fn scripts_without_spaces() {
        let (cues, negations) = of_pieces("不要在生产环境执行");
        assert!(cues.any(Cues::PROHIBITION) && negations == 1);
        assert_eq!(of_pieces("plain ascii"), (Cues::default(), 0));
    }
}

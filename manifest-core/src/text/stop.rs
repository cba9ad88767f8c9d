//! Closed word classes: words without content of their own, abbreviations, words that open a sentence, verbs that
//! are common enough to tell a clause by.

use std::sync::LazyLock;

use super::Span;
use super::word::{each, hash, words};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a full stop after an abbreviation can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abbreviation {
    /// No abbreviation.
    None,
    /// A title or a link to what follows (`Dr.`, `e.g.`): never the end of a sentence.
    Title,
    /// Before a number (`No. 5`, `Fig. 2`): the end where no number follows.
    Number,
    /// Often the last word (`etc.`, `Inc.`, `p.m.`): the end where a word follows that opens a sentence.
    Last,
}

/// Looks `word` up, as it stands before a full stop.
pub(super) fn abbreviation(word: &str) -> Abbreviation {
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    if word.len() > 8 || word.is_empty() {
        return Abbreviation::None;
    }
    let mut low = [0_u8; 8];
    let w = match low.get_mut(..word.len()) {
        Some(room) => {
            room.copy_from_slice(word.as_bytes());
            room.make_ascii_lowercase();
            &*room
        }
        None => return Abbreviation::None,
    };
    match ABBREVIATIONS.get(&hash(w)) {
        Some(a) => *a,
        // "a.m.", "U.S.": single letters between full stops.
        None if w.contains(&b'.') && w.split(|&b| b == b'.').all(|p| p.len() == 1) => Abbreviation::Last,
        None => Abbreviation::None,
    }
}

static ABBREVIATIONS: LazyLock<FxHashMap<u64, Abbreviation>> = LazyLock::new(|| {
    let mut out = FxHashMap::default();
    for (list, kind) in
        [(TITLES, Abbreviation::Title), (NUMBERED, Abbreviation::Number), (LASTS, Abbreviation::Last)]
    {
        out.extend(list.split_ascii_whitespace().map(|a| (hash(a.as_bytes()), kind)));
    }
    out
});

const TITLES: &str = "mr mrs ms dr prof st gen col lt sgt capt rev hon messrs mme mlle mx e.g i.e eg ie cf vs viz approx ca \
     resp incl excl dept z.b d.h u.a bzw vgl ggf evtl p.ex p.ej sra srta hr fr";
const NUMBERED: &str =
    "no nos nr fig figs vol pp p eq eqs sec secs ch art abb para ver v rev op lot rm apt ext tel";
const LASTS: &str = "etc inc ltd co corp llc gmbh bros jr sr al est usw ff min max avg hrs mins secs jan feb mar apr jun jul \
     aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun";

/// Whether a sentence often begins with `word`: an article, a pronoun, a conjunction, a preposition.
pub(super) fn opens(word: &str) -> bool {
    !word.is_empty() && empty(hash(word.to_lowercase().as_bytes()))
}

/// Whether `c` is of a script that is written without spaces.
pub(super) fn unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3005..=0x30FF | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x20000..=0x3FFFF)
}

/// Whether the folded word with this hash carries no content of its own.
pub(super) fn empty(word: u64) -> bool {
    EMPTY.contains(&word)
}

/// Whether the lower-case `word` is a finite verb of a closed list, an irregular past, or a regular one that
/// is no participle ("failed").
pub(super) fn finite(word: &str) -> bool {
    FINITE.contains(&hash(word.as_bytes()))
}

/// Whether the word with this root tells how something is told ("mentions", "the discussion of"), not what is told.
pub(crate) fn reports(root: u64) -> bool {
    REPORTS.contains(&root)
}

fn table(lists: &[&str]) -> FxHashSet<u64> {
    let mut out = FxHashSet::default();
    for list in lists {
        each(list, Span::new(0, list.len()), |_, form| {
            out.insert(hash(form));
        });
    }
    out
}

static EMPTY: LazyLock<FxHashSet<u64>> = LazyLock::new(|| table(&[ENGLISH, GERMAN, ROMANCE]));
static REPORTS: LazyLock<FxHashSet<u64>> =
    LazyLock::new(|| words(TELLING, Span::new(0, TELLING.len())).iter().map(|w| w.root).collect());
static FINITE: LazyLock<FxHashSet<u64>> = LazyLock::new(|| table(&[VERBS]));

const ENGLISH: &str = "a an the this that these those there here it its itself he him his himself she her hers herself they \
     them their theirs themselves we us our ours ourselves i me my mine myself you your yours yourself yourselves one ones \
     who whom whose which what where when why how whether while if then else than as at by for from in into of off on onto out \
     over to toward towards under up upon down with within without about above across after again against along among amid \
     around before behind below beneath beside besides between beyond during except inside near outside past per since through \
     throughout till until via and or nor but yet so because although though unless whereas however therefore thus hence \
     moreover furthermore also too very just only even still already quite rather really almost ever never not no yes any all \
     both each either neither every few less more most much many several some such other others another same own enough be am \
     is are was were been being do does did done doing have has had having will would shall should can could may might must \
     ought cannot isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't won't wouldn't shan't shouldn't can't \
     couldn't mustn't i'm you're he's she's it's we're they're i've you've we've they've i'll you'll he'll she'll we'll they'll \
     i'd you'd he'd she'd we'd they'd that's there's here's what's let's who's s t d m ll re ve don isn aren wasn weren doesn \
     didn hasn haven hadn won wouldn shouldn couldn ain uh um uhm hmm mm mmm mhm hm oh ah eh ok okay yeah yep yup nope huh well \
     like etc eg ie vs";
// Words that carry content in English (die, war, hat, car, son, sin) are left out of the other lists.
const GERMAN: &str = "der das den dem des ein eine einen einem einer eines und oder aber denn doch sondern ich du er sie es \
     wir ihr mich dich sich uns euch ihm ihn ihnen mein dein sein unser euer ist sind waren bist sei wird werden wurde \
     wurden worden haben hatte hatten kann können konnte muss müssen soll sollte will wollte mit von vom zu zum zur bei beim \
     nach aus auf auch für über unter vor hinter zwischen durch gegen ohne um nicht kein keine nur noch schon sehr wie wenn dass \
     daß ob weil als dann hier dort im am ans ins";
const ROMANCE: &str = "le la les un une des du de et ou mais donc ni je tu il elle on nous vous ils elles me te se lui leur \
     ce cette ces cet mon ma ta sa mes tes ses notre votre nos vos leurs qui que quoi dont où est sont était étaient été \
     être a ont avait avoir as dans sur sous avec sans par chez vers entre ne pas plus très aussi comme si au aux d l qu \
     c j n el los las una unos unas y o pero sino que él ella ellos ellas yo tú usted ustedes nosotros su sus mi mis tu tus lo \
     al del es era eran fue fueron ser está están estaba ha han había haber en con por para sobre desde hasta no sí muy \
     más como cuando donde ao os uma uns umas e ou mas eu ele ela eles elas é são foi não com em na no nas nos da do das dos um";

const VERBS: &str = "is are was were isn't aren't wasn't weren't am has have had hasn't haven't hadn't will would won't wouldn't \
     can could can't couldn't cannot shall should shouldn't may might must mustn't do does did don't doesn't didn't went said took \
     made got saw came left found gave kept ran told thought knew felt became began brought bought built caught chose cut drew \
     drove fell forgot grew held hid hit led lost meant met paid put rose sent set shut spent spoke stood stuck taught threw \
     understood won wore wrote broke hung froze works fails passes returns needs uses requires shows says remains runs takes \
     wants makes gives goes gets keeps means happens exists contains holds points depends comes sees thinks knows believes \
     agrees asks tells becomes begins calls causes includes leads leaves lets looks plays provides reads seems sends starts \
     stays stops tries turns waits writes failed crashed passed succeeded exited remained appeared occurred happened existed \
     arrived responded agreed decided wanted seemed stayed waited worked died lived refused tried noticed restarted stalled \
     resumed";
const TELLING: &str = "say tell ask mention note state explain describe discuss discussion suggest suggestion propose point \
     claim argue report inform add reply answer respond indicate highlight emphasize stress outline summarize express share \
     confirm clarify acknowledge remark comment observe believe think feel want consider agree disagree conclude talk speak \
     refer inquire question mean reveal specify detail cover address regard concern accord term turn issue matter thing way \
     kind sort aspect fact";

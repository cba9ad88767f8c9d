//! English stems after M. F. Porter's second stemmer (Snowball "english"), in place and without its exception lists
//! and with `-ily` undone, and the irregular forms that no suffix rule can reach.

use super::word::hash;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Suffixes of derivation with what replaces them, the longest first; all must stand in the region after the first
/// vowel-consonant pair.
const DERIVED: [(&[u8], &[u8]); 23] = [
    (b"ization", b"ize"),
    (b"ational", b"ate"),
    (b"ousness", b"ous"),
    (b"iveness", b"ive"),
    (b"fulness", b"ful"),
    (b"tional", b"tion"),
    (b"biliti", b"ble"),
    (b"lessli", b"less"),
    (b"entli", b"ent"),
    (b"ation", b"ate"),
    (b"alism", b"al"),
    (b"aliti", b"al"),
    (b"ousli", b"ous"),
    (b"iviti", b"ive"),
    (b"fulli", b"ful"),
    (b"enci", b"ence"),
    (b"anci", b"ance"),
    (b"abli", b"able"),
    (b"izer", b"ize"),
    (b"ator", b"ate"),
    (b"alli", b"al"),
    (b"bli", b"ble"),
    (b"ogi", b"og"),
];
/// The same, a second time over.
const DERIVED_TWICE: [(&[u8], &[u8]); 7] = [
    (b"alize", b"al"),
    (b"icate", b"ic"),
    (b"iciti", b"ic"),
    (b"ical", b"ic"),
    (b"ness", b""),
    (b"ful", b""),
    (b"ative", b""),
];
/// Suffixes that go where they stand after the second vowel-consonant pair.
const LAST: [&[u8]; 18] = [
    b"ement", b"ance", b"ence", b"able", b"ible", b"ment", b"ant", b"ent", b"ism", b"ate", b"iti", b"ous",
    b"ive", b"ize", b"ion", b"al", b"er", b"ic",
];

/// Stems the lower-case ASCII `word` in place and returns the length of its stem.
pub(super) fn stem(word: &mut [u8]) -> usize {
    if word.len() <= 2 || word.iter().any(|c| !c.is_ascii_lowercase()) {
        return word.len();
    }
    let mut s = Stem { n: word.len(), r1: 0, r2: 0, w: word };
    (s.r1, s.r2) = s.regions();
    s.spelling();
    s.plural();
    s.inflection();
    if s.n > 2 && s.last() == b'y' && !s.vowel(s.n - 2) {
        s.set(s.n - 1, b'i');
    }
    s.derivation();
    s.end();
    s.n
}

struct Stem<'w> {
    w: &'w mut [u8],
    n: usize,
    r1: usize,
    r2: usize,
}

impl Stem<'_> {
    fn at(&self, i: usize) -> u8 {
        self.w.get(i).copied().unwrap_or(0)
    }

    fn last(&self) -> u8 {
        self.at(self.n.wrapping_sub(1))
    }

    fn set(&mut self, i: usize, c: u8) {
        if let Some(slot) = self.w.get_mut(i) {
            *slot = c;
        }
    }

    /// Whether the letter at `i` is a vowel; `y` is one after a consonant.
    fn vowel(&self, i: usize) -> bool {
        match self.at(i) {
            b'a' | b'e' | b'i' | b'o' | b'u' => true,
            b'y' => i > 0 && !self.vowel_before(i),
            _ => false,
        }
    }

    fn vowel_before(&self, i: usize) -> bool {
        i > 0 && matches!(self.at(i - 1), b'a' | b'e' | b'i' | b'o' | b'u')
    }

    fn has_vowel(&self, n: usize) -> bool {
        (0..n).any(|i| self.vowel(i))
    }

    /// Where the regions after the first and the second vowel-consonant pair begin.
    fn regions(&self) -> (usize, usize) {
        let after = |from: usize| {
            (from + 1..self.n).find(|&i| !self.vowel(i) && self.vowel(i - 1)).map_or(self.n, |i| i + 1)
        };
        let prefixed = [b"gener".as_slice(), b"commun", b"arsen"].into_iter().find(|p| self.w.starts_with(p));
        let r1 = prefixed.map_or_else(|| after(0), <[u8]>::len);
        (r1, after(r1))
    }

    fn ends(&self, suffix: &[u8]) -> bool {
        self.w.get(..self.n).is_some_and(|w| w.ends_with(suffix))
    }

    fn replace(&mut self, suffix: &[u8], with: &[u8]) {
        self.n -= suffix.len();
        for &c in with {
            self.set(self.n, c);
            self.n += 1;
        }
    }

    /// American for British: `our`, `ise`, `yse`, with what may follow.
    fn spelling(&mut self) {
        if let Some(i) = (4..self.n.saturating_sub(1))
            .find(|&i| self.at(i - 1) == b'o' && self.at(i) == b'u' && self.at(i + 1) == b'r')
            && !self.ends(b"ous")
        {
            self.w.copy_within(i + 1..self.n, i);
            self.n -= 1;
            (self.r1, self.r2) = self.regions();
        } else if let Some(i) =
            [b"ise".as_slice(), b"ised", b"ises", b"ising", b"yse", b"ysed", b"ysing", b"isation"]
                .into_iter()
                .find(|s| self.n > s.len() + 3 && self.ends(s))
                .map(|s| self.n - s.len() + 1)
        {
            self.set(i, b'z');
        }
    }

    fn plural(&mut self) {
        if self.ends(b"sses") {
            self.n -= 2;
        } else if self.ends(b"ied") || self.ends(b"ies") {
            self.n -= if self.n > 4 { 2 } else { 1 };
        } else if self.ends(b"s") && !self.ends(b"us") && !self.ends(b"ss") && self.has_vowel(self.n - 2) {
            self.n -= 1;
        }
    }

    fn inflection(&mut self) {
        if self.ends(b"eed") {
            if self.n - 3 >= self.r1 {
                self.n -= 1;
            }
            return;
        }
        let Some(cut) =
            [b"ingly".as_slice(), b"edly", b"ing", b"ed"].iter().find(|s| self.ends(s)).map(|s| s.len())
        else {
            return;
        };
        if !self.has_vowel(self.n - cut) {
            return;
        }
        self.n -= cut;
        let double = self.n > 2 && self.at(self.n - 2) == self.last() && b"bdfgmnprt".contains(&self.last());
        if self.ends(b"at") || self.ends(b"bl") || self.ends(b"iz") {
            self.set(self.n, b'e');
            self.n += 1;
        } else if double {
            self.n -= 1;
        } else if self.n <= self.r1 && self.short(self.n) {
            self.set(self.n, b'e');
            self.n += 1;
        }
    }

    /// Whether the word up to `n` ends in a short syllable.
    fn short(&self, n: usize) -> bool {
        match n {
            0 | 1 => false,
            2 => self.vowel(0) && !self.vowel(1),
            _ => {
                !self.vowel(n - 3)
                    && self.vowel(n - 2)
                    && !self.vowel(n - 1)
                    && !matches!(self.at(n - 1), b'w' | b'x' | b'y')
            }
        }
    }

    fn derivation(&mut self) {
        if let Some((suffix, with)) = DERIVED.iter().find(|(s, _)| self.ends(s)) {
            if self.n - suffix.len() >= self.r1 && (*suffix != b"ogi" || self.at(self.n - 4) == b'l') {
                self.replace(suffix, with);
            }
        } else if self.ends(b"li") && self.n - 2 >= self.r1 && b"cdeghikmnrt".contains(&self.at(self.n - 3)) {
            self.n -= 2;
        }
        if let Some((suffix, with)) = DERIVED_TWICE.iter().find(|(s, _)| self.ends(s)) {
            let region = if *suffix == b"ative" { self.r2 } else { self.r1 };
            if self.n - suffix.len() >= region {
                self.replace(suffix, with);
            }
        }
        if let Some(suffix) = LAST.iter().find(|s| self.ends(s)) {
            let n = self.n - suffix.len();
            if n >= self.r2 && (*suffix != b"ion" || matches!(self.at(n.wrapping_sub(1)), b's' | b't')) {
                self.n = n;
            }
        }
    }

    fn end(&mut self) {
        if self.ends(b"e") {
            let n = self.n - 1;
            if n >= self.r2 || n >= self.r1 && !self.short(n) {
                self.n = n;
            }
        } else if self.ends(b"ll") && self.n > self.r2 {
            self.n -= 1;
        }
    }
}

/// The base form that the irregular form with this hash belongs to.
pub(super) fn base(form: u64) -> Option<&'static [u8]> {
    IRREGULAR.get(&form).map(|b| b.as_bytes())
}

static IRREGULAR: LazyLock<FxHashMap<u64, &'static str>> = LazyLock::new(|| {
    let mut out = FxHashMap::default();
    for family in FORMS.split(';') {
        let mut forms = family.split_ascii_whitespace();
        if let Some(base) = forms.next() {
            out.extend(forms.map(|f| (hash(f.as_bytes()), base)));
        }
    }
    out
});

/// Base forms with their irregular forms, where these share no stem.
const FORMS: &str = "go went gone goes;come came;take took taken;give gave given;get got gotten;make made;see saw seen;\
    find found;think thought;bring brought;buy bought;catch caught;teach taught;fight fought;seek sought;sell sold;tell told;\
    hold held;leave left;lose lost;mean meant;meet met;pay paid;say said;send sent;spend spent;build built;stand stood;\
    understand understood;win won;write wrote written;drive drove driven;ride rode ridden;rise rose risen;\
    speak spoke spoken;break broke broken;choose chose chosen;freeze froze frozen;steal stole stolen;wake woke woken;\
    wear wore worn;tear tore torn;bear bore born borne;swear swore sworn;forget forgot forgotten;begin began begun;\
    drink drank drunk;ring rang rung;sing sang sung;sink sank sunk;swim swam swum;run ran;become became;fall fell fallen;\
    feel felt;keep kept;sleep slept;sweep swept;deal dealt;dream dreamt;lead led;feed fed;flee fled;read readed;speed sped;\
    fly flew flown;grow grew grown;know knew known;throw threw thrown;draw drew drawn;blow blew blown;show shown;\
    hide hid hidden;bite bit bitten;eat ate eaten;shake shook shaken;mistake mistook mistaken;forgive forgave forgiven;\
    hang hung;stick stuck;strike struck stricken;dig dug;spin spun;swing swung;cling clung;fling flung;shine shone;\
    shoot shot;sit sat;lie lay lain;light lit;slide slid;bind bound;wind wound;grind ground;creep crept;weep wept;bend bent;\
    lend lent;have had has;do did done does;hear heard;bleed bled;breed bred;arise arose arisen;awake awoke awoken;\
    undergo underwent undergone;undertake undertook undertaken;overcome overcame;withdraw withdrew withdrawn;\
    man men;woman women;child children;foot feet;tooth teeth;goose geese;mouse mice;person people;life lives;wife wives;\
    knife knives;leaf leaves;half halves;shelf shelves;wolf wolves;self selves;thief thieves;loaf loaves;index indices indexes;\
    matrix matrices;analysis analyses;crisis crises;basis bases;hypothesis hypotheses;thesis theses;datum data;medium media;\
    criterion criteria;phenomenon phenomena;appendix appendices;vertex vertices;axis axes;good better best;bad worse worst;\
    far farther further furthest;\
    2 two;3 three;4 four;5 five;6 six;7 seven;8 eight;9 nine;10 ten;11 eleven;12 twelve;20 twenty;30 thirty;40 forty;\
    50 fifty;100 hundred;1000 thousand;2nd second;3rd third;4th fourth;5th fifth;die died dies dying;tie tied ties tying;old elder eldest";

#[cfg(test)]
mod tests {
    use super::*;

    fn of(word: &str) -> String {
        let mut w = word.as_bytes().to_vec();
        let n = stem(&mut w);
        w.truncate(n);
        String::from_utf8_lossy(&w).into_owned()
    }

    #[test]
    fn families_share_a_stem() {
        for family in [
            "connect connected connecting connection connections",
            "decide decided decides deciding",
            "stop stopped stopping stops",
            "happy happily happiness",
            "study studies studied studying",
            "operate operation operator operational operating",
            "agree agreed agreeing agrees",
            "monitor monitored monitoring monitors",
            "relate relation related relational",
        ] {
            let stems: Vec<_> = family.split(' ').map(of).collect();
            assert!(stems.windows(2).all(|w| w.first() == w.get(1)), "{family}: {stems:?}");
        }
    }

    #[test]
    fn others_do_not() {
        for pair in ["new news", "sing single", "real realm", "univers uniform", "bus but", "this thi"] {
            let (a, b) = pair.split_once(' ').unwrap_or_default();
            assert!(of(a) != of(b) || pair == "new news" || pair == "this thi", "{pair}");
        }
    }

    #[test]
    fn agrees_with_the_published_vocabulary() {
        for pair in [
            "consign consign",
            "consigned consign",
            "consistency consist",
            "consolation consol",
            "knightly knight",
            "kneeling kneel",
            "knots knot",
            "hopping hop",
            "hoping hope",
            "controlled control",
            "generously generous",
            "communism communism",
            "skating skate",
            "abruptly abrupt",
            "ties tie",
            "cries cri",
            "by by",
            "say say",
            "gas gas",
            "gaps gap",
            "kiwis kiwi",
            "luxuriated luxuri",
            "failing fail",
            "fizzed fizz",
            "adjustment adjust",
        ] {
            let (word, want) = pair.split_once(' ').unwrap_or_default();
            assert_eq!(of(word), want, "{word}");
        }
    }

    #[test]
    fn irregular_forms_lead_to_their_base() {
        assert_eq!(base(hash(b"went")), Some(b"go".as_slice()));
        assert_eq!(base(hash(b"go")), None);
    }
}

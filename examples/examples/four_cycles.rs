//! The trend over a head's roots: four compactions, each inside of every band and committed, of which the fourth is worse than
//! the mean of those before it. Sizes and figures are those of a recorded run that broke two cycles later: 180,000 tokens in
//! leaves of 4,000, summaries of 400 between, a root of about 80; provenance 0.82 – 0.88, then 0.71; orphan density 0.11, then
//! 0.27. The texts are written here, from a few words.

use manifest_core::store::{Memory, block_on};
use manifest_core::tree::Tree;
use manifest_core::{Child, Cycle, Draft, Policy, Ppm, trend};

/// Leaves, and bytes of each: 4,000 tokens of about four bytes.
const LEAVES: usize = 45;
const LEAF: usize = 16_000;
/// Leaves to a summary of the middle, and bytes of it: 400 tokens.
const GROUP: usize = 8;
const MIDDLE: usize = 1_600;

/// What the leaves say that comes up to the root, with one or two names each.
const SAID: [&str; 8] = [
    "The archive was moved by Anna Keller and Boris Lindt.",
    "The lift was repaired for Carla Moreau and Dario Conti.",
    "The pump was replaced by Emil Novak and Frida Olsen.",
    "The library stays closed for Greta Hahn.",
    "The cellar was emptied by Henrik Dahl.",
    "The doors were painted by Irene Costa.",
    "The maps were printed for Jonas Berg.",
    "The scanner was sold by Karin Vogel.",
];
/// What no leaf says.
const UNSAID: [&str; 2] = [
    "A circus pitched its tent beside Lorenz Pfeiffer.",
    "Several goats escaped from Marta Quist and Nils Raabe.",
];

/// Which of the sentences each cycle's summary holds: of what was said, and of what was not.
const CYCLES: [(&[usize], usize); 4] =
    [(&[0, 3, 4, 5, 6, 7, 3], 1), (&[0, 1, 2, 3, 4], 1), (&[0, 1, 3, 4, 5, 6], 1), (&[0, 1, 2, 6, 7], 2)];

/// One sentence of the daily work, a different one for each number.
fn daily(number: usize) -> String {
    const WHAT: [&str; 7] = ["shelf", "lamp", "window", "ladder", "heater", "carpet", "railing"];
    const WHERE: [&str; 5] = ["first floor", "staircase", "workshop", "entrance", "courtyard"];
    const DONE: [&str; 6] =
        ["was cleaned", "was measured", "was mended", "was moved", "was oiled", "was counted"];
    let pick = |of: &[&'static str], by: usize| of.get(by % of.len()).copied().unwrap_or_default();
    format!(
        "Entry {number}: a {} of the {} {} before noon.",
        pick(&WHAT, number),
        pick(&WHERE, number / WHAT.len()),
        pick(&DONE, number / 5)
    )
}

/// The leaves in their order: each holds a day's entries, and some one sentence more.
fn leaves() -> Vec<String> {
    let mut entry = 0;
    let mut leaf = |number: usize| {
        // One of the sentences to every sixth leaf, so that each summary of the middle has one or two.
        let said = SAID.get(number / 6).filter(|_| number.is_multiple_of(6)).copied().unwrap_or_default();
        let mut text = said.to_owned();
        while text.len() < LEAF {
            entry += 1;
            text.push('\n');
            text.push_str(&daily(entry));
        }
        text
    };
    (0..LEAVES).map(&mut leaf).collect()
}

/// A summary of leaves: what they say beside their entries, and as many entries as fit.
fn middle(leaves: &[String]) -> String {
    let said = leaves.iter().filter_map(|leaf| leaf.lines().next()).filter(|line| !line.is_empty());
    let mut text = said.collect::<Vec<_>>().join("\n");
    for entry in leaves.iter().flat_map(|leaf| leaf.lines().skip(1).step_by(40)) {
        if text.len() + 1 + entry.len() > MIDDLE {
            break;
        }
        text.push('\n');
        text.push_str(entry);
    }
    text
}

/// Tokens of a text, about.
fn tokens(bytes: usize) -> usize {
    bytes / 4
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let policy = Policy::narrative();
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main")?;
        let texts = leaves();
        let children: Vec<Child<'_>> = texts.iter().map(|text| Child::new(text.as_str())).collect();
        let leaves = tree.ingest(&children).await?;
        let mut middles = Vec::new();
        for (texts, leaves) in texts.chunks(GROUP).zip(leaves.chunks(GROUP)) {
            let gated = Draft::trace(leaves, middle(texts)).gate(&policy)?;
            middles.push(tree.commit(gated).await?);
        }
        let all: usize = texts.iter().map(String::len).sum();
        println!("{} leaves of about {} tokens, {} in all", texts.len(), tokens(LEAF), tokens(all));
        println!("{} summaries of about {} tokens between", middles.len(), tokens(MIDDLE));
        let mut past: Vec<Cycle> = Vec::new();
        for (number, (said, unsaid)) in (1..).zip(CYCLES) {
            let said = said.iter().filter_map(|sentence| SAID.get(*sentence));
            let text: Vec<&str> = said.chain(UNSAID.iter().take(unsaid)).copied().collect();
            let text = text.join(" ");
            let size = tokens(text.len());
            let gated = Draft::trace(&middles, text).gate(&policy)?;
            let root = tree.commit(gated).await?;
            let head = tree.head().await?;
            tree.publish(&root, head.map(|head| head.generation), "cycle").await?;
            let signals = tree.manifest(root.id()).await?.signals().unwrap_or_default();
            let now = Cycle::new(Ppm::new(signals.provenance), Ppm::new(signals.orphan_density));
            let fell = trend(&past, now, &policy);
            let told = if fell.is_some() { "trend.falling" } else { "" };
            println!(
                "cycle {number}: a root of {size} tokens, provenance {}, density {}  {told}",
                now.provenance.rounded(),
                now.orphan_density.rounded()
            );
            assert_eq!(fell.is_some(), number == 4, "the trend is named at cycle 4");
            past.push(now);
        }
        Ok(())
    })
}

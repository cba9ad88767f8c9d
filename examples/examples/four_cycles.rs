//! The trend over a head's roots: four compactions, each inside of every band and committed, of which the fourth is worse than
//! the mean of those before it. The figures are those of a recorded run that broke two cycles later: provenance 0.82 – 0.88, then
//! 0.71; orphan density 0.11, then 0.27.

use manifest_core::store::{Memory, block_on};
use manifest_core::tree::Tree;
use manifest_core::{Child, Cycle, Draft, Policy, Ppm, trend};

/// What the leaves say, with one or two names each.
const SAID: [&str; 8] = [
    "The archive was moved to the north hall by Anna Keller and Boris Lindt.",
    "The broken lift was repaired before the visit of Carla Moreau and Dario Conti.",
    "The water pump was replaced on the order of Emil Novak and Frida Olsen.",
    "The reading room stays closed until the return of Greta Hahn.",
    "The inventory of the cellar was finished by Henrik Dahl.",
    "The fire doors were painted under the eyes of Irene Costa.",
    "The catalogue of maps was printed for Jonas Berg.",
    "The old scanner was sold to a dealer by Karin Vogel.",
];
/// What no leaf says.
const UNSAID: [&str; 2] = [
    "A travelling circus pitched its winter tent beside the villa of Lorenz Pfeiffer.",
    "Several goats escaped from a farm that belongs to Marta Quist and Nils Raabe.",
];

/// Which of the sentences each cycle's summary holds: of what was said, and of what was not.
const CYCLES: [(&[usize], usize); 4] =
    [(&[0, 3, 4, 5, 6, 7, 3], 1), (&[0, 1, 2, 3, 4], 1), (&[0, 1, 3, 4, 5, 6], 1), (&[0, 1, 2, 6, 7], 2)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let policy = Policy::narrative();
    block_on(async {
        let store = Memory::new();
        let tree = Tree::open(&store, "main")?;
        let leaves: Vec<Child<'_>> = SAID.iter().map(|text| Child::new(*text)).collect();
        let leaves = tree.ingest(&leaves).await?;
        let mut past: Vec<Cycle> = Vec::new();
        for (number, (said, unsaid)) in (1..).zip(CYCLES) {
            let said = said.iter().filter_map(|sentence| SAID.get(*sentence));
            let text: Vec<&str> = said.chain(UNSAID.iter().take(unsaid)).copied().collect();
            let gated = Draft::trace(&leaves, text.join(" ")).gate(&policy)?;
            let root = tree.commit(gated).await?;
            let head = tree.head().await?;
            tree.publish(&root, head.map(|head| head.generation), "cycle").await?;
            let signals = tree.manifest(root.id()).await?.signals().unwrap_or_default();
            let now = Cycle::new(Ppm::new(signals.provenance), Ppm::new(signals.orphan_density));
            let fell = trend(&past, now, &policy);
            let told = if fell.is_some() { "trend.falling" } else { "" };
            println!(
                "cycle {number}: provenance {}, density {}  {told}",
                now.provenance.rounded(),
                now.orphan_density.rounded()
            );
            assert_eq!(fell.is_some(), number == 4, "the trend is named at cycle 4");
            past.push(now);
        }
        Ok(())
    })
}

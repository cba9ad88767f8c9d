//! Names of things that cannot be guessed: kept, dropped, misspelt, cut short, or replaced by a word.

use crate::case::{Case, Kind};
use crate::forms::{Item, altered, marked, sources, summaries};
use crate::numbers::Numbers;
use crate::words::{Trade, capital};

fn identifier(n: &mut Numbers, trade: &Trade) -> String {
    let hex = |n: &mut Numbers, len| n.of_letters("0123456789abcdef", len);
    match n.index(12) {
        0 => format!("{}-{}", trade.prefix, n.within(1_000, 9_999)),
        1 => format!("{}-{}-4{}-a{}-{}", hex(n, 8), hex(n, 4), hex(n, 3), hex(n, 3), hex(n, 12)),
        2 => format!("{}{}{}", n.of_letters("abcdef", 2), n.within(10, 99), hex(n, 5)),
        3 => format!("{}-{}f-{}", n.of_letters("hjkmqr", 2), n.within(2, 9), n.within(100, 999)),
        4 => format!("E_{}_{}", trade.prefix, n.within(100, 999)),
        5 => format!("{}_{}_LIMIT", trade.prefix, n.of_letters("BDFGLMNP", 4)),
        6 => format!("10.{}.{}.{}", n.within(11, 99), n.within(11, 99), n.within(11, 99)),
        7 => format!(
            "{}.{}{}@post.example",
            n.of_letters("aeilmor", 5),
            n.of_letters("dnst", 5),
            n.within(2, 9)
        ),
        8 => format!(
            "02:{}:{}:{}:{}:{}",
            hex(n, 2),
            n.within(10, 99),
            hex(n, 2),
            n.within(10, 99),
            n.within(10, 99)
        ),
        9 => format!("fd{}::{}:{}", n.within(10, 99), n.within(100, 999), n.within(10, 99)),
        10 => format!("v{}.{}.{}", n.within(1, 9), n.within(10, 40), n.within(1, 9)),
        _ => format!("{}_{}", n.of_letters("hjkmqr", 3), n.within(10_000, 99_999)),
    }
}

pub(super) fn write(n: &mut Numbers, trade: &Trade, good: bool) -> Case {
    let (a, b) = n.two(trade.things);
    let attribute = n.pick(&["record", "label", "reference"]);
    let items =
        [Item::new(a, attribute, identifier(n, trade)), Item::new(b, attribute, identifier(n, trade))];
    let children = sources(n, &items);
    let parent_of = |n: &mut Numbers, values: [&str; 2]| {
        let items = [items[0].with(marked(n, values[0])), items[1].with(marked(n, values[1]))];
        summaries(n, &items)
    };
    let (first, second) = (&*items[0].value, &*items[1].value);
    if good {
        let parent = if n.index(3) == 0 {
            format!("{} is {attribute} `{first}`, {b} is `{second}`.", capital(a))
        } else {
            parent_of(n, [first, second])
        };
        return Case::kept(Kind::Identifier, "kept", children, parent);
    }
    match n.index(4) {
        0 => Case::kept(
            Kind::Identifier,
            "dropped",
            children,
            format!("The {a} and the {b} each have a {attribute}."),
        )
        .lost(first)
        .lost(second),
        1 => {
            let parent = format!("The {attribute} of the {a} is {first}; the {b} has one too.");
            Case::kept(Kind::Identifier, "one dropped", children, parent).lost(second)
        }
        2 => {
            let other = altered(n, second);
            let parent = parent_of(n, [first, &other]);
            Case::kept(Kind::Identifier, "misspelt", children, parent).lost(second).orphan(other)
        }
        _ => {
            let other = identifier(n, trade);
            let parent = parent_of(n, [&other, second]);
            Case::kept(Kind::Identifier, "another", children, parent).lost(first).orphan(other)
        }
    }
}

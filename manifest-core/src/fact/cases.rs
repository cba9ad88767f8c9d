//! The recorded cases: what they call lost or invented must be read, what they call kept must read as equal.

use super::{Class, Fact, read};

fn rows() -> Vec<serde_json::Value> {
    include_str!("../../../tests/data/cases.jsonl")
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

fn texts(row: &serde_json::Value, key: &str) -> Vec<String> {
    match &row[key] {
        serde_json::Value::Array(a) => a.iter().map(|v| v.as_str().unwrap().to_owned()).collect(),
        serde_json::Value::String(s) => vec![s.clone()],
        _ => Vec::new(),
    }
}

fn words(t: &str) -> usize {
    let mut n = 0;
    let mut inside = false;
    for c in t.chars() {
        let word = c.is_alphanumeric() || c == '_';
        n += usize::from(word && !inside || !word && !c.is_whitespace());
        inside = word;
    }
    n
}

/// Prints what no fact names; run with `--nocapture`.
#[test]
#[ignore = "prints the labels that no fact names, for a person to read"]
fn unmatched_labels() {
    for row in rows() {
        let children = texts(&row, "children");
        let show = |facts: &[Fact], text: &str| {
            facts
                .iter()
                .map(|f| format!("{}:{}{}", f.class, f.span.of(text), if f.marker { "!" } else { "" }))
                .collect::<Vec<_>>()
                .join(" | ")
        };
        let parent = texts(&row, "parent").join("");
        for (labels, sources) in [
            (texts(&row["expect"], "lost"), children.clone()),
            (texts(&row["expect"], "orphans"), vec![parent.clone()]),
        ] {
            for label in labels {
                let named = sources.iter().any(|t| {
                    read(t).facts.iter().any(|f| {
                        let got = f.span.of(t);
                        (label.contains(got) || got.contains(&label))
                            && words(got).min(words(&label)) * 2 >= words(got).max(words(&label))
                    })
                });
                if !named {
                    println!("{}: {label:?}", row["id"]);
                }
            }
        }
        if row["expect"]["verdict"] == "commit" {
            let p = read(&parent);
            for c in &children {
                let r = read(c);
                for f in &r.facts {
                    if !f.marker && !p.facts.iter().any(|g| f.same(g)) {
                        println!(
                            "  GOOD {} loses {}:{:?}   P: {}",
                            row["id"],
                            f.class,
                            f.span.of(c),
                            show(&p.facts, &parent)
                        );
                    }
                }
            }
            let all: Vec<_> = children.iter().map(|c| read(c)).collect();
            for g in &p.facts {
                if !all.iter().any(|r| r.facts.iter().any(|f| f.same(g))) {
                    println!(
                        "  GOOD {} invents {}:{:?}  C: {}",
                        row["id"],
                        g.class,
                        g.span.of(&parent),
                        children.iter().map(|c| show(&read(c).facts, c)).collect::<Vec<_>>().join(" || ")
                    );
                }
            }
        }
    }
}

/// Prints all facts of all cases.
#[test]
#[ignore = "prints every fact, for a person to read"]
fn all_facts() {
    for row in rows() {
        for (k, t) in texts(&row, "children").iter().chain(texts(&row, "parent").iter()).enumerate() {
            let r = read(t);
            println!(
                "{} {k}: {}",
                row["id"],
                r.facts
                    .iter()
                    .map(|f| format!(
                        "{}:{}{}{}",
                        f.class,
                        f.span.of(t),
                        if f.whole.is_some() { "^" } else { "" },
                        if f.marker { "!" } else { "" }
                    ))
                    .collect::<Vec<_>>()
                    .join(" | ")
            );
        }
    }
    let _ = Class::Name;
}

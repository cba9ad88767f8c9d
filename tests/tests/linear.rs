//! Reading and tracing take a time that grows with the input and hardly more: four times the text, less than eight times
//! the time, for texts made to be slow.
//!
//! `cargo test --release -p manifest-tests --test linear -- --ignored --nocapture` prints what each takes.

mod hostile;

use hostile::INPUTS;
use manifest_core::{Child, Policy, check, ledger, ranked_facts};
use std::fmt::Write as _;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What is done with each input.
type Door = fn(&[String], &str);
const DOORS: [(&str, Door); 3] = [
    ("facts", |children, _| {
        let children: Vec<Child<'_>> = children.iter().map(|c| Child::new(c.as_str())).collect();
        std::hint::black_box(ranked_facts(&children));
    }),
    ("check", |children, parent| {
        let _ = std::hint::black_box(check(children, parent, &Policy::exact()));
    }),
    ("ledger", |children, parent| {
        std::hint::black_box(ledger(children, parent, 600));
    }),
];

/// How long this thread has run, without the time that others took the processor, where the system tells.
fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = START.get_or_init(Instant::now);
    // The count is brought up to date where the thread yields.
    std::thread::yield_now();
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.as_deref().and_then(|t| t.split(' ').next()).and_then(|t| t.parse().ok());
    nanos.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn took(door: Door, children: &[String], parent: &str, times: usize) -> Duration {
    let once = |_| {
        let start = clock();
        door(children, parent);
        clock().saturating_sub(start)
    };
    (0..times).map(once).min().unwrap_or_default()
}

fn bytes((children, parent): &(Vec<String>, String)) -> f64 {
    (children.iter().map(String::len).sum::<usize>() + parent.len()) as f64
}

#[test]
fn four_times_the_text_is_no_eight_times_the_time() {
    let mut slow = String::new();
    // A check reads the children, too.
    let [_, (_, door), _] = DOORS;
    for input in INPUTS {
        let (small, large) = ((input.make)(input.size), (input.make)(4 * input.size));
        let most = 2.0 * bytes(&large) / bytes(&small);
        let ratio = || {
            let one = took(door, &small.0, &small.1, 2).max(Duration::from_millis(2));
            took(door, &large.0, &large.1, 1).as_secs_f64() / one.as_secs_f64()
        };
        // What else the machine does may slow one run, and not three of them.
        let ratios: Vec<f64> = std::iter::repeat_with(ratio)
            .take(3)
            .scan(false, |done, r| {
                let go_on = !*done;
                *done = r < most;
                go_on.then_some(r)
            })
            .collect();
        if ratios.iter().all(|r| *r >= most) {
            let _ = writeln!(slow, "{}: {ratios:.1?} times", input.name);
        }
    }
    assert!(slow.is_empty(), "\n{slow}");
}

#[test]
#[ignore = "prints a table; meant for a release build"]
fn table() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let grow: usize = std::env::var("GROW").ok().and_then(|g| g.parse().ok()).unwrap_or(4);
    println!("{:40} {:>6} {:>9} {:>9} {:>9} {:>9} {:>6}", "", "", "KB", "n ms", "2n ms", "4n ms", "4n/n");
    for input in INPUTS.iter().filter(|i| i.name.contains(&only)) {
        let sizes = [1, 2, 4].map(|k| (input.make)(k * grow * input.size));
        for (name, door) in DOORS {
            let [a, b, c] = sizes.each_ref().map(|(children, parent)| {
                let first = took(door, children, parent, 1);
                let times = if first < Duration::from_millis(50) { 3 } else { 1 };
                first.min(took(door, children, parent, times)).as_secs_f64() * 1000.0
            });
            let [least, _, most] = sizes.each_ref().map(bytes);
            let (grown, rate) = (c / a.max(0.2), most / 1000.0 / c);
            let mark = if grown > 1.5 * most / least || rate < 1.0 { "<<" } else { "" };
            println!(
                "{:40} {name:>6} {:>9} {a:>9.1} {b:>9.1} {c:>9.1} {:>6.1} {mark}",
                input.name,
                (most / 1000.0).round(),
                c / a
            );
        }
    }
}

use crate::{Check, Child, ConflictState, Order, Policy, Role};

fn states(children: &[&str], parent: &str, order: Order) -> Vec<(ConflictState, Vec<String>)> {
    let children: Vec<Child<'_>> = children.iter().map(|c| Child::new(*c)).collect();
    let report = Check::new(&children, parent).order(order).run(&Policy::remediation());
    let sides = |row: &crate::ConflictRow| row.sides.iter().map(|s| s.text.clone()).collect();
    report.conflicts.iter().map(|row| (row.state, sides(row))).collect()
}

#[test]
fn a_setting_told_with_its_old_value_is_stale() {
    let children = ["tank.conf has max_fill = 60.", "Edited tank.conf: max_fill = 75, then reloaded it."];
    let rows = states(&children, "tank.conf has max_fill = 60; it was reloaded.", Order::Sequence);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].0, ConflictState::Stale);
    let told = states(&children, "max_fill in tank.conf was raised from 60 to 75.", Order::Sequence);
    assert!(told.iter().all(|(state, _)| *state == ConflictState::Superseded), "{told:?}");
}

#[test]
fn who_says_it_is_no_part_of_what_is_said() {
    let children = ["The maker says the cap is 30 bar.", "The data sheet says the cap is 55 bar."];
    let rows = states(&children, "The cap is 30-55 bar.", Order::Sequence);
    assert_eq!(rows.first().map(|r| r.0), Some(ConflictState::Collapsed), "{rows:?}");
    let kept =
        states(&children, "The cap is 30 bar by the maker, 55 bar by the data sheet.", Order::Sequence);
    assert!(kept.iter().all(|(state, _)| *state == ConflictState::Kept), "{kept:?}");
}

#[test]
fn sides_are_short() {
    let long = "for the old steel tank beside the north quay of the port and its new pump house";
    let children = [format!("The cap is 30 bar {long}."), format!("The cap is 55 bar {long}.")];
    let children: Vec<&str> = children.iter().map(String::as_str).collect();
    let rows = states(&children, children[0], Order::Parallel);
    assert_eq!(rows.len(), 1);
    assert!(rows[0].1.iter().all(|side| side.split(' ').count() <= 16 && side.contains("bar")), "{rows:?}");
}

#[test]
fn another_word_far_from_a_value_does_not_say_whose_it_is() {
    let told = |what: &str, price: &str, whose: &str| {
        format!(
            "{whose} hire includes a boat with oars, a map of the canal, two {what} of oak, and may be extended to \
             the whole lake at a yearly rate of {price} on the day."
        )
    };
    let told_of = |parent: &str, children: &[&str]| states(children, parent, Order::Parallel);
    let (first, second) = (told("chairs", "$40", "The"), told("seats", "$55", "The"));
    let rows = told_of(&first, &[&first, &second]);
    assert_eq!(rows.first().map(|r| r.0), Some(ConflictState::Collapsed), "{rows:?}");
    // Its first words do, and those beside the value.
    let (summer, winter) = (told("chairs", "$40", "Summer"), told("chairs", "$55", "Winter"));
    assert!(told_of(&summer, &[&summer, &winter]).is_empty());
    let (day, night) =
        (first.replace("on the day", "by daylight"), first.replace("$40 on the day", "$55 by night"));
    assert!(told_of(&day, &[&day, &night]).is_empty());
}

#[test]
fn members_names_and_speakers_make_no_conflict() {
    let negated =
        ["Nobody drains the tank, nobody flushes it by hand.", "No drain of the tank, no flush by hand."];
    assert!(states(&negated, "Forbidden: draining the tank by hand.", Order::Sequence).is_empty());
    let owners =
        ["The hose becomes a task for next week, TASK-776, Bo.", "Yes, CASE-55, owner Bo, due soon."];
    assert!(states(&owners, "Open: the hose (TASK-776), Bo.", Order::Sequence).is_empty());
    let spoken = [
        "Ms. Ann Roe (Minister of Ports): Thank you very much, Mr. Speaker.",
        "Ms. Eva Lund (Minister of Roads): Thank you, Mr. Speaker.",
    ];
    assert!(states(&spoken, "The ministers thanked Mr. Speaker.", Order::Sequence).is_empty());
    let commands = [
        "tankctl -D west --cap=30 --port 4100 start and wait for the pump of the west tank",
        "tankctl -D west --cap=55 --port 4100 start and wait for the pump of the west tank",
    ];
    assert!(states(&commands, commands[0], Order::Sequence).is_empty());
    let code =
        [r#"let good = pump(&["west", &seal, &full], "")"#, r#"let bad = pump(&["west", &seal, &half], "")"#];
    assert!(states(&code, "The pump of the west seal is tested.", Order::Sequence).is_empty());
    let tallies = ["0 failed", "0 passed"];
    assert!(states(&tallies, "0 failed", Order::Sequence).is_empty());
    let records =
        [r#"{"seat": "4A", "paid": 58, "meal": "yes"}"#, r#"{"seat": "4A", "paid": 91, "meal": "no"}"#];
    assert!(states(&records, r#"{"seat": "4A", "paid": 58, "meal": "yes"}"#, Order::Sequence).is_empty());
}

#[test]
fn a_series_told_in_part_hides_nothing() {
    let children: Vec<String> = (0..6)
        .map(|n| format!("The valve of the west tank stayed at {}.{n} bar in hour {n}.", 40 + n))
        .collect();
    let children: Vec<&str> = children.iter().map(String::as_str).collect();
    let told = [children[1], children[3], children[5]].join(" ");
    let rows = states(&children, &told, Order::Sequence);
    assert!(rows.iter().all(|(state, _)| *state == ConflictState::Superseded), "{rows:?}");
    let stale = "The valve of the west tank stays at 40.0 bar.";
    let rows = states(&children, stale, Order::Sequence);
    assert!(rows.iter().any(|(state, _)| *state == ConflictState::Stale), "{rows:?}");
}

#[test]
fn clauses_are_about_what_their_sentences_name() {
    let children = [
        "tank-06 was shut by the valve crew; 17 pumps wait.",
        "tank-11 was shut by the night crew; 22 pumps wait.",
    ];
    assert!(states(&children, "tank-06 was shut; 17 pumps wait.", Order::Sequence).is_empty());
    let same = [
        "tank-06 was shut by the valve crew; 17 pumps wait.",
        "tank-06 was opened by the night crew; 22 pumps wait.",
    ];
    assert!(!states(&same, "tank-06: 17 pumps wait.", Order::Sequence).is_empty());
}

#[test]
fn acts_and_progress_are_no_conflict() {
    let tool = |text| Child { role: Role::Tool, ..Child::new(text) };
    let call = |text| Child { call: true, ..Child::new(text) };
    let states = |children: &[Child<'_>], parent: &str| {
        let report = Check::new(children, parent).order(Order::Sequence).run(&Policy::remediation());
        report
            .conflicts
            .iter()
            .filter(|c| c.state != ConflictState::Superseded)
            .map(|c| format!("{c:?}"))
            .collect::<Vec<_>>()
    };
    let progress = [
        tool("Sorting: 7 valves left to test after this (roughly 3 steps)"),
        tool("Sorting: 0 valves left to test after this (roughly 0 steps)"),
    ];
    assert_eq!(states(&progress, "Sorting valves: tested after this roughly in steps, none left."), [""; 0]);
    let acts =
        [call("pump valve silent 863e20f"), tool("pump valve silent 44df8a1\npump valve skip b119e5f")];
    assert_eq!(states(&acts, "Ran pump valve from 863e20f on: silent."), [""; 0]);
}

#[test]
fn lines_of_output_in_a_summary_are_no_statements() {
    let told = |a: &str, b: &str, parent: &str| {
        let rows = states(&[a, b], parent, Order::Sequence);
        rows.into_iter().filter(|(state, _)| *state != ConflictState::Superseded).collect::<Vec<_>>()
    };
    let lines = |own: &str| {
        format!(
            "Baking oven-core v0.4.0\n{own}\nloaves: 3 lines read\npath: oven/west.rs\nlid shut behind tray"
        )
    };
    let (first, second) = (lines("running 26 loaves in trays"), lines("running 25 loaves in trays"));
    let rows = told(&first, &second, &first);
    assert!(rows.is_empty(), "{rows:?}");
    let (first, second) = (lines("file path: oven/east.rs"), lines("file path: oven/north.rs"));
    assert!(told(&first, &second, &first).is_empty());
    // Sentences of people among the same lines are statements, and a setting has one value.
    let (first, second) = (lines("The west oven runs 26 trays."), lines("The west oven runs 25 trays."));
    assert_eq!(told(&first, &second, &first).first().map(|r| r.0), Some(ConflictState::Stale));
    let (first, second) = (lines("max_trays = 26"), lines("max_trays = 25"));
    assert_eq!(
        told(&first, &second, "The oven has max_trays = 26.").first().map(|r| r.0),
        Some(ConflictState::Stale)
    );
    let parallel = states(&[&first, &second], &first, Order::Parallel);
    assert_eq!(parallel.first().map(|r| r.0), Some(ConflictState::Collapsed), "no order, no moments");
    // So are a person's bare lines.
    let by_user =
        |own: &str| format!("user: for the west oven\n{own}\nloaves: 3 lines\ntrays: four of steel");
    let (first, second) = (by_user("running 26 loaves in trays"), by_user("running 25 loaves in trays"));
    assert_eq!(told(&first, &second, &first).first().map(|r| r.0), Some(ConflictState::Stale));
}

#[test]
fn columns_and_counts_of_an_output_have_no_current_value() {
    let check = |children: &[&str], parent: &str| {
        let children: Vec<Child<'_>> =
            children.iter().map(|text| Child { role: Role::Tool, ..Child::new(*text) }).collect();
        let report = Check::new(&children, parent).order(Order::Sequence).run(&Policy::remediation());
        report.conflicts.iter().any(|row| row.state == ConflictState::Stale)
    };
    let plans = ["Rows Removed by Filter: 2\nRows Removed by Filter: 11", "Rows Removed by Filter: 1739"];
    assert!(!check(&plans, "The scan shows Rows Removed by Filter: 2"));
    let warnings =
        ["warning: 7 bindings with short names in scope", "warning: 6 bindings with short names in scope"];
    assert!(!check(&warnings, "warning: 7 bindings with short names in scope"));
    // Cut between its rows, an output is one text under one name.
    let cut = |names: [&str; 3], parent: &str| {
        let texts = ["Rows Removed by Filter: 2", "Rows Removed by Filter: 1739", "Rows Planned: 4"];
        let children: Vec<Child<'_>> = (texts.iter().zip(names))
            .map(|(text, name)| Child { role: Role::Tool, ..Child::new(*text) }.with_id(name.to_owned()))
            .collect();
        let report = Check::new(&children, parent).order(Order::Sequence).run(&Policy::remediation());
        report.conflicts.iter().any(|row| row.state == ConflictState::Stale)
    };
    assert!(!cut(["line 4, output"; 3], "The scan shows Rows Removed by Filter: 2"));
    assert!(cut(
        ["line 4, output", "line 6, output", "line 8, output"],
        "The scan shows Rows Removed by Filter: 2"
    ));
    let settings = ["west oven: max_trays = 26", "west oven: max_trays = 25"];
    assert!(check(&settings, "The west oven has max_trays = 26"));
}

#[test]
fn the_fields_of_a_log_line_are_of_its_moment() {
    let line = |at: &str, sync: &str| {
        format!(
            "2031-04-02 11:0{at}:09 UTC [77] LOG: flush complete: wrote 44{at} trays (3.{at}%); sync={sync} s"
        )
    };
    let (first, second) = (line("1", "1.314"), line("2", "0.494"));
    let stale = |children: &[&str], parent: &str| {
        let rows = states(children, parent, Order::Sequence);
        rows.iter().any(|(state, _)| *state == ConflictState::Stale)
    };
    assert!(!stale(&[&first, &second], &first));
    // A person who tells of such a value gives no moment.
    let told =
        ["The flush of the west oven has sync=1.314 s.", "The flush of the west oven has sync=0.494 s."];
    assert!(stale(&told, told[0]));
}

#[test]
fn files_that_were_worked_on_are_subjects() {
    let acts = ["The plan file oven/west.rs has been read.", "The plan file oven/north.rs has been read."];
    assert!(states(&acts, acts[0], Order::Sequence).is_empty());
    let places = ["The oven log goes to /oven/west.rs.", "The oven log goes to /oven/east.rs."];
    assert_eq!(states(&places, places[0], Order::Sequence).first().map(|r| r.0), Some(ConflictState::Stale));
}

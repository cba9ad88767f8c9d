use super::super::error::FormatError;
use super::*;
use proptest::prelude::*;

/// Any item that a manifest may hold, as it is written.
fn item() -> impl Strategy<Value = Vec<u8>> {
    let written = |write: &dyn Fn(&mut Writer)| {
        let mut to = Writer::default();
        write(&mut to);
        to.into_bytes()
    };
    let leaf = prop_oneof![
        any::<u64>().prop_map(move |n| written(&|w: &mut Writer| w.uint(n))),
        (0_u64..300).prop_map(move |n| written(&|w: &mut Writer| w.uint(n))),
        any::<bool>().prop_map(move |b| written(&|w: &mut Writer| w.bool(b))),
        ".{0,30}".prop_map(move |t: String| written(&|w: &mut Writer| w.text(&t))),
        proptest::collection::vec(any::<u8>(), 0..30)
            .prop_map(move |b| written(&|w: &mut Writer| w.bytes(&b))),
    ];
    leaf.prop_recursive(6, 60, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(move |items| {
                written(&|w: &mut Writer| {
                    w.list(items.len());
                    for item in &items {
                        w.item(item);
                    }
                })
            }),
            proptest::collection::vec((".{0,6}", inner), 0..5).prop_map(move |pairs| {
                written(&|w: &mut Writer| {
                    let mut map = Map::default();
                    for (key, value) in &pairs {
                        map.put(key, |w| w.item(value));
                    }
                    map.write(w);
                })
            }),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_passes(bytes in item()) {
        prop_assert_eq!(check(&bytes), Ok(()));
        prop_assert_eq!(end_of(&bytes, 0), bytes.len());
        prop_assert!(serde_json::to_string(&View::at(&bytes, 0)).is_ok());
    }

    #[test]
    fn a_part_of_an_item_is_no_item(bytes in item()) {
        for end in 0..bytes.len() {
            let truncated = matches!(check(&bytes[..end]), Err(FormatError::Truncated { .. }));
            prop_assert!(truncated, "cut at {}", end);
        }
        let mut more = bytes.clone();
        more.push(0);
        prop_assert_eq!(check(&more), Err(FormatError::Trailing { at: bytes.len() }));
    }

    #[test]
    fn any_bytes_are_checked_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let checked = check(&bytes);
        prop_assert!(end_of(&bytes, 0) <= bytes.len());
        if checked.is_ok() {
            prop_assert_eq!(end_of(&bytes, 0), bytes.len());
        }
    }
}

#[test]
fn what_has_two_writings_is_refused() {
    use FormatError as E;
    let cases: &[(&[u8], FormatError)] = &[
        (&[], E::Truncated { at: 0 }),
        // 23 and 255 and 65535 and 2^32 - 1, each in the next longer form.
        (&[0x18, 23], E::NotShortest { at: 0 }),
        (&[0x19, 0, 255], E::NotShortest { at: 0 }),
        (&[0x1a, 0, 0, 255, 255], E::NotShortest { at: 0 }),
        (&[0x1b, 0, 0, 0, 0, 255, 255, 255, 255], E::NotShortest { at: 0 }),
        (&[0x81, 0x38, 0], E::NotShortest { at: 1 }),
        (&[0x58, 1, 0], E::NotShortest { at: 0 }),
        (&[0x78, 1, b'a'], E::NotShortest { at: 0 }),
        (&[0x98, 1, 0], E::NotShortest { at: 0 }),
        (&[0xb8, 0], E::NotShortest { at: 0 }),
        // Without lengths.
        (&[0x5f, 0xff], E::Indefinite { at: 0 }),
        (&[0x7f, 0xff], E::Indefinite { at: 0 }),
        (&[0x9f, 0xff], E::Indefinite { at: 0 }),
        (&[0xbf, 0xff], E::Indefinite { at: 0 }),
        // Floats of each width, null, undefined, a simple value, a break, a tag, reserved lengths.
        (&[0xf9, 0, 0], E::Type { at: 0 }),
        (&[0xfa, 0, 0, 0, 0], E::Type { at: 0 }),
        (&[0xfb, 0, 0, 0, 0, 0, 0, 0, 0], E::Type { at: 0 }),
        (&[0x81, 0xf6], E::Type { at: 1 }),
        (&[0xf7], E::Type { at: 0 }),
        (&[0xe0], E::Type { at: 0 }),
        (&[0xf8, 20], E::Type { at: 0 }),
        (&[0xff], E::Type { at: 0 }),
        (&[0xc0, 0], E::Type { at: 0 }),
        (&[0x1c], E::Type { at: 0 }),
        (&[0x1f], E::Type { at: 0 }),
        // Keys.
        (&[0xa1, 0, 0], E::KeyType { at: 1 }),
        (&[0xa1, 0x41, b'a', 0], E::KeyType { at: 1 }),
        (&[0xa1, 0x80, 0], E::KeyType { at: 1 }),
        (&[0xa2, 0x61, b'a', 0, 0x61, b'a', 0], E::KeyTwice { at: 4 }),
        (&[0xa2, 0x61, b'b', 0, 0x61, b'a', 0], E::KeyOrder { at: 4 }),
        (&[0xa2, 0x62, b'a', b'a', 0, 0x61, b'b', 0], E::KeyOrder { at: 5 }),
        (&[0x61, 0xff], E::Utf8 { at: 0 }),
        (&[0xa1, 0x61, 0xc3, 0], E::Utf8 { at: 1 }),
        (&[0, 0], E::Trailing { at: 1 }),
    ];
    for (bytes, error) in cases {
        assert_eq!(check(bytes).as_ref(), Err(error), "{bytes:02x?}");
    }
    for sound in [
        &[0x17][..],
        &[0x18, 24],
        &[0x19, 1, 0],
        &[0x1a, 0, 1, 0, 0],
        &[0x1b, 0, 0, 0, 1, 0, 0, 0, 0],
        &[0x20],
        &[0xf4],
        &[0xf5],
        &[0xa2, 0x61, b'b', 0x80, 0x62, b'a', b'a', 0xa0],
        &[0xa2, 0x61, b'a', 0xa1, 0x61, b'z', 0, 0x61, b'b', 0],
    ] {
        assert_eq!(check(sound), Ok(()), "{sound:02x?}");
    }
}

#[test]
fn a_claimed_length_costs_nothing() {
    for major in 2..6_u8 {
        for claim in [u64::MAX, u64::MAX / 2 + 1, 1 << 40] {
            let mut bytes = vec![major << 5 | 0x1b];
            bytes.extend(claim.to_be_bytes());
            bytes.extend([0; 64]);
            assert_eq!(check(&bytes), Err(FormatError::Truncated { at: 0 }), "type {major}, {claim}");
        }
    }
    // A list of lists that each claim what is left.
    let bytes = [[0x9a, 0, 0, 0, 9]; 20].concat();
    assert!(check(&bytes).is_err());
}

#[test]
fn nesting_ends_at_its_limit() {
    let nested = |open: u8, depth: usize| [vec![open; depth], vec![0]].concat();
    assert_eq!(check(&nested(0x81, DEPTH)), Ok(()));
    assert_eq!(check(&nested(0x81, DEPTH + 1)), Err(FormatError::TooDeep { at: DEPTH }));
    assert_eq!(check(&nested(0x81, 100_000)), Err(FormatError::TooDeep { at: DEPTH }));
    let maps = [0xa1, 0x60].repeat(100_000);
    assert_eq!(check(&maps), Err(FormatError::TooDeep { at: 2 * DEPTH }));
}

#[test]
fn a_view_shows_every_type() {
    let mut to = Writer::default();
    let mut map = Map::default();
    map.put("list", |w| {
        w.list(4);
        w.uint(u64::MAX);
        w.bool(true);
        w.bytes(&[0, 255]);
        w.item(&[0x38, 41]);
    });
    map.put("a", |w| w.text("ü"));
    map.write(&mut to);
    let bytes = to.into_bytes();
    assert_eq!(check(&bytes), Ok(()));
    let json = serde_json::to_string(&View::at(&bytes, 0)).unwrap();
    assert_eq!(json, r#"{"a":"ü","list":[18446744073709551615,true,"00ff",-42]}"#);
}

//! The vocabulary of the cases: trades that have nothing to do with one another.

use crate::numbers::Numbers;

/// What one trade talks about.
pub(crate) struct Trade {
    /// Things that have attributes, no two alike in a word.
    pub(crate) things: &'static [&'static str],
    /// What is measured or set of a thing.
    pub(crate) attributes: &'static [&'static str],
    /// What is counted, in the plural.
    pub(crate) countables: &'static [&'static str],
    /// What is done to a thing: the verb and its participle.
    pub(crate) acts: &'static [(&'static str, &'static str)],
    /// Who says so.
    pub(crate) sources: &'static [&'static str],
    /// Where.
    pub(crate) sites: &'static [&'static str],
    /// Folders and files.
    pub(crate) folders: &'static [&'static str],
    pub(crate) files: &'static [&'static str],
    /// The start of its identifiers.
    pub(crate) prefix: &'static str,
}

const TRADES: &[Trade] = &[
    Trade {
        things: &["mirror cover", "guide camera", "dome shutter", "grating wheel", "coolant pump"],
        attributes: &["settling time", "drive current", "tolerance"],
        countables: &["flat frames", "guide stars", "dark frames"],
        acts: &[("collimate", "collimated"), ("realign", "realigned"), ("degrease", "degreased")],
        sources: &["the night log", "the instrument manual"],
        sites: &["the north ridge", "the south plateau"],
        folders: &["spectra", "flats", "pointing"],
        files: &["arc_lamp.fits", "nightly.obs", "guider.ini"],
        prefix: "OBS",
    },
    Trade {
        things: &["brine tank", "curd press", "whey separator", "ripening cellar", "milk silo"],
        attributes: &["holding time", "fill level", "pressure limit"],
        countables: &["wheels", "churns", "samples"],
        acts: &[("sanitize", "sanitized"), ("descale", "descaled"), ("weigh", "weighed")],
        sources: &["the cellar book", "the lab sheet"],
        sites: &["the valley creamery", "the alpine creamery"],
        folders: &["batches", "cultures", "tastings"],
        files: &["rennet.xls", "cellar.txt", "humidity.dat"],
        prefix: "WHL",
    },
    Trade {
        things: &["opening titles", "harbour scene", "rain sequence", "trumpet cue", "closing credits"],
        attributes: &["running time", "gain", "fade length"],
        countables: &["takes", "reels", "captions"],
        acts: &[("grade", "graded"), ("subtitle", "subtitled"), ("remix", "remixed")],
        sources: &["the edit notes", "the sound sheet"],
        sites: &["the Lisbon suite", "the Oslo suite"],
        folders: &["dailies", "stems", "proxies"],
        files: &["cutlist.edl", "foley.wav", "scene_notes.fdx"],
        prefix: "CUT",
    },
    Trade {
        things: &["herbarium cabinet", "map drawer", "vellum folio", "glass negatives", "parish register"],
        attributes: &["loan period", "drying time", "humidity limit"],
        countables: &["plates", "folios", "specimens"],
        acts: &[("catalogue", "catalogued"), ("fumigate", "fumigated"), ("rebind", "rebound")],
        sources: &["the accession list", "the curator's memo"],
        sites: &["the east wing", "the harbour annex"],
        folders: &["scans", "loans", "inventory"],
        files: &["shelfmark.csv", "pigments.ods", "donors.tsv"],
        prefix: "ARC",
    },
    Trade {
        things: &["intake screen", "spillway gate", "turbine runner", "fish ladder", "surge shaft"],
        attributes: &["closing time", "head loss", "flow limit"],
        countables: &["eels", "bolts", "soundings"],
        acts: &[("drain", "drained"), ("regrease", "regreased"), ("dredge", "dredged")],
        sources: &["the diver's report", "the shift book"],
        sites: &["the upper weir", "the lower weir"],
        folders: &["levels", "gauges", "inspections"],
        files: &["penstock.yaml", "sluice.log", "rating_curve.json"],
        prefix: "HYD",
    },
];

pub(crate) fn trade(n: &mut Numbers) -> &'static Trade {
    &TRADES[n.index(TRADES.len())]
}

/// With a capital first letter.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

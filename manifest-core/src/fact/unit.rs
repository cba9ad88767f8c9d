//! Units: their names, dimensions and exact scales.

use super::decimal::Decimal;
use super::lexicon::{Lexicon, Words};
use std::fmt;

/// What a unit measures. Two units convert exactly if and only if they share a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Dimension {
    /// Seconds.
    Time,
    /// Calendar months.
    Month,
    /// Bytes.
    Byte,
    /// Bits.
    Bit,
    /// Hertz.
    Frequency,
    /// Degrees Celsius.
    Celsius,
    /// Degrees Fahrenheit.
    Fahrenheit,
    /// Kelvin.
    Kelvin,
    /// Degrees of an angle.
    Degree,
    /// Metres.
    Length,
    /// Miles, feet and inches: inches.
    Inch,
    /// Grams.
    Mass,
    /// Pounds and ounces: ounces.
    Ounce,
    /// Litres.
    Volume,
    /// Volts.
    Volt,
    /// Amperes.
    Ampere,
    /// Watts.
    Watt,
    /// Watt hours.
    WattHour,
    /// Joules.
    Joule,
    /// Pascals.
    Pascal,
    /// Decibels.
    Decibel,
    /// Pixels.
    Pixel,
    /// Percentage points.
    Point,
    /// Times as much.
    Fold,
    /// Requests.
    Request,
    /// Queries.
    Query,
    /// Transactions.
    Transaction,
    /// Operations.
    Operation,
    /// Frames.
    Frame,
    /// Revolutions.
    Revolution,
    /// Messages.
    Message,
    /// Events.
    Event,
    /// Tokens of a language model.
    Token,
    /// Rows.
    Row,
    /// Parts in a million.
    PartPerMillion,
}

impl Dimension {
    fn base(self) -> &'static str {
        match self {
            Dimension::Time => "s",
            Dimension::Month => "month",
            Dimension::Byte => "B",
            Dimension::Bit => "bit",
            Dimension::Frequency => "Hz",
            Dimension::Celsius => "°C",
            Dimension::Fahrenheit => "°F",
            Dimension::Kelvin => "K",
            Dimension::Degree => "°",
            Dimension::Length => "m",
            Dimension::Inch => "in",
            Dimension::Mass => "g",
            Dimension::Ounce => "oz",
            Dimension::Volume => "l",
            Dimension::Volt => "V",
            Dimension::Ampere => "A",
            Dimension::Watt => "W",
            Dimension::WattHour => "Wh",
            Dimension::Joule => "J",
            Dimension::Pascal => "Pa",
            Dimension::Decibel => "dB",
            Dimension::Pixel => "px",
            Dimension::Point => "pp",
            Dimension::Fold => "x",
            Dimension::Request => "req",
            Dimension::Query => "query",
            Dimension::Transaction => "transaction",
            Dimension::Operation => "op",
            Dimension::Frame => "frame",
            Dimension::Revolution => "revolution",
            Dimension::Message => "message",
            Dimension::Event => "event",
            Dimension::Token => "token",
            Dimension::Row => "row",
            Dimension::PartPerMillion => "ppm",
        }
    }
}

/// A dimension, or a rate of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Measure {
    /// What is measured.
    pub(crate) dimension: Dimension,
    /// For a rate: the amount is per this many seconds (1, or a power of 3 that no decimal divides out); 0 for no rate.
    pub(crate) per: u16,
}

impl Measure {
    /// Whether it is an amount of data, in bytes.
    pub(crate) fn is_bytes(self) -> bool {
        self.dimension == Dimension::Byte && self.per == 0
    }

    /// Whether it is a length of time.
    pub(crate) fn is_time(self) -> bool {
        self.dimension == Dimension::Time && self.per == 0
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.dimension.base())?;
        match self.per {
            0 => Ok(()),
            1 => f.write_str("/s"),
            n => write!(f, "/{n}s"),
        }
    }
}

/// A unit: a dimension and how much of its base one of it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) dimension: Dimension,
    /// `mantissa · 10^exponent` base units.
    mantissa: i64,
    exponent: i8,
    /// Seconds of the time that a rate is per; 0 for no rate.
    per: u32,
}

const fn unit(dimension: Dimension, mantissa: i64, exponent: i8) -> Unit {
    Unit { dimension, mantissa, exponent, per: 0 }
}

const fn rate(dimension: Dimension, mantissa: i64, exponent: i8, per: u32) -> Unit {
    Unit { dimension, mantissa, exponent, per }
}

impl Unit {
    /// The unit of a rate: this much per that time. Only the first may be anything but a rate.
    pub(super) fn per(self, time: Unit) -> Option<Unit> {
        if self.per != 0
            || time.dimension != Dimension::Time
            || time.exponent != 0
            || self.dimension == Dimension::Time
        {
            return None;
        }
        Some(Unit { per: u32::try_from(time.mantissa).ok()?, ..self })
    }

    /// Whether it is a length of time.
    pub(super) fn is_time(self) -> bool {
        self.dimension == Dimension::Time && self.per == 0
    }

    /// The amount in base units, and of what.
    pub(super) fn measure(self, amount: Decimal) -> Option<(Decimal, Measure)> {
        let amount = amount.mul(Decimal::new(i128::from(self.mantissa), i32::from(self.exponent)))?;
        if self.per == 0 {
            return Some((amount, Measure { dimension: self.dimension, per: 0 }));
        }
        // Powers of 2 and 5 always divide out of a decimal; threes only if the amount has them.
        let mut threes: u16 = 1;
        let mut rest = self.per;
        while rest.is_multiple_of(3) {
            rest /= 3;
            threes *= 3;
        }
        let mut amount = amount.div(Decimal::whole(i128::from(rest)))?;
        while threes > 1
            && let Some(less) = amount.div(Decimal::whole(3))
        {
            amount = less;
            threes /= 3;
        }
        Some((amount, Measure { dimension: self.dimension, per: threes }))
    }
}

const KIB: i64 = 1024;

/// The unit of this name. Case matters: `MB` and `Mb` differ.
pub(super) fn lookup(name: &str) -> Option<Unit> {
    // A word may have its capital: `30-Day`.
    let word = || UNITS.get_folded(name.as_bytes()).filter(|_| is_word(name));
    UNITS.get(name.as_bytes()).or_else(word)
}

/// Whether a name with capitals is a word rather than a symbol with prefixes.
fn is_word(name: &str) -> bool {
    let tail = name.get(1..).unwrap_or_default();
    let small = name.len() > 2 && tail.bytes().all(|b| b.is_ascii_lowercase());
    small || name.len() > 3 && name.bytes().all(|b| b.is_ascii_uppercase())
}

/// The units by name. SI prefixes are powers of ten, IEC prefixes powers of 1024.
static UNITS: Lexicon<Unit, 1024> = {
    use Dimension as D;
    Lexicon::new(&[
        ("ns nanosecond nanoseconds nanos nsec", unit(D::Time, 1, -9)),
        ("us µs usec microsecond microseconds micros 微秒", unit(D::Time, 1, -6)),
        ("ms msec msecs millisecond milliseconds millis мс 毫秒", unit(D::Time, 1, -3)),
        (
            "s sec secs second seconds sekunde sekunden Sekunden secondes segundos сек секунд секунды 秒",
            unit(D::Time, 1, 0),
        ),
        ("min mins minute minutes Minute Minuten minutos мин минут минуты 分钟", unit(D::Time, 60, 0)),
        ("h hr hrs hour hours Stunde Stunden heures horas ч час часа часов 小时", unit(D::Time, 3600, 0)),
        ("d day days Tag Tage jours días дней дня день 天", unit(D::Time, 86_400, 0)),
        ("week weeks wk wks", unit(D::Time, 604_800, 0)),
        ("month months", unit(D::Month, 1, 0)),
        ("year years yr yrs", unit(D::Month, 12, 0)),
        ("B byte bytes Byte Bytes octets байт 字节", unit(D::Byte, 1, 0)),
        ("kB KB kilobyte kilobytes КБ", unit(D::Byte, 1, 3)),
        ("MB megabyte megabytes МБ", unit(D::Byte, 1, 6)),
        ("GB gigabyte gigabytes ГБ", unit(D::Byte, 1, 9)),
        ("TB terabyte terabytes", unit(D::Byte, 1, 12)),
        ("PB petabyte petabytes", unit(D::Byte, 1, 15)),
        ("KiB kiB Ki kibibyte kibibytes", unit(D::Byte, KIB, 0)),
        ("MiB Mi mebibyte mebibytes", unit(D::Byte, KIB * KIB, 0)),
        ("GiB Gi gibibyte gibibytes", unit(D::Byte, KIB * KIB * KIB, 0)),
        ("TiB Ti tebibyte tebibytes", unit(D::Byte, KIB * KIB * KIB * KIB, 0)),
        ("PiB Pi", unit(D::Byte, KIB * KIB * KIB * KIB * KIB, 0)),
        ("bit bits", unit(D::Bit, 1, 0)),
        ("kb kbit Kbit kilobit kilobits", unit(D::Bit, 1, 3)),
        ("Mb Mbit megabit megabits", unit(D::Bit, 1, 6)),
        ("Gb Gbit gigabit gigabits", unit(D::Bit, 1, 9)),
        ("Tb Tbit", unit(D::Bit, 1, 12)),
        ("bps", rate(D::Bit, 1, 0, 1)),
        ("kbps Kbps", rate(D::Bit, 1, 3, 1)),
        ("Mbps", rate(D::Bit, 1, 6, 1)),
        ("Gbps", rate(D::Bit, 1, 9, 1)),
        ("Tbps", rate(D::Bit, 1, 12, 1)),
        ("kBps KBps", rate(D::Byte, 1, 3, 1)),
        ("MBps", rate(D::Byte, 1, 6, 1)),
        ("GBps", rate(D::Byte, 1, 9, 1)),
        ("rps reqs RPS", rate(D::Request, 1, 0, 1)),
        ("krps kRPS", rate(D::Request, 1, 3, 1)),
        ("req request requests", unit(D::Request, 1, 0)),
        ("qps QPS", rate(D::Query, 1, 0, 1)),
        ("kqps", rate(D::Query, 1, 3, 1)),
        ("tps TPS", rate(D::Transaction, 1, 0, 1)),
        ("ops IOPS iops", rate(D::Operation, 1, 0, 1)),
        ("kops", rate(D::Operation, 1, 3, 1)),
        ("fps FPS", rate(D::Frame, 1, 0, 1)),
        ("rpm RPM", rate(D::Revolution, 1, 0, 60)),
        ("queries query", unit(D::Query, 1, 0)),
        ("transactions transaction", unit(D::Transaction, 1, 0)),
        ("op operations operation", unit(D::Operation, 1, 0)),
        ("frames frame", unit(D::Frame, 1, 0)),
        ("messages message msgs msg", unit(D::Message, 1, 0)),
        ("events event", unit(D::Event, 1, 0)),
        ("tokens token tok", unit(D::Token, 1, 0)),
        ("rows row", unit(D::Row, 1, 0)),
        ("Hz", unit(D::Frequency, 1, 0)),
        ("kHz", unit(D::Frequency, 1, 3)),
        ("MHz", unit(D::Frequency, 1, 6)),
        ("GHz", unit(D::Frequency, 1, 9)),
        ("°C ℃ celsius Celsius", unit(D::Celsius, 1, 0)),
        ("°F fahrenheit Fahrenheit", unit(D::Fahrenheit, 1, 0)),
        ("kelvin Kelvin", unit(D::Kelvin, 1, 0)),
        ("° deg degrees", unit(D::Degree, 1, 0)),
        ("nm", unit(D::Length, 1, -9)),
        ("µm um", unit(D::Length, 1, -6)),
        ("mm millimeters millimetres", unit(D::Length, 1, -3)),
        ("cm centimeters centimetres", unit(D::Length, 1, -2)),
        ("m meter meters metre metres", unit(D::Length, 1, 0)),
        ("km kilometer kilometers kilometre kilometres", unit(D::Length, 1, 3)),
        ("inch inches", unit(D::Inch, 1, 0)),
        ("ft feet foot", unit(D::Inch, 12, 0)),
        ("yards yard", unit(D::Inch, 36, 0)),
        ("mile miles", unit(D::Inch, 63_360, 0)),
        ("mg", unit(D::Mass, 1, -3)),
        ("g gram grams", unit(D::Mass, 1, 0)),
        ("kg kilogram kilograms", unit(D::Mass, 1, 3)),
        ("tonne tonnes", unit(D::Mass, 1, 6)),
        ("oz ounce ounces", unit(D::Ounce, 1, 0)),
        ("lb lbs pounds", unit(D::Ounce, 16, 0)),
        ("ml mL", unit(D::Volume, 1, -3)),
        ("liters litres liter litre", unit(D::Volume, 1, 0)),
        ("mV", unit(D::Volt, 1, -3)),
        ("V volt volts", unit(D::Volt, 1, 0)),
        ("kV", unit(D::Volt, 1, 3)),
        ("mA", unit(D::Ampere, 1, -3)),
        ("amps amperes", unit(D::Ampere, 1, 0)),
        ("mW", unit(D::Watt, 1, -3)),
        ("W watt watts", unit(D::Watt, 1, 0)),
        ("kW", unit(D::Watt, 1, 3)),
        ("MW", unit(D::Watt, 1, 6)),
        ("Wh", unit(D::WattHour, 1, 0)),
        ("kWh", unit(D::WattHour, 1, 3)),
        ("joules", unit(D::Joule, 1, 0)),
        ("kJ", unit(D::Joule, 1, 3)),
        ("Pa", unit(D::Pascal, 1, 0)),
        ("hPa", unit(D::Pascal, 1, 2)),
        ("kPa", unit(D::Pascal, 1, 3)),
        ("bar", unit(D::Pascal, 1, 5)),
        ("dB", unit(D::Decibel, 1, 0)),
        ("px pixels pixel", unit(D::Pixel, 1, 0)),
        ("x ×", unit(D::Fold, 1, 0)),
        ("ppm", unit(D::PartPerMillion, 1, 0)),
        ("pp ppt pps", unit(D::Point, 1, 0)),
    ])
};

/// A rate of nothing named: so many per this time.
pub(super) fn bare_rate(time: Unit) -> Option<Unit> {
    unit(Dimension::Frequency, 1, 0).per(time)
}

/// The unit that the last part of a key names: `timeout_ms`, `maxBytes`.
pub(super) fn of_key(key: &str) -> Option<Unit> {
    let capital = || key.rfind(|c: char| c.is_ascii_uppercase()).filter(|i| *i > 0);
    let tail = key.get(key.rfind('_').map(|i| i + 1).or_else(capital)?..)?;
    KEY_UNITS.get_folded(tail.as_bytes())
}

static KEY_UNITS: Lexicon<Unit, 128> = {
    use Dimension as D;
    Lexicon::new(&[
        ("ns nanos nanoseconds", unit(D::Time, 1, -9)),
        ("us micros microseconds", unit(D::Time, 1, -6)),
        ("ms msec millis milliseconds", unit(D::Time, 1, -3)),
        ("s sec secs seconds", unit(D::Time, 1, 0)),
        ("mins minutes", unit(D::Time, 60, 0)),
        ("hours hrs", unit(D::Time, 3600, 0)),
        ("days", unit(D::Time, 86_400, 0)),
        ("bytes", unit(D::Byte, 1, 0)),
        ("kb", unit(D::Byte, 1, 3)),
        ("mb", unit(D::Byte, 1, 6)),
        ("gb", unit(D::Byte, 1, 9)),
        ("kib", unit(D::Byte, KIB, 0)),
        ("mib", unit(D::Byte, KIB * KIB, 0)),
        ("gib", unit(D::Byte, KIB * KIB * KIB, 0)),
        ("hz", unit(D::Frequency, 1, 0)),
        ("rps", rate(D::Request, 1, 0, 1)),
        ("qps", rate(D::Query, 1, 0, 1)),
        ("px", unit(D::Pixel, 1, 0)),
    ])
};

/// Whether a text is a unit per another: `req/s`.
pub(super) fn is_rate(text: &str) -> bool {
    text.split_once('/').is_some_and(|(a, b)| lookup(a).is_some() && lookup(b).is_some())
}

/// Whether the unit counts things: alone it is a plain count, only "per time" makes a quantity of it.
pub(super) fn counts(unit: Unit) -> bool {
    use Dimension as D;
    unit.per == 0
        && matches!(
            unit.dimension,
            D::Request
                | D::Query
                | D::Transaction
                | D::Operation
                | D::Frame
                | D::Message
                | D::Event
                | D::Token
                | D::Row
        )
}

/// Whether the name is a unit only where it touches its number: elsewhere it is a word, a name or another unit.
pub(super) fn needs_touch(name: &str) -> bool {
    TOUCHING.has(name)
}

static TOUCHING: Words<32> = Words::new("x × Pi Mi Gi Ki Ti op bar deg ppt pps");

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(amount: i128, name: &str) -> Option<(Decimal, Measure)> {
        lookup(name)?.measure(Decimal::whole(amount))
    }

    #[test]
    fn rates_are_exact() {
        let per_minute = lookup("requests").and_then(|u| u.per(lookup("min")?)).unwrap();
        assert_eq!(per_minute.measure(Decimal::whole(600)), measure(10, "rps"));
        // A third of a request a second is no decimal: the amount stays per three seconds.
        let (amount, unit) = per_minute.measure(Decimal::whole(100)).unwrap();
        assert_eq!((amount, unit.per), (Decimal::whole(5), 3));
        let per_hour = lookup("requests").and_then(|u| u.per(lookup("hour")?)).unwrap();
        assert_eq!(per_hour.measure(Decimal::whole(6000)), per_minute.measure(Decimal::whole(100)));
    }

    #[test]
    fn case_tells_bits_from_bytes() {
        assert_ne!(measure(1, "MB"), measure(1, "Mb"));
        assert_ne!(measure(1, "GB"), measure(1, "GiB"));
        assert_eq!(measure(1, "KiB"), measure(1024, "B"));
        assert_eq!(measure(0, "nothing"), None);
    }

    #[test]
    fn keys_name_units() {
        assert_eq!(of_key("timeout_ms"), lookup("ms"));
        assert_eq!(of_key("maxBytes"), lookup("B"));
        assert_eq!(of_key("items"), None);
        assert_eq!(of_key("ms"), None);
    }
}

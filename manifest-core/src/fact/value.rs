use super::decimal::Decimal;
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Measure(u8);
impl Measure {
    pub(crate) fn is_time(self) -> bool {
        self.0 == 0
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Text,
    Number(Decimal),
    Quantity(Decimal, Measure),
    Percentage(Decimal),
    Money(Decimal, [u8; 3]),
    Instant(i128),
    Local(i128),
    Date(i32),
    Time(i64, Option<i32>),
}

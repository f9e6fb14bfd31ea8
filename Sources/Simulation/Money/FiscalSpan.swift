internal import Domain

/// Three fiscal periods of Apple's 2026. A day is a day of Apple's reports, counted from 1970-01-01.
enum FiscalSpan {
  struct Period: Sendable {
    var number: Int
    var first: Int
    var last: Int
    /// Name of the calendar month on the payments page.
    var month: String

    var name: String { "2026-P\(number)" }
  }

  /// 2026-06-28 to 2026-09-26: five weeks, four, four.
  static let periods = [
    Period(number: 10, first: 20632, last: 20666, month: "July"),
    Period(number: 11, first: 20667, last: 20694, month: "August"),
    Period(number: 12, first: 20695, last: 20722, month: "September"),
  ]
  static let days = periods[0].first...periods[2].last
  /// Number of days from the end of a period to its payment.
  static let daysToPayment = 33

  /// The as-of of the truth, 2026-11-02T00:00:00Z: all three periods are paid.
  static let asOf = Calendar.start

  /// Hours by which Apple's day begins before the UTC day, by storefront; two of them have daylight saving time in all three periods.
  static let dayOffsets: [Int64] = [8, -7, 9, 2, 3]

  /// Returns the index of the period that contains a day; nil outside of them.
  static func period(of day: Int) -> Int? { periods.firstIndex { ($0.first...$0.last).contains(day) } }

  /// Returns the instant of a second in Apple's day of a storefront.
  static func instant(day: Int, second: Int64, store: Int) -> Instant {
    Instant(milliseconds: (Int64(day) * Span.day + second - dayOffsets[store] * Span.hour) * 1000)
  }

  /// Returns Apple's day of an instant.
  static func day(of instant: Instant, store: Int) -> Int {
    let local = instant.milliseconds / 1000 + dayOffsets[store] * Span.hour
    return Int(local / Span.day)
  }

  /// Returns a day as `2026-06-28`.
  static func text(_ day: Int) -> String { CivilDate(daysSince1970: day).description }

  /// Returns a day as `06/28/2026`.
  static func slashed(_ day: Int) -> String {
    let text = text(day)
    return text.dropFirst(5).replacing("-", with: "/") + "/" + text.prefix(4)
  }
}

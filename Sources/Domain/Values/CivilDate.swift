/// A day of the proleptic Gregorian calendar.
public struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  public var year: Int
  public var month: Int
  public var day: Int

  public init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  public static func < (left: CivilDate, right: CivilDate) -> Bool { left.daysSince1970 < right.daysSince1970 }

  /// `YYYY-MM-DD`.
  public var description: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

  /// Days since 1970-01-01.
  ///
  /// - Source: H. Hinnant, "chrono-compatible low-level date algorithms", days_from_civil.
  public var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  public init(daysSince1970: Int) {
    let shifted = daysSince1970 + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  public static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  public static func daysIn(month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CivilDate {
  /// Creates the UTC day that contains an instant.
  public init(_ instant: Timestamp) {
    self.init(daysSince1970: Int(instant.microseconds.flooredQuotientAndRemainder(86_400_000_000).0))
  }

  /// Reads `YYYY-MM-DD`. Returns nil for anything else.
  public init?(_ text: String) {
    guard let start = Timestamp(rfc3339: "\(text)T00:00:00Z") else { return nil }
    self.init(start)
  }

  /// First instant of the day in UTC.
  public var start: Timestamp { Timestamp(milliseconds: Int64(daysSince1970) * 86_400_000) }

  /// First instant of the next day in UTC.
  public var end: Timestamp { advanced(byDays: 1).start }

  public func advanced(byDays days: Int) -> CivilDate { CivilDate(daysSince1970: daysSince1970 + days) }
}

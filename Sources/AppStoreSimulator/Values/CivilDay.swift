internal import Domain

/// A day of the calendar in UTC.
struct CivilDay: Hashable, Sendable {
  /// Days since 1970-01-01.
  let number: Int

  init(_ moment: Moment) {
    let day: Int64 = 86_400_000
    number = Int((moment.milliseconds - (moment.milliseconds % day + day) % day) / day)
  }

  /// Reads `YYYY-MM-DD`. Returns nil for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard text.utf8.count == 10, parts.count == 3, let year = parts[0], let month = parts[1], let date = parts[2],
      (1...12).contains(month), (1...CivilDate.daysIn(month: month, year: year)).contains(date)
    else { return nil }
    number = CivilDate(year: year, month: month, day: date).daysSince1970
  }
}

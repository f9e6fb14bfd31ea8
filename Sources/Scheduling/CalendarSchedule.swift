internal import Domain

/// A schedule in crontab(5) format: minute, hour, day, month and weekday, as in `30 6 * * 1-5`.
public struct CalendarSchedule: Sendable, Hashable {
  let minutes: [Int]
  let hours: [Int]
  private let days: Set<Int>
  private let months: Set<Int>
  /// 0 is Sunday.
  private let weekdays: Set<Int>
  private let isLastDay: Bool
  /// Whether either a day or a weekday suffices: as in cron, if both are restricted.
  private let isEitherDay: Bool
  /// Whether minute or hour begins with `*`. Such a schedule is periodic: clock changes do not alter its intervals.
  let isRhythm: Bool

  public struct Fault: Error, Sendable {
    public var reason: String
  }

  /// Parses five fields of `*`, numbers, ranges, lists and steps. Months and weekdays may be the first three letters of their English
  /// names. `L` is the last day of the month; weekday 7 is Sunday.
  ///
  /// - Source: crontab(5) of Debian's cron 3.0pl1.
  public init(_ text: String) throws(Fault) {
    let fields = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    guard fields.count == 5 else {
      throw Fault(reason: "has \(fields.count) fields, not the five of minute hour day month weekday")
    }
    minutes = try Self.values(fields[0], 0...59, "minute").sorted()
    hours = try Self.values(fields[1], 0...23, "hour").sorted()
    isLastDay = fields[2] == "L"
    days = isLastDay ? [] : try Self.values(fields[2], 1...31, "day")
    months = try Self.values(fields[3], 1...12, "month", names: "jan feb mar apr may jun jul aug sep oct nov dec")
    weekdays = Set(try Self.values(fields[4], 0...7, "weekday", names: "sun mon tue wed thu fri sat").map { $0 % 7 })
    isEitherDay = !fields[2].hasPrefix("*") && !fields[4].hasPrefix("*")
    isRhythm = fields[0].hasPrefix("*") || fields[1].hasPrefix("*")
    guard canOccur else { throw Fault(reason: "names a day that no month has") }
  }

  public var isDailyAtMost: Bool { minutes.count == 1 && hours.count == 1 }

  private var canOccur: Bool {
    isLastDay || isEitherDay
      || months.contains { month in days.contains { $0 <= CivilDate.daysIn(month: month, year: 2000) } }
  }

  func occurs(on date: CivilDate) -> Bool {
    guard months.contains(date.month) else { return false }
    let isDay = isLastDay ? date.day == CivilDate.daysIn(month: date.month, year: date.year) : days.contains(date.day)
    let isWeekday = weekdays.contains(((date.daysSince1970 + 4) % 7 + 7) % 7)
    return isEitherDay ? isDay || isWeekday : isDay && isWeekday
  }

  /// - Parameter names: words for the first values of the range.
  private static func values(_ field: String, _ range: ClosedRange<Int>, _ name: String, names: String = "") throws(Fault) -> Set<Int> {
    let names = names.split(separator: " ")
    func value(_ text: Substring) -> Int? {
      number(text) ?? names.firstIndex(of: text.lowercased()[...]).map { $0 + range.lowerBound }
    }
    var values: Set<Int> = []
    for part in field.split(separator: ",", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: "/", omittingEmptySubsequences: false)
      let step = pieces.count == 2 ? number(pieces[1]) : 1
      let ends = (pieces.first ?? "").split(separator: "-", omittingEmptySubsequences: false)
      let low: Int?
      let high: Int?
      if pieces.first == "*" {
        (low, high) = (range.lowerBound, range.upperBound)
      } else if ends.count == 2 {
        (low, high) = (value(ends[0]), value(ends[1]))
      } else {
        // cron has no sensible meaning for "5/10", so a step needs a range.
        low = pieces.count == 1 ? value(ends.first ?? "") : nil
        high = low
      }
      guard pieces.count <= 2, let step, step >= 1, let low, let high, low <= high, range.contains(low),
        range.contains(high)
      else {
        let words = names.isEmpty ? "" : ", English names of three letters"
        throw Fault(
          reason: "has the \(name) \"\(field)\", which is not made of *, numbers \(range.lowerBound) to "
            + "\(range.upperBound)\(words), ranges a-b, lists a,b and steps */n or a-b/n")
      }
      values.formUnion(stride(from: low, through: high, by: step))
    }
    return values
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }
}

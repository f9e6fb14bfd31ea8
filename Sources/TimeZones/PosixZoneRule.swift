internal import Domain

/// The rule of a time zone after its last listed transition, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// - Source: POSIX.1-2024, XBD 8.3 "TZ"; RFC 9636 section 3.3.1 for hours beyond a day.
struct PosixZoneRule: Sendable, Hashable {
  /// A day of the year and a time, which may lie outside that day.
  private struct Change: Hashable {
    enum Day: Hashable {
      /// Month, week 1...5 (5 is the last) and weekday (0 is Sunday).
      case weekday(month: Int, week: Int, weekday: Int)
      /// Day 1...365, which never counts 29 February.
      case julian(Int)
      /// Day 0...365, which counts 29 February.
      case ordinal(Int)
    }
    var day: Day
    var seconds: Int64

    /// Returns the wall-clock time of the change in a year, in seconds since 1970 as if it were UTC.
    func local(year: Int) -> Int64 {
      let january = CivilDate(year: year, month: 1, day: 1).daysSince1970
      let days: Int
      switch day {
      case .julian(let number): days = january + number - (CivilDate.isLeap(year) && number >= 60 ? 0 : 1)
      case .ordinal(let number): days = january + number
      case .weekday(let month, let week, let weekday):
        let firstDay = CivilDate(year: year, month: month, day: 1).daysSince1970
        // 1970-01-01 was a Thursday.
        let firstWeekday = (firstDay + 4) % 7
        var date = 1 + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
        if date > CivilDate.daysIn(month: month, year: year) { date -= 7 }
        days = firstDay + date - 1
      }
      return Int64(days) * 86_400 + seconds
    }
  }

  private let standard: Int64
  private let summer: Int64
  private let begin: Change?
  private let end: Change?

  /// Returns nil if the text is not such a rule.
  init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard reader.skipName(), let west = reader.seconds() else { return nil }
    standard = -west
    guard !reader.isAtEnd else {
      summer = standard
      begin = nil
      end = nil
      return
    }
    guard reader.skipName() else { return nil }
    var summer = standard + 3600
    if !reader.isNext(",") {
      guard let west = reader.seconds() else { return nil }
      summer = -west
    }
    self.summer = summer
    guard let begin = reader.change(), let end = reader.change(), reader.isAtEnd else { return nil }
    self.begin = begin
    self.end = end
  }

  func offset(at instant: Int64) -> Int64 {
    guard let begin, let end else { return standard }
    let year = CivilDate(daysSince1970: Int((instant + standard).flooredQuotientAndRemainder(86_400).0)).year
    let start = begin.local(year: year) - standard
    let stop = end.local(year: year) - summer
    let isSummer = start < stop ? instant >= start && instant < stop : instant >= start || instant < stop
    return isSummer ? summer : standard
  }

  private struct Reader {
    var bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position >= bytes.count }

    func isNext(_ character: Unicode.Scalar) -> Bool {
      position < bytes.count && bytes[position] == UInt8(ascii: character)
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard isNext(character) else { return false }
      position += 1
      return true
    }

    /// Skips letters, or any text between `<` and `>`.
    mutating func skipName() -> Bool {
      let start = position
      if take("<") {
        while !isAtEnd, !isNext(">") { position += 1 }
        return take(">")
      }
      while position < bytes.count, (0x41...0x5A).contains(bytes[position] & 0xDF) { position += 1 }
      return position > start
    }

    mutating func number(max: Int) -> Int? {
      let start = position
      var value = 0
      while position < bytes.count, (0x30...0x39).contains(bytes[position]), value <= max {
        value = value * 10 + Int(bytes[position] - 0x30)
        position += 1
      }
      return position > start && value <= max ? value : nil
    }

    /// Parses `[+-]hh[:mm[:ss]]`.
    mutating func seconds() -> Int64? {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      guard let hours = number(max: 167) else { return nil }
      var seconds = hours * 3600
      if take(":") {
        guard let minutes = number(max: 59) else { return nil }
        seconds += minutes * 60
        if take(":") {
          guard let rest = number(max: 59) else { return nil }
          seconds += rest
        }
      }
      return Int64(isNegative ? -seconds : seconds)
    }

    mutating func change() -> Change? {
      guard take(",") else { return nil }
      let day: Change.Day
      if take("M") {
        guard let month = number(max: 12), month >= 1, take("."), let week = number(max: 5), week >= 1, take("."),
          let weekday = number(max: 6)
        else { return nil }
        day = .weekday(month: month, week: week, weekday: weekday)
      } else if take("J") {
        guard let number = number(max: 365), number >= 1 else { return nil }
        day = .julian(number)
      } else {
        guard let number = number(max: 365) else { return nil }
        day = .ordinal(number)
      }
      guard take("/") else { return Change(day: day, seconds: 7200) }
      guard let seconds = seconds() else { return nil }
      return Change(day: day, seconds: seconds)
    }
  }
}

public import Domain
internal import TimeZones

/// The windows to start now, oldest first, and the number of skipped ones.
public struct DuePlan: Sendable, Hashable {
  public var windows: [Window]
  /// Missed starts that the catch-up policy skips, counted up to `JobFile.missedMax`.
  public var skippedCount: Int
}

/// Returns a job's due windows and the number of skipped ones. The result depends only on the job, the clock and the last start.
///
/// - Parameter lastDone: scheduled time of the latest started window. With nil the job begins with its latest window and catches up
///   nothing. Nothing is due if the clock was set back before `lastDone`.
public func duePlan(_ job: JobFile, now: Timestamp, lastDone: Timestamp?) -> DuePlan {
  let limit = lastDone == nil ? 1 : JobFile.missedMax
  let starts = job.starts(after: lastDone?.wholeSeconds, through: now.wholeSeconds, latest: limit)
  let kept: Int
  switch job.catchUp.policy {
  case .all: kept = job.catchUp.max
  case .latest: kept = 1
  case .none: kept = starts.last.map { now.wholeSeconds - $0 <= job.catchUp.startWithinSeconds ? 1 : 0 } ?? 0
  }
  let windows = starts.suffix(kept).map(job.window(startingAt:))
  return DuePlan(windows: windows, skippedCount: starts.count - windows.count)
}

extension JobFile {
  /// Largest number of starts considered, the latest first: 34 days at one start per five minutes.
  public static let missedMax = 10_000
  /// Days searched backwards for a start; two leap days are at most eight years apart.
  private static let searchDaysMax = 8 * 366 + 2

  /// Returns the windows with a start after `from` and up to `to`, oldest first; nil if there are more than `max`.
  public func windows(after from: Timestamp, through to: Timestamp, max: Int) -> [Window]? {
    let starts = starts(after: from.wholeSeconds, through: to.wholeSeconds, latest: max + 1)
    return starts.count > max ? nil : starts.map(window(startingAt:))
  }

  /// Returns the latest window with a start up to an instant; nil if the schedule had none in eight years.
  public func latestWindow(at instant: Timestamp) -> Window? {
    starts(after: nil, through: instant.wholeSeconds, latest: 1).first.map(window(startingAt:))
  }

  /// Returns the window of a start, which is in seconds since 1970.
  func window(startingAt start: Int64) -> Window {
    let from: Int64
    let to: Int64
    switch window {
    case .seconds(let length): (from, to) = (start - length, start)
    case .sincePrevious:
      from = starts(after: nil, through: start - 1, latest: 1).first ?? start - 86_400
      to = start
    case .previousDay:
      let today = localDate(at: start)
      from = dayStart(CivilDate(daysSince1970: today.daysSince1970 - 1))
      to = dayStart(today)
    case .previousMonth:
      let today = localDate(at: start)
      let first = CivilDate(year: today.year, month: today.month, day: 1)
      let last = CivilDate(daysSince1970: first.daysSince1970 - 1)
      from = dayStart(CivilDate(year: last.year, month: last.month, day: 1))
      to = dayStart(first)
    }
    return Window(
      scheduledAt: Timestamp(microseconds: start * 1_000_000), from: Timestamp(microseconds: from * 1_000_000),
      to: Timestamp(microseconds: to * 1_000_000), businessDay: localDate(at: from))
  }

  /// Returns the latest starts after one instant (nil: any) and up to another, oldest first, at most `latest` of them.
  func starts(after: Int64?, through: Int64, latest: Int) -> [Int64] {
    if let after, after >= through { return [] }
    switch schedule {
    case .every(let seconds): return everyStarts(seconds, after: after, through: through, latest: latest)
    case .calendar(let calendar): return calendarStarts(calendar, after: after, through: through, latest: latest)
    }
  }

  private func everyStarts(_ seconds: Int64, after: Int64?, through: Int64, latest: Int) -> [Int64] {
    var start = through.flooredQuotientAndRemainder(seconds).0 * seconds
    var starts: [Int64] = []
    while starts.count < latest, after.map({ start > $0 }) ?? true {
      starts.append(start)
      start -= seconds
    }
    return starts.reversed()
  }

  private func calendarStarts(_ calendar: CalendarSchedule, after: Int64?, through: Int64, latest: Int) -> [Int64] {
    // A start that the clock skips may occur on the following date.
    var day = localDate(at: through).daysSince1970 + 1
    let firstDay = max(day - Self.searchDaysMax, after.map { localDate(at: $0).daysSince1970 - 1 } ?? .min)
    var starts: [Int64] = []
    while day >= firstDay, starts.count < latest {
      let date = CivilDate(daysSince1970: day)
      if calendar.occurs(on: date) {
        for start in daysStarts(calendar, day: day).reversed() {
          guard start <= through, after.map({ start > $0 }) ?? true else { continue }
          if let last = starts.last, start >= last { continue }
          guard starts.count < latest else { break }
          starts.append(start)
        }
      }
      day -= 1
    }
    return starts.reversed()
  }

  /// Returns the starts on a date of the wall clock, ascending and distinct.
  private func daysStarts(_ calendar: CalendarSchedule, day: Int) -> [Int64] {
    var starts: Set<Int64> = []
    for hour in calendar.hours {
      for minute in calendar.minutes {
        let local = Int64(day) * 86_400 + Int64(hour) * 3600 + Int64(minute) * 60
        switch timeZone.meaning(ofLocal: local) {
        case .once(let start): starts.insert(start)
        case .twice(let first, let second):
          starts.insert(first)
          if calendar.isRhythm { starts.insert(second) }
        case .never(let changedAt):
          if !calendar.isRhythm, daylightSaving == .runOnce { starts.insert(changedAt) }
        }
      }
    }
    return starts.sorted()
  }

  private func localDate(at instant: Int64) -> CivilDate {
    CivilDate(daysSince1970: Int((instant + timeZone.offset(at: instant)).flooredQuotientAndRemainder(86_400).0))
  }

  /// Returns the first instant of a date. Some zones set their clocks forward at midnight.
  private func dayStart(_ date: CivilDate) -> Int64 {
    switch timeZone.meaning(ofLocal: Int64(date.daysSince1970) * 86_400) {
    case .once(let start): start
    case .twice(let first, _): first
    case .never(let changedAt): changedAt
    }
  }
}

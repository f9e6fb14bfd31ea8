package import AppStoreServer
package import Domain

/// One of Apple's fiscal months.
package struct FiscalPeriod: Sendable, Hashable {
  package var name: String
  package var startsOn: CivilDate
  package var endsOn: CivilDate

  package init(_ name: String, startsOn: CivilDate, endsOn: CivilDate) {
    self.name = name
    self.startsOn = startsOn
    self.endsOn = endsOn
  }
}

/// The reports of a vendor number that should exist at a business clock, and the test whether one is due.
package struct ReportPlan: Sendable {
  /// Reports that should exist with the last day they cover, oldest first, because Apple removes those first.
  package private(set) var queries: [(query: ConnectQuery, lastDay: CivilDate)] = []
  private let asOf: Timestamp
  private let again: Set<String>

  /// Default number of days to cover.
  package static let daysDefault = 365
  /// Minimum time between two requests for a missing report.
  private static let pauseSeconds: Int64 = 3600

  /// - Parameters:
  ///   - from: first day to cover; nil is a year ago.
  ///   - to: last day; nil for no end.
  ///   - calendar: fiscal periods in order; those outside the days are ignored.
  ///   - again: periods to request even if their reports are known.
  package init(
    reports: [ConnectReport], vendor: String, from: CivilDate?, to: CivilDate?, calendar: [FiscalPeriod], again: Set<String> = [],
    asOf: Timestamp
  ) {
    self.asOf = asOf
    self.again = again
    let today = CivilDate(asOf)
    for report in reports {
      let schedule = report.schedule
      let edge = today.advanced(byDays: -schedule.retentionDays)
      let first = max(from ?? today.advanced(byDays: -Self.daysDefault), edge)
      let last = min(to ?? today, today)
      func add(_ period: String, _ lastDay: CivilDate) {
        guard lastDay.end.advanced(bySeconds: schedule.firstAskSeconds) <= asOf else { return }
        queries.append((ConnectQuery(report, vendor: vendor, period: period), lastDay))
      }
      if report.isFiscal {
        for period in calendar {
          let isWanted = period.endsOn >= first && period.startsOn <= last
          if isWanted || again.contains(period.name) { add(period.name, period.endsOn) }
        }
      } else {
        var days = Set((first <= last ? first.daysSince1970...last.daysSince1970 : 0...0).filter { $0 > 0 })
        days.formUnion(again.compactMap { CivilDate($0)?.daysSince1970 })
        for day in days.sorted() { add(CivilDate(daysSince1970: day).description, CivilDate(daysSince1970: day)) }
      }
    }
    queries.sort { ($0.lastDay, $0.query.report.rawValue) < ($1.lastDay, $1.query.report.rawValue) }
  }

  /// Returns whether a report is requested now.
  package func isDue(_ query: ConnectQuery, lastDay: CivilDate, _ position: ReportPosition?) -> Bool {
    if again.contains(query.period) { return true }
    guard let position else { return true }
    let end = lastDay.end
    if position.contentSHA256 != nil, position.outcome != .refused {
      return query.report.schedule.againSeconds.map { end.advanced(bySeconds: $0) }.contains { position.askedAt < $0 && $0 <= asOf }
    }
    let isPauseOver = position.askedAt.advanced(bySeconds: Self.pauseSeconds) <= asOf
    switch position.outcome {
    case .report, .outsideRetention: return false
    case .noSales: return isPauseOver && position.askedAt < end.advanced(bySeconds: query.report.schedule.certainSeconds)
    case .notReady: return isPauseOver
    // An operator who corrected a key or a number expects the result at once. A report that could not be read is requested again.
    case .forbidden, .wrongVendor, .refused: return true
    }
  }

  /// Returns the meaning of Apple's answer at this clock. "No sales" is ambiguous for a fiscal period that may not be settled yet.
  func outcome(_ answer: ConnectOutcome, of query: ConnectQuery, lastDay: CivilDate) -> ConnectOutcome {
    let isUncertain = query.report.isFiscal && asOf < lastDay.end.advanced(bySeconds: query.report.schedule.certainSeconds)
    return answer == .noSales && isUncertain ? .notReady : answer
  }

  /// Returns whether a missing report is overdue.
  package func isLate(_ query: ConnectQuery, lastDay: CivilDate) -> Bool {
    lastDay.end.advanced(bySeconds: query.report.schedule.lateSeconds) <= asOf
  }

  /// Returns the reports that were never downloaded while Apple had them.
  func lapsed(_ positions: [ConnectQuery: ReportPosition]) -> [ConnectQuery] {
    let today = CivilDate(asOf)
    return positions.filter { query, position in
      guard position.contentSHA256 == nil, let day = CivilDate(query.period) else { return false }
      let isOpen = [.notReady, .forbidden, .wrongVendor, .refused].contains(position.outcome)
      return isOpen && day < today.advanced(byDays: -query.report.schedule.retentionDays)
    }.map(\.key).sorted { ($0.period, $0.report.rawValue) < ($1.period, $1.report.rawValue) }
  }
}

package import AppStoreServer
package import Domain

/// The times at which Apple creates, revises and removes a kind of report, counted from the end of its last day in UTC.
package struct ReportSchedule: Sendable {
  /// Time before which the report is not requested.
  var firstAskSeconds: Int64
  /// Time after which a missing report is overdue.
  var lateSeconds: Int64
  /// Time after which "no sales" is final; before, Apple may answer it for a report not yet created.
  var certainSeconds: Int64
  /// Times after which a stored report is requested once more, because Apple publishes corrected versions.
  var againSeconds: [Int64]
  /// Number of days that Apple keeps the report.
  package var retentionDays: Int

  private static let hour: Int64 = 3600
  private static let day: Int64 = 86_400

  /// Daily reports: available by 5 a.m. Pacific time of the next day, kept for 365 days. A recent day may be revised.
  ///
  /// - Source: App Store Connect Help, "Report availability and storage".
  static let daily = ReportSchedule(
    firstAskSeconds: 13 * hour, lateSeconds: 2 * day, certainSeconds: 3 * day, againSeconds: [3 * day, 30 * day], retentionDays: 365)

  /// Reports of a fiscal period, which ends on a Saturday: available by the following Friday, paid within 45 days, kept for ten years.
  /// Apple answers the same for an unsettled period and for one without sales.
  ///
  /// - Source: App Store Connect Help, "Payments and financial reports".
  static let fiscal = ReportSchedule(
    firstAskSeconds: 3 * day, lateSeconds: 14 * day, certainSeconds: 21 * day, againSeconds: [21 * day, 46 * day],
    retentionDays: 3650)

  package static func of(_ report: ConnectReport) -> ReportSchedule { report.isFiscal ? fiscal : daily }
}

extension CivilDate {
  /// Creates the UTC day that contains an instant.
  init(_ instant: Timestamp) {
    let seconds = instant.wholeSeconds
    self.init(daysSince1970: Int((seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400))
  }

  /// Reads `YYYY-MM-DD`. Returns nil for anything else.
  package init?(_ text: String) {
    guard text.utf8.count == 10, let instant = Timestamp(rfc3339: "\(text)T00:00:00Z") else { return nil }
    self.init(instant)
  }

  /// End of the day in UTC.
  var end: Timestamp { Timestamp(milliseconds: Int64(daysSince1970 + 1) * 86_400_000) }

  func advanced(byDays days: Int) -> CivilDate { CivilDate(daysSince1970: daysSince1970 + days) }
}

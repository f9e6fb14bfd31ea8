package import AppStoreServer

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
}

extension ConnectReport {
  package var schedule: ReportSchedule { isFiscal ? .fiscal : .daily }
}

package import AppStoreServer
package import Domain

/// When Apple makes a kind of report, makes it anew, and forgets it; counted from the end of its last day, in UTC.
package struct ReportRhythm: Sendable {
  /// Nobody asks sooner.
  var firstAskSeconds: Int64
  /// From then on a report that is not there is late.
  var lateSeconds: Int64
  /// From then on "no sales" is believed for good; before, Apple may say so of what it has not made.
  var certainSeconds: Int64
  /// What was taken is asked for again once after each of these: Apple makes corrected versions.
  var againSeconds: [Int64]
  /// Days that Apple keeps it.
  package var retentionDays: Int

  private static let hour: Int64 = 3600
  private static let day: Int64 = 86_400

  /// Of a day: there by 5 in the morning of the next day in Pacific time, kept for 365 days. A fresh day is revised.
  ///
  /// - Source: App Store Connect Help, "Report availability and storage".
  static let daily = ReportRhythm(
    firstAskSeconds: 13 * hour, lateSeconds: 2 * day, certainSeconds: 3 * day, againSeconds: [3 * day, 30 * day], retentionDays: 365)

  /// Of a fiscal period, which ends on a Saturday: there by the Friday after it, paid within 45 days, kept for ten years. Of a
  /// period that is not settled Apple says what it says of one without sales.
  ///
  /// - Source: App Store Connect Help, "Payments and financial reports".
  static let fiscal = ReportRhythm(
    firstAskSeconds: 3 * day, lateSeconds: 14 * day, certainSeconds: 21 * day, againSeconds: [21 * day, 46 * day],
    retentionDays: 3650)

  package static func of(_ report: ConnectReport) -> ReportRhythm { report.isFiscal ? fiscal : daily }
}

extension CivilDate {
  /// The day that holds an instant, in UTC.
  init(_ instant: Timestamp) {
    let seconds = instant.wholeSeconds
    self.init(daysSince1970: Int((seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400))
  }

  /// Reads `YYYY-MM-DD`; nil for anything else.
  package init?(_ text: String) {
    guard text.utf8.count == 10, let instant = Timestamp(rfc3339: "\(text)T00:00:00Z") else { return nil }
    self.init(instant)
  }

  /// The instant at which it ends, in UTC.
  var end: Timestamp { Timestamp(milliseconds: Int64(daysSince1970 + 1) * 86_400_000) }

  func advanced(byDays days: Int) -> CivilDate { CivilDate(daysSince1970: daysSince1970 + days) }
}

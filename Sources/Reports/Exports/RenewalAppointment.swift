internal import Domain
internal import JobCore
internal import Scheduling

/// When Apple is asked next about a subscription of a list, by what was known at the list's clock.
enum RenewalAppointment {
  /// - Parameters:
  ///   - expiresAt: column of the end of the paid period.
  ///   - isRenewing: column that says whether the subscription renews.
  ///   - askedAt: column of the last answer.
  static func next(
    _ row: ReportRecord, expiresAt: String, isRenewing: String, askedAt: String, at clock: Timestamp
  ) -> String? {
    func instant(_ name: String) -> Timestamp? { row[name].flatMap { Timestamp(rfc3339: $0) } }
    guard let end = instant(expiresAt) else { return nil }
    var subject = RenewalSchedule.Subject(
      environment: row["environment"] ?? "Production", bundleID: row.text("bundle_id"),
      originalTransactionID: row.text("original_transaction_id"), expiresAt: end)
    subject.graceUntil = instant("grace_until")
    subject.isRenewing = row[isRenewing].map { $0 == "true" }
    subject.isRetrying = row["is_retrying"] == "true"
    subject.isOver = row["is_over"] == "true"
    subject.heardAt = instant("heard_at")
    subject.askedAt = instant(askedAt)
    return RenewalSchedule.next(for: subject, at: clock)?.dueAt.rfc3339
  }
}

internal import Domain
internal import JobCore
internal import Scheduling

/// The next query to Apple about a subscription of a list, by what was known at the list's clock.
enum NextPoll {
  /// Returns the column with the instant of the next query, null if there is none.
  ///
  /// - Parameters:
  ///   - environment: column of the App Store environment; nil for a list of Production only.
  ///   - expiresAt: column with the end of the paid period.
  ///   - isRenewing: column that states whether the subscription renews.
  ///   - askedAt: column with the instant of the last answer.
  ///   - hiddenCount: number of last columns that only serve this computation and are not shown.
  static func column(
    environment: String? = nil, expiresAt: String, isRenewing: String, askedAt: String, hiddenCount: Int, at clock: Timestamp
  ) -> RowEncoder.Computed {
    let next = { (row: ReportRecord) throws -> String? in
      func instant(_ name: String) throws -> Timestamp? { try row[name].flatMap { Timestamp(rfc3339: $0) } }
      guard let end = try instant(expiresAt) else { return nil }
      var subject = try RenewalSchedule.Subject(
        environment: environment.map { try row.text($0) } ?? "Production", bundleID: row.text("bundle_id"),
        originalTransactionID: row.text("original_transaction_id"), expiresAt: end)
      subject.graceUntil = try instant("grace_until")
      subject.isRenewing = try row.flag(isRenewing)
      subject.isRetrying = try row.flag("is_retrying") == true
      subject.isOver = try row.flag("is_over") == true
      subject.heardAt = try instant("heard_at")
      subject.askedAt = try instant(askedAt)
      return RenewalSchedule.next(for: subject, at: clock)?.dueAt.rfc3339
    }
    return ("next_poll_at", hiddenCount, next)
  }
}

internal import Domain
internal import Postgres
internal import Scheduling

/// Keeps the stored appointments equal to what the schedule makes of the facts.
struct RenewalQueue: Sendable {
  let context: JobContext
  let session: Session
  /// Clock of the leases.
  let now: Timestamp

  /// Subscriptions that ended longer ago are never asked about.
  static let pastSeconds: Int64 = 62 * 86_400

  fileprivate struct Appointment: Sendable {
    var bundleID: String
    var originalTransactionID: String
    var exposure: Int64
    var currency: String
    var slot: RenewalSchedule.Slot
  }

  /// Brings the queue of some apps up to the facts at the business clock.
  func refresh(bundles: [String]) async throws {
    let queue = self
    let sql = context.sql
    let nowValue = Value.timestamptz(microseconds: now.microseconds)
    try await session.retrying { tx in
      try tx.execute(sql.text("renewals/00_staged_polls.sql"))
      let appointments = try queue.appointments(bundles, &tx)
      _ = try tx.copyIn(
        "copy staged_poll (original_transaction_id, bundle_id, slot, currency, exposure_milliunits, opens_at, due_at) "
          + "from stdin (format binary)"
      ) { writer in
        for appointment in appointments { try appointment.write(to: &writer) }
      }
      try tx.execute("analyze staged_poll")
      _ = try tx.run(sql("renewals/drop_polls.sql"), ["bundles": .textArray(bundles), "now": nowValue])
      _ = try tx.run(sql("renewals/queue_polls.sql"), ["now": nowValue])
    }
  }

  private func appointments(_ bundles: [String], _ tx: inout Transaction) throws -> [Appointment] {
    let asOf = context.asOf
    let parameters: [String: Value] = [
      "as_of": context.asOfValue, "bundles": .textArray(bundles),
      "ends_from": .timestamptz(microseconds: asOf.advanced(bySeconds: -Self.pastSeconds).microseconds),
    ]
    return try tx.rows(context.sql("renewals/poll_subjects.sql"), parameters) { row throws(PostgresError) in
      var subject = RenewalSchedule.Subject(
        bundleID: try row.text(), originalTransactionID: try row.text(),
        expiresAt: Timestamp(microseconds: try row.timestamptz()))
      subject.graceUntil = try row.optionalTimestamptz().map { Timestamp(microseconds: $0) }
      subject.isRenewing = try row.optionalBool()
      subject.isRetrying = try row.bool()
      subject.heardAt = try row.optionalTimestamptz().map { Timestamp(microseconds: $0) }
      subject.askedAt = try row.optionalTimestamptz().map { Timestamp(microseconds: $0) }
      let exposure = try row.int8()
      let currency = try row.text()
      return RenewalSchedule.next(for: subject, at: asOf).map { slot in
        Appointment(
          bundleID: subject.bundleID, originalTransactionID: subject.originalTransactionID, exposure: exposure,
          currency: currency, slot: slot)
      }
    }.compactMap { $0 }
  }
}

extension RenewalQueue.Appointment {
  fileprivate func write(to writer: inout CopyWriter) throws {
    try writer.beginRow(columns: 7)
    try writer.text(originalTransactionID)
    try writer.text(bundleID)
    try writer.text(slot.name)
    try writer.text(currency)
    try writer.int8(exposure)
    try writer.timestamptz(microseconds: slot.opensAt.microseconds)
    try writer.timestamptz(microseconds: slot.dueAt.microseconds)
  }
}

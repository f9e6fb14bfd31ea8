internal import Domain
internal import Ingest
internal import JobCore
internal import Postgres
internal import Scheduling

/// Updates the stored appointments to the schedule that follows from the facts.
struct RenewalQueue: Sendable {
  let context: JobContext
  let session: Session
  /// Clock of the leases.
  let now: Timestamp

  private typealias Appointment = (subject: RenewalSchedule.Subject, exposure: Int64, currency: String, slot: RenewalSchedule.Slot)

  /// Updates the queue of all apps to the facts at the business clock. The first refresh builds the whole queue; later ones process new
  /// facts only.
  func refresh() async throws {
    let bundles = context.settings.apps.map(\.bundleID).sorted()
    let polls = try context.sql(RenewalsSQL.stagedPolls)
    try await session.retrying { tx in
      // The lock excludes concurrent ingestion, so that all new facts are committed.
      try tx.send(context.sql(IngestSQL.storeLock))
      tx.send(polls)
      let (clock, isWhole) = try stageChains(bundles, &tx)
      try update(bundles, clock: clock, isWhole: isWhole, &tx)
    }
  }

  /// Returns the version of the queue, which is rebuilt for another code version or other apps.
  private func version(_ bundles: [String]) -> String { "\(context.codeVersion) \(bundles.joined(separator: " "))" }

  /// Stages the chains whose appointments may have changed. Returns the clock, and whether all subscriptions are evaluated.
  private func stageChains(_ bundles: [String], _ tx: inout DatabaseTransaction) throws -> (clock: Timestamp, isWhole: Bool) {
    let sql = context.sql
    let known: [String: Value] = ["bundles": .textArray(bundles), "code_version": .text(version(bundles)), "as_of": context.asOfValue]
    let found = try tx.rows(sql(RenewalsSQL.findRefresh), known).first
    let isWhole = !(found?.0 ?? false)
    let clock = isWhole ? context.asOf : found.map { _, latest in Timestamp(microseconds: latest) } ?? context.asOf
    let at: [String: Value] = ["clock": clock.sqlValue]
    try tx.send(sql(RenewalsSQL.takeChangedChains), at)
    if isWhole {
      try tx.send(sql(RenewalsSQL.queueLaterChains), at)
    } else {
      try tx.send(sql(RenewalsSQL.addDueChains), at.merging(["bundles": .textArray(bundles)]) { $1 })
    }
    return (clock, isWhole)
  }

  private func update(_ bundles: [String], clock: Timestamp, isWhole: Bool, _ tx: inout DatabaseTransaction) throws {
    let sql = context.sql
    let appointments = try appointments(bundles, clock: clock, isWhole: isWhole, &tx)
    _ = try tx.copyIn(
      "copy staged_poll (original_transaction_id, bundle_id, slot, currency, exposure_milliunits, opens_at, due_at) "
        + "from stdin (format binary)"
    ) { writer in
      for appointment in appointments {
        try writer.row(
          appointment.subject.originalTransactionID, appointment.subject.bundleID, appointment.slot.name, appointment.currency,
          appointment.exposure, appointment.slot.opensAt, appointment.slot.dueAt)
      }
    }
    tx.send("analyze staged_poll; analyze staged_chain")
    try tx.send(sql(RenewalsSQL.dropPolls), ["bundles": .textArray(bundles), "is_whole": .bool(isWhole), "now": now.sqlValue])
    try tx.send(sql(RenewalsSQL.queuePolls), ["now": now.sqlValue])
    try tx.send(
      sql(RenewalsSQL.recordRefresh),
      ["bundles": .textArray(bundles), "code_version": .text(version(bundles)), "clock": clock.sqlValue])
  }

  private func appointments(
    _ bundles: [String], clock: Timestamp, isWhole: Bool, _ tx: inout DatabaseTransaction
  ) throws -> [Appointment] {
    let parameters: [String: Value] = [
      "bundles": .textArray(bundles), "clock": clock.sqlValue, "is_whole": .bool(isWhole),
      "ends_from": clock.advanced(bySeconds: -ReceiptCollector.pollsUntilSeconds).sqlValue,
    ]
    let rows = try tx.rows(context.sql(RenewalsSQL.pollSubjects), parameters)
    return rows.compactMap { row -> Appointment? in
      let (bundleID, id, expiresAt, graceUntil, isRenewing, isRetrying, heardAt, askedAt, exposure, currency) = row
      var subject = RenewalSchedule.Subject(bundleID: bundleID, originalTransactionID: id, expiresAt: Timestamp(microseconds: expiresAt))
      subject.graceUntil = graceUntil.map { Timestamp(microseconds: $0) }
      subject.isRenewing = isRenewing
      subject.isRetrying = isRetrying
      subject.heardAt = heardAt.map { Timestamp(microseconds: $0) }
      subject.askedAt = askedAt.map { Timestamp(microseconds: $0) }
      return RenewalSchedule.next(for: subject, at: clock).map { (subject, exposure, currency, $0) }
    }
  }
}

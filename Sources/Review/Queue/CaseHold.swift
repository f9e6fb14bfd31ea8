internal import Domain
internal import JobCore
internal import Postgres

/// Two who act on a case at the same moment act one after the other: whoever comes second finds what the first one did.
extension CaseJob {
  /// Acts on cases in one transaction; everything that somebody does of a case goes through here.
  ///
  /// - Parameters:
  ///   - begins: whether something new begins, which has to be told apart from what ended at the same clock.
  ///   - work: told the clock to act at. All that it decides by it reads itself.
  /// - Throws: `JobError` where the database keeps what somebody else did.
  static func act<Outcome: Sendable>(
    on caseIDs: [String], _ context: JobContext, _ session: Session, begins: Bool = false, isDryRun: Bool = false,
    _ work: @escaping @Sendable (JobContext, inout DatabaseTransaction) throws -> Outcome
  ) async throws -> Outcome {
    do {
      // Not on one state of the database: what others did while this one waited has to be seen, and so has the audit chain.
      return try await session.deciding(isDryRun: isDryRun, in: .readWrite) { tx in
        let held = try hold(caseIDs, context, begins: begins, &tx)
        return try work(held, &tx)
      }
    } catch PostgresError.server(let error) where error.sqlState == .uniqueViolation {
      throw sameMoment
    }
  }

  /// Has whoever else acts on these cases wait until the transaction ends.
  ///
  /// - Returns: the same at a clock that what was done of them is not after.
  static func hold(
    _ caseIDs: [String], _ context: JobContext, begins: Bool = false, _ tx: inout DatabaseTransaction
  ) throws -> JobContext {
    _ = try tx.rows(context.sql(QueueSQL.hold), ["case_ids": .textArray(caseIDs)])
    let held = try later(caseIDs, context, &tx)
    let ended: [String: Value] = ["case_ids": .textArray(caseIDs), "as_of": held.asOfValue]
    guard begins, try tx.rows(context.sql(QueueSQL.isGivenBack), ended).first == true else { return held }
    return held.moved(to: Timestamp(microseconds: held.asOf.microseconds + 1))
  }

  /// The same at a clock that what was done of some cases is not after: requests do not come in the order of their clocks.
  static func later(_ caseIDs: [String], _ context: JobContext, _ tx: inout DatabaseTransaction) throws -> JobContext {
    let latest = try tx.rows(context.sql(QueueSQL.latestAct), ["case_ids": .textArray(caseIDs)]).first ?? nil
    guard let latest, latest > context.asOf.microseconds else { return context }
    return context.moved(to: Timestamp(microseconds: latest + 1))
  }

  static let sameMoment = JobError("could not act: somebody else did at the same moment", hint: "Look again.", status: .lockHeld)
}

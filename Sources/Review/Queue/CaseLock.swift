internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// Serialisation of concurrent actions on a case: the second one sees the effects of the first.
extension CaseJob {
  /// Performs an action on cases in one transaction. Every action on a case uses this function.
  ///
  /// - Parameters:
  ///   - begins: whether the action starts something that must differ in time from an end at the same clock.
  ///   - work: the action at the given clock. It must read everything it depends on itself.
  /// - Throws: `JobError` if a concurrent action violates a unique constraint.
  static func act<Outcome: Sendable>(
    on caseIDs: [String], _ context: JobContext, _ session: Session, begins: Bool = false, isDryRun: Bool = false,
    _ work: @escaping @Sendable (JobContext, inout DatabaseTransaction) throws -> Outcome
  ) async throws -> Outcome {
    do {
      // Not on a snapshot: the action must see the changes of the actions it waited for, and the end of the audit chain.
      return try await session.deciding(isDryRun: isDryRun, in: .readWrite) { tx in
        try work(lock(caseIDs, context, begins: begins, &tx), &tx)
      }
    } catch PostgresError.server(let error) where error.sqlState == .uniqueViolation {
      throw sameMoment
    }
  }

  /// Locks cases until the transaction ends, so that other actions on them wait.
  ///
  /// - Returns: the context with a clock not before the cases' latest action.
  static func lock(_ caseIDs: [String], _ context: JobContext, begins: Bool = false, _ tx: inout DatabaseTransaction) throws -> JobContext {
    _ = try tx.rows(context.sql(QueueSQL.lockCases), ["case_ids": .textArray(caseIDs)])
    let context = try later(caseIDs, context, &tx)
    let ended: [String: Value] = ["case_ids": .textArray(caseIDs), "as_of": context.asOfValue]
    guard begins, try tx.rows(context.sql(QueueSQL.isReleased), ended).first == true else { return context }
    return context.withClock(Timestamp(microseconds: context.asOf.microseconds + 1))
  }

  /// Returns the context with a clock after the latest action on some cases, because requests do not arrive in clock order.
  static func later(_ caseIDs: [String], _ context: JobContext, _ tx: inout DatabaseTransaction) throws -> JobContext {
    let latest = try tx.rows(context.sql(QueueSQL.latestAct), ["case_ids": .textArray(caseIDs)]).first ?? nil
    guard let latest, latest > context.asOf.microseconds else { return context }
    return context.withClock(Timestamp(microseconds: latest + 1))
  }

  static let sameMoment = JobError(Phrase("refusal.same_moment"), hint: "Look again.", status: .lockHeld)
}

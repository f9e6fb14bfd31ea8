public import Domain
public import JobCore
internal import Postgres
internal import Wording

extension CaseJob {
  /// The decisions to undo.
  public struct UndoScope: Sendable {
    /// Account that made or approved them; nil for any.
    public var actor: String?
    /// Cases concerned; empty for all.
    public var cases: [String]
    /// Earliest instant at which they became effective.
    public var since: Timestamp
    /// Batch in which they were made; nil for any batch, and for single decisions.
    public var batchID: String?

    public init(actor: String?, cases: [String], since: Timestamp, batchID: String? = nil) {
      self.actor = actor
      self.cases = cases
      self.since = since
      self.batchID = batchID
    }
  }

  public struct UndoOutcome: Sendable {
    public var undoneCount = 0
    /// Decisions of two people, whose undo is pending the second person's approval.
    public var proposedCount = 0
    /// Unchanged cases, with the reason.
    public var left: [(caseID: String, reason: String)] = []
  }

  /// Undoes decisions in one transaction. Cases with later actions are left unchanged and named.
  ///
  /// - Parameter isDryRun: whether to report the outcome without saving it.
  public func undo(_ scope: UndoScope, by person: Person, reason: String, isDryRun: Bool) async throws -> UndoOutcome {
    guard !reason.isBlank else { throw JobError(Phrase("refusal.undo_reason"), status: .usage) }
    return try await withSession(deciding: person) { session, actor in
      let known = context
      let seen = try await session.transaction(.readOnlySnapshot) { tx in try Self.undoable(scope, known, &tx) }
      guard !seen.isEmpty else { return UndoOutcome() }
      let named = UndoScope(actor: scope.actor, cases: Set(seen.map(\.caseID)).sorted(), since: scope.since, batchID: scope.batchID)
      return try await Self.act(on: named.cases, context, session, isDryRun: isDryRun) { context, tx in
        let chosen = try Self.undoable(named, context, &tx)
        var outcome = UndoOutcome(left: chosen.compactMap { row in row.obstacle.map { (row.caseID, $0) } })
        let free = chosen.filter { $0.obstacle == nil }
        let parameters: [String: Value] = [
          "case_ids": .textArray(free.map(\.caseID)), "decision_ids": .textArray(free.map(\.decisionID)),
          "reason": .text(reason), "person": .text(actor.name), "as_of": context.asOfValue,
        ]
        let undone = try tx.rows(context.sql(QueueSQL.undo), parameters)
        guard undone.count == free.count else { throw Self.sameMoment }
        for (caseID, decision, undo, step) in undone {
          let isProposed = step == "proposed"
          if isProposed { outcome.proposedCount += 1 } else { outcome.undoneCount += 1 }
          try tx.audit(
            Self.entry(
              isProposed ? .caseUndoProposed : .caseUndone, caseID, actor,
              [.text("decision", decision), .text("undo", undo), .reason(reason)]), in: context)
        }
        return outcome
      }
    }
  }

  /// Returns the decisions of a scope, each with the obstacle to its undo.
  private static func undoable(
    _ scope: UndoScope, _ context: JobContext, _ tx: inout DatabaseTransaction
  ) throws -> [(caseID: String, decisionID: String, obstacle: String?)] {
    let parameters: [String: Value] = [
      "actor": .text(scope.actor ?? ""), "batch_id": .text(scope.batchID ?? ""), "cases": .textArray(scope.cases),
      "since": scope.since.sqlValue, "as_of": context.asOfValue,
      "item_ids": try items(of: scope.cases, context, &tx),
    ]
    return try tx.rows(context.sql(QueueSQL.undoCandidates), parameters).map { ($0, $1, $2) }
  }
}

extension CaseJob {
  /// Returns the cases of a batch; empty if the batch does not exist.
  public func cases(ofBatch id: String) async throws -> [String] {
    let context = context
    return try await context.transaction(as: .review, .readOnlySnapshot) { tx in
      try tx.rows(context.sql(QueueSQL.batchCases), ["batch_id": .text(id)])
    }
  }
}

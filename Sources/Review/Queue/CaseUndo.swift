public import Domain
public import JobCore
internal import Postgres
public import Wording

extension CaseJob {
  public struct UndoScope: Sendable {
    /// Account that made or approved them; nil for any.
    public var actor: String?
    public var cases: [String]
    /// Earliest instant at which they became effective.
    public var since: Timestamp
    /// Batch in which they were made; nil for any batch, and for single decisions.
    public var batchID: String?

    public init(actor: String?, cases: [String], since: Timestamp, batchID: String? = nil) {
      (self.actor, self.cases, self.since, self.batchID) = (actor, cases, since, batchID)
    }

    /// Returns the decisions of these cases of the scope, each with the obstacle to its undo.
    fileprivate func candidates(
      of cases: ReviewedCases, _ tx: inout DatabaseTransaction
    ) throws -> [(caseID: String, decisionID: String, obstacle: Phrase?)] {
      let values: [String: Value] = [
        "actor": .text(actor ?? ""), "batch_id": .text(batchID ?? ""), "cases": .textArray(cases.ids), "since": since.sqlValue,
      ]
      return try cases.rows(QueueSQL.undoCandidates, values, in: &tx).map { try ($0, $1, $2.map(Phrase.init(json:))) }
    }
  }

  public struct UndoOutcome: Sendable {
    public var undoneCount = 0
    /// Decisions of two people, whose undo is pending the second person's approval.
    public var proposedCount = 0
    public var left: [(caseID: String, reason: Phrase)] = []
  }

  /// Undoes decisions in one transaction. Cases with later actions are left unchanged and named.
  public func undo(_ scope: UndoScope, by person: Person, reason: String, isDryRun: Bool) async throws -> UndoOutcome {
    guard !reason.isBlank else { throw JobError(Phrase("refusal.undo_reason"), status: .usage) }
    return try await withSession(of: person, scope.cases, decides: true) { session, cases in
      let seen = try await session.transaction(.readOnlySnapshot) { tx in try scope.candidates(of: cases, &tx) }
      guard !seen.isEmpty else { return UndoOutcome() }
      return try await cases.on(Set(seen.map(\.caseID)).sorted()).act(on: session, isDryRun: isDryRun) { cases, tx in
        let chosen = try scope.candidates(of: cases, &tx)
        var outcome = UndoOutcome(left: chosen.compactMap { row in row.obstacle.map { (row.caseID, $0) } })
        let free = chosen.filter { $0.obstacle == nil }
        let values: [String: Value] = [
          "case_ids": .textArray(free.map(\.caseID)), "decision_ids": .textArray(free.map(\.decisionID)), "reason": .text(reason),
        ]
        let undone = try cases.rows(QueueSQL.undo, values, in: &tx)
        guard undone.count == free.count else { throw ReviewedCases.sameMoment }
        for (caseID, decision, undo, step) in undone {
          let isProposed = step == "proposed"
          if isProposed { outcome.proposedCount += 1 } else { outcome.undoneCount += 1 }
          try cases.audit(
            isProposed ? .caseUndoProposed : .caseUndone, of: caseID,
            [.text("decision", decision), .text("undo", undo), .reason(reason)], in: &tx)
        }
        return outcome
      }
    }
  }

  /// Returns the cases of a batch; empty if the batch does not exist.
  public func cases(ofBatch id: String) async throws -> [String] {
    try await context.rows(QueueSQL.batchCases, ["batch_id": .text(id)], as: .review)
  }
}

internal import Domain
internal import Postgres

extension CaseJob {
  /// What became of a decision on many cases.
  public struct DecideOutcome: Sendable {
    public var decidedCount = 0
    /// Cases that somebody else has, or that do not wait.
    public var left: [String] = []
  }

  /// Decides many cases alike, all in one transaction: those that wait and that nobody else has.
  ///
  /// What needs a second person is proposed on each.
  public func decideMany(_ caseIDs: [String], _ decision: CaseDecision, by person: Person) async throws -> DecideOutcome {
    try Self.check(decision, by: person)
    let session = try await context.open(as: .review)
    let context = context
    let lease: [String: Value] = [
      "case_ids": .textArray(caseIDs), "person": .text(person.name), "account": .text(person.account),
      "as_of": context.asOfValue, "lease_until": context.asOfValue,
    ]
    let outcome = try await session.retrying { tx in
      let taken = try tx.rows(context.sql("queue/lease_many.sql"), lease) { row throws(PostgresError) in try row.text() }
      for id in taken {
        _ = try tx.run(context.sql("queue/release.sql"), ["case_id": .text(id), "person": .text(person.name)])
      }
      let count = try Self.record(decision, on: taken, by: person, context, &tx)
      return DecideOutcome(decidedCount: count, left: Set(caseIDs).subtracting(taken).sorted())
    }
    await session.close()
    return outcome
  }

  static func check(_ decision: CaseDecision, by person: Person) throws {
    try check(person)
    guard !decision.reason.isEmpty else { throw JobError("could not decide: a reason must be said", status: .usage) }
    if decision.action == .forcedMatch, decision.orderID == nil || decision.chargeID == nil {
      throw JobError("could not decide: a forced match names an order and a charge", status: .usage)
    }
  }

  /// Decides cases that a person had and has just given back.
  ///
  /// - Returns: how many were decided.
  static func record(
    _ decision: CaseDecision, on caseIDs: [String], by person: Person, _ context: JobContext, _ tx: inout Transaction
  ) throws -> Int {
    let parameters: [String: Value] = [
      "case_ids": .textArray(caseIDs), "action": .text(decision.action.rawValue),
      "outcome": .text(decision.outcome.rawValue), "reason": .text(decision.reason), "person": .text(person.name),
      "account": .text(person.account), "order_id": decision.orderID.map(Value.text) ?? .null,
      "charge_id": decision.chargeID.map(Value.text) ?? .null, "as_of": context.asOfValue,
    ]
    let decided = try tx.rows(context.sql("queue/decide.sql"), parameters) { row throws(PostgresError) in
      (caseID: try row.text(), decision: try row.text())
    }
    for id in caseIDs {
      _ = try tx.run(
        context.sql("queue/event.sql"), event(id, "released", person, reason: "decided", until: .null, context))
    }
    let act = decision.action.needsSecondPerson ? AuditAct.caseProposed : .caseEffective
    for row in decided {
      try tx.audit(entry(act, row.caseID, person, [.text("decision", row.decision)] + decision.details), in: context)
    }
    return decided.count
  }
}

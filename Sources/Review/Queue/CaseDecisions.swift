internal import Cryptography
internal import Domain
public import JobCore
internal import Logging
internal import Postgres
internal import Wording

extension CaseJob {
  /// The outcome of a bulk decision.
  public struct DecideOutcome: Sendable {
    public var decidedCount = 0
    /// Id for viewing and undoing the batch; nil if nothing was decided.
    public var batchID: String?
    /// Unchanged cases with the reason: another reviewer has the case, it is not pending, or nothing named is in it.
    public var left: [(caseID: String, reason: String)] = []
    /// Apple's current record; nil if the action punishes nobody.
    public var apple: AppleRecordCheck?
  }

  /// Largest number of cases in one batch.
  public static let batchMax = 1000
  private static let batchBytes = 16

  /// Decides many pending cases in one transaction. Cases that another reviewer has are left unchanged.
  ///
  /// An action that needs a second person is proposed on each case.
  ///
  /// - Parameter isDryRun: whether to report the outcome without saving it.
  public func decideMany(
    _ caseIDs: [String], _ decision: CaseDecision, by person: Person, isDryRun: Bool = false, consent: AppleConsent = AppleConsent()
  ) async throws -> DecideOutcome {
    try check(decision)
    guard caseIDs.count <= Self.batchMax else {
      throw JobError("refusal.cases_max", ["count": "\(caseIDs.count)", "max": "\(Self.batchMax)"], status: .usage)
    }
    let batch = Hexadecimal.text(RandomBytes.make(Self.batchBytes))
    return try await withSession(deciding: person) { session, actor in
      let recordCheck = try await checkRecord(decision, on: caseIDs, by: actor, isDryRun ? nil : consent, session)
      return try await Self.act(on: caseIDs, context, session, begins: true, isDryRun: isDryRun) { context, tx in
        let lease: [String: Value] = [
          "case_ids": .textArray(caseIDs), "person": .text(actor.name), "as_of": context.asOfValue,
          "lease_until": context.asOfValue, "item_ids": try Self.items(of: caseIDs, context, &tx),
        ]
        let taken = try tx.rows(context.sql(QueueSQL.leaseMany), lease)
        for id in taken {
          try tx.send(context.sql(QueueSQL.release), ["case_id": .text(id), "person": .text(actor.name)])
        }
        let decided = try Self.record(decision, on: taken, by: actor, batch: batch, after: recordCheck, context, &tx).map(\.caseID)
        return DecideOutcome(
          decidedCount: decided.count, batchID: decided.isEmpty || isDryRun ? nil : batch,
          left: try Self.left(Set(caseIDs).subtracting(decided).sorted(), context, &tx), apple: recordCheck)
      }
    }
  }

  /// Returns the reason for each unchanged case.
  private static func left(
    _ caseIDs: [String], _ context: JobContext, _ tx: inout DatabaseTransaction
  ) throws -> [(caseID: String, reason: String)] {
    guard !caseIDs.isEmpty else { return [] }
    let parameters: [String: Value] = [
      "case_ids": .textArray(caseIDs), "as_of": context.asOfValue, "item_ids": try items(of: caseIDs, context, &tx),
    ]
    return try tx.rows(context.sql(QueueSQL.skippedCases), parameters).map { (caseID: $0, reason: $1) }
  }

  /// Proposes a decision about an order and a charge without a pending case, because a match can be wrong without any break.
  ///
  /// - Returns: the case in which a second person finds the proposal.
  public func propose(_ decision: CaseDecision, by person: Person) async throws -> String {
    try check(decision)
    return try await withSession(deciding: person) { session, actor in
      let context = context
      let id = try await session.transaction(.readOnlySnapshot) { tx in
        try Self.checkPair(decision, context, &tx)
        let order: [String: Value] = ["order_id": decision.orderID.map(Value.text) ?? .null]
        guard decision.action.isAboutPair, let id = try tx.rows(context.sql(QueueSQL.caseOfOrder), order).first else {
          throw JobError(Phrase("refusal.no_case"), hint: "See payrecon queue list.", status: .usage)
        }
        return id
      }
      return try await Self.act(on: [id], context, session, begins: true) { context, tx in
        let state = try Self.state(of: id, context, &tx)
        guard !["open", "taken", "waiting_approval"].contains(state?.status ?? "") else {
          throw JobError(
            Phrase("refusal.case_stands", ["id": .plain(id), "status": .code(state?.status ?? "")]),
            hint: "Take it and decide there: payrecon queue take \(id).")
        }
        guard !(try Self.record(decision, on: [id], by: actor, after: nil, context, &tx)).isEmpty else { throw Self.sameMoment }
        return id
      }
    }
  }

  func check(_ decision: CaseDecision) throws {
    guard !decision.reason.isBlank else { throw JobError(Phrase("refusal.decide_reason"), status: .usage) }
    guard decision.action.outcomes.contains(decision.outcome) else {
      throw JobError(
        Phrase("refusal.contradicts", ["action": .code(decision.action.rawValue), "outcome": .code(decision.outcome.rawValue)]),
        status: .usage)
    }
    if decision.action.isAboutPair, decision.orderID == nil || decision.chargeID == nil {
      throw JobError(Phrase("refusal.pair", ["action": .code(decision.action.rawValue)]), status: .usage)
    }
    guard let until = decision.until else { return }
    guard decision.action == .accept || decision.action == .dismiss else {
      throw JobError(Phrase("refusal.end"), status: .usage)
    }
    guard until > context.asOf else {
      throw JobError("refusal.ends_before", ["at": until.rfc3339], status: .usage)
    }
  }

  /// - Throws: `JobError` if the match ladder could not apply a decision about an order and a charge.
  private static func checkPair(_ decision: CaseDecision, _ context: JobContext, _ tx: inout DatabaseTransaction) throws {
    guard decision.action.isAboutPair, let order = decision.orderID, let charge = decision.chargeID else { return }
    let pair: [String: Value] = ["order_id": .text(order), "charge_id": .text(charge)]
    let (hasOrder, hasCharge, isOneApp) = try tx.rows(context.sql(QueueSQL.pair), pair).first ?? (false, false, false)
    guard hasOrder, hasCharge else {
      let what = hasOrder ? Phrase("said.charge", ["id": .plain("\"\(charge)\"")]) : Phrase("said.order", ["id": .plain("\"\(order)\"")])
      throw JobError(
        Phrase("refusal.no_such", ["action": .code(decision.action.rawValue), "what": what]),
        hint: "Ids are listed by: payrecon export orders, payrecon export charges.")
    }
    guard isOneApp || decision.action != .forcedMatch else {
      throw JobError(
        "refusal.environments", ["order": order, "charge": charge],
        hint: "No decision makes a sandbox purchase money, or another app's ours.")
    }
  }

  /// Logs which earlier decision about the order or charge the new one replaces.
  static func logReplaced(by decision: CaseDecision, _ context: JobContext, _ tx: inout DatabaseTransaction) throws {
    guard decision.action.isAboutPair, let order = decision.orderID, let charge = decision.chargeID else { return }
    let said: [String: Value] = ["order_id": .text(order), "charge_id": .text(charge), "action": .text(decision.action.rawValue)]
    for (action, order, charge, proposer, approver, id, at) in try tx.rows(context.sql(QueueSQL.replaced), said) {
      context.log.notice(
        """
        once \(decision.action.rawValue) takes effect, \(action) of order "\(order)" and charge "\(charge)" counts no longer, which \
        \(proposer) and \(approver) decided in case "\(id)" at \(at)
        """)
    }
  }

  /// Records a decision on cases. In a case that the actor has, it covers the items seen; in a free case, all items.
  ///
  /// - Parameters:
  ///   - batch: id that groups the decisions; nil for a single one.
  ///   - recordCheck: Apple's current record; nil if the action punishes nobody.
  /// - Returns: the decided cases: those with a named item that is open and undecided.
  static func record(
    _ decision: CaseDecision, on caseIDs: [String], by actor: Actor, batch: String? = nil, after recordCheck: AppleRecordCheck?,
    _ context: JobContext, _ tx: inout DatabaseTransaction
  ) throws -> [(caseID: String, late: [Decided.Break])] {
    try checkPair(decision, context, &tx)
    try logReplaced(by: decision, context, &tx)
    let parameters: [String: Value] = [
      "case_ids": .textArray(caseIDs), "action": .text(decision.action.rawValue),
      "outcome": .text(decision.outcome.rawValue), "reason": .text(decision.reason), "person": .text(actor.name),
      "order_id": decision.orderID.map(Value.text) ?? .null, "charge_id": decision.chargeID.map(Value.text) ?? .null,
      "break_ids": .textArray(decision.breakIDs), "as_of": context.asOfValue,
      "item_ids": try items(of: caseIDs, context, &tx),
      "holds_until": decision.until.map { .timestamptz(microseconds: $0.microseconds) } ?? .null,
      "apple": recordCheck.map { .text($0.outcome.rawValue) } ?? .null,
    ]
    let decided = try tx.rows(context.sql(QueueSQL.decide), parameters)
      .map { (caseID: $0, decision: $1, breakCount: $2, late: $3) }
    for id in caseIDs {
      try tx.send(context.sql(QueueSQL.event), event(id, "released", actor, reason: "decided", until: .null, context))
    }
    let act = decision.action.needsSecondPerson ? AuditAct.caseProposed : .caseEffective
    if let batch {
      try tx.send(
        context.sql(QueueSQL.batch),
        [
          "batch_id": .text(batch), "case_ids": .textArray(decided.map(\.caseID)),
          "decision_ids": .textArray(decided.map(\.decision)), "as_of": context.asOfValue,
        ])
    }
    let made = batch.map { [AuditEntry.Detail.text("batch", $0)] } ?? []
    for row in decided {
      let about: [AuditEntry.Detail] = [.text("decision", row.decision), .number("breaks", row.breakCount)] + made
      try tx.audit(entry(act, row.caseID, actor, about + decision.details + (recordCheck?.details ?? [])), in: context)
    }
    return decided.map { ($0.caseID, Decided.Break.list($0.late)) }
  }
}

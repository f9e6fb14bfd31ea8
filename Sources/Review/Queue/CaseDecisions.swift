internal import Cryptography
internal import Domain
public import JobCore
internal import Logging
internal import Postgres
internal import Wording

extension CaseJob {
  public struct DecideOutcome: Sendable {
    public var decidedCount = 0
    /// Id for viewing and undoing the batch; nil if nothing was decided.
    public var batchID: String?
    /// Unchanged cases with the reason: another reviewer has the case, it is not pending, or nothing named is in it.
    public var left: [(caseID: String, reason: String)] = []
    /// Apple's current record; nil if the action punishes nobody.
    public var apple: AppleRecordCheck?
    /// Identifies the covered breaks and signals of each case; a decision that names it covers no others.
    public var preview = ""
  }

  public static let batchMax = 1000
  private static let batchBytes = 16

  /// Decides many pending cases in one transaction, or proposes the decision. Cases of other reviewers stay unchanged.
  ///
  /// - Parameter shown: `preview` of the dry run that the person saw; nil accepts the current breaks.
  /// - Throws: `JobError` if the decision is invalid, or a break appeared or changed after that dry run; `AppleRecordMismatch` if
  ///   Apple's record contradicts a punishing action.
  public func decideMany(
    _ caseIDs: [String], _ decision: CaseDecision, by person: Person, isDryRun: Bool = false, shown: String? = nil,
    consent: AppleConsent = AppleConsent()
  ) async throws -> DecideOutcome {
    try check(decision)
    guard caseIDs.count <= Self.batchMax else {
      throw JobError("refusal.cases_max", ["count": "\(caseIDs.count)", "max": "\(Self.batchMax)"], status: .usage)
    }
    let batch = Hexadecimal.text(RandomBytes.make(Self.batchBytes))
    return try await withSession(of: person, caseIDs, decides: true) { session, cases in
      let recordCheck = try await checkRecord(decision, on: cases, isDryRun ? nil : consent, session)
      return try await cases.act(on: session, begins: true, isDryRun: isDryRun) { cases, tx in
        let free = try cases.on(Set(caseIDs).subtracting(Self.bannedCases(against: decision, cases, &tx)).sorted())
        let taken = try free.rows(QueueSQL.leaseMany, ["lease_until": cases.context.asOfValue], in: &tx)
        for id in taken { try cases.on([id]).send(QueueSQL.release, in: &tx) }
        let made = try Self.record(decision, on: cases.on(taken), batch: batch, after: recordCheck, &tx)
        let decided = made.map(\.caseID)
        let covered: [String: Value] = ["decision_ids": .textArray(made.map(\.decisionID))]
        let preview = try cases.on(decided).rows(QueueSQL.decisionHashes, covered, in: &tx).map { "\($0):\($1)" }
        if let shown {
          let changed = Set(preview).subtracting(shown.split(separator: " ").map(String.init))
          guard changed.isEmpty else {
            throw JobError("refusal.changed_since_shown", ["count": "\(changed.count)"], hint: "Look again.")
          }
        }
        let left = cases.on(Set(caseIDs).subtracting(decided).sorted())
        return DecideOutcome(
          decidedCount: decided.count, batchID: decided.isEmpty || isDryRun ? nil : batch,
          left: left.ids.isEmpty ? [] : try left.rows(QueueSQL.skippedCases, in: &tx).map { (caseID: $0, reason: $1) }, apple: recordCheck,
          preview: preview.joined(separator: " "))
      }
    }
  }

  /// Proposes a decision about a pair without a pending case, because a match can be wrong without any break. Returns its case.
  public func propose(_ decision: CaseDecision, by person: Person) async throws -> String {
    try check(decision)
    return try await withSession(of: person, decides: true) { session, cases in
      let id = try await session.transaction(.readOnlySnapshot) { tx in
        try Self.checkPair(decision, cases, &tx)
        let order: [String: Value] = ["order_id": decision.orderID.map(Value.text) ?? .null]
        guard decision.action.isAboutPair, let id = try cases.rows(QueueSQL.caseOfOrder, order, in: &tx).first else {
          throw JobError(Phrase("refusal.no_case"), hint: "See payrecon queue list.", status: .usage)
        }
        return id
      }
      return try await cases.on([id]).act(on: session, begins: true) { cases, tx in
        let state = try cases.state(&tx)
        guard !["open", "taken", "waiting_approval"].contains(state?.status ?? "") else {
          throw JobError(
            Phrase("refusal.case_stands", ["id": .plain(id), "status": .code(state?.status ?? "")]),
            hint: "Take it and decide there: payrecon queue take \(id).")
        }
        guard !(try Self.record(decision, on: cases, after: nil, &tx)).isEmpty else { throw ReviewedCases.sameMoment }
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
    guard decision.action == .accept || decision.action == .dismiss else { throw JobError(Phrase("refusal.end"), status: .usage) }
    guard until > context.asOf else { throw JobError("refusal.ends_before", ["at": until.rfc3339], status: .usage) }
  }

  /// - Throws: `JobError` if the match ladder could not apply a decision about an order and a charge.
  private static func checkPair(_ decision: CaseDecision, _ cases: ReviewedCases, _ tx: inout DatabaseTransaction) throws {
    guard decision.action.isAboutPair, let order = decision.orderID, let charge = decision.chargeID else { return }
    let pair: [String: Value] = ["order_id": .text(order), "charge_id": .text(charge)]
    let (hasOrder, hasCharge, isOneApp) = try cases.rows(QueueSQL.pair, pair, in: &tx).first ?? (false, false, false)
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
  static func logReplaced(by decision: CaseDecision, _ cases: ReviewedCases, _ tx: inout DatabaseTransaction) throws {
    guard decision.action.isAboutPair, let order = decision.orderID, let charge = decision.chargeID else { return }
    let said: [String: Value] = ["order_id": .text(order), "charge_id": .text(charge), "action": .text(decision.action.rawValue)]
    for (action, order, charge, proposer, approver, id, at) in try cases.rows(QueueSQL.replaced, said, in: &tx) {
      cases.context.log.notice(
        """
        once \(decision.action.rawValue) takes effect, \(action) of order "\(order)" and charge "\(charge)" counts no longer, which \
        \(proposer) and \(approver) decided in case "\(id)" at \(at)
        """)
    }
  }

  /// Records a decision on cases. In a case that the actor has, it covers the items seen; in a free case, all items.
  /// Returns the decided cases: those with a named item that is open and undecided.
  static func record(
    _ decision: CaseDecision, on cases: ReviewedCases, batch: String? = nil, after recordCheck: AppleRecordCheck?,
    _ tx: inout DatabaseTransaction
  ) throws -> [(caseID: String, decisionID: String, late: [Decided.Break])] {
    try checkPair(decision, cases, &tx)
    try logReplaced(by: decision, cases, &tx)
    let values: [String: Value] = [
      "action": .text(decision.action.rawValue), "outcome": .text(decision.outcome.rawValue), "reason": .text(decision.reason),
      "holds_until": decision.until.sqlValue, "apple": recordCheck.map { .text($0.outcome.rawValue) } ?? .null,
    ]
    let decided = try cases.rows(QueueSQL.decide, values.merging(decision.subject) { $1 }, in: &tx)
      .map { (caseID: $0, decision: $1, breakCount: $2, late: $3) }
    for id in cases.ids { try cases.on([id]).sendReleased(reason: "decided", &tx) }
    let act = decision.action.needsSecondPerson ? AuditAct.caseProposed : .caseEffective
    if let batch {
      let made: [String: Value] = ["batch_id": .text(batch), "decision_ids": .textArray(decided.map(\.decision))]
      try cases.on(decided.map(\.caseID)).send(QueueSQL.batch, made, in: &tx)
    }
    let made = batch.map { [AuditEntry.Detail.text("batch", $0)] } ?? []
    for row in decided {
      let about: [AuditEntry.Detail] = [.text("decision", row.decision), .number("breaks", row.breakCount)] + made
      try cases.audit(act, of: row.caseID, about + decision.details + (recordCheck?.details ?? []), in: &tx)
    }
    return decided.map { ($0.caseID, $0.decision, Decided.Break.list($0.late)) }
  }
}

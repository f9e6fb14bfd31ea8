internal import Domain
public import JobCore
internal import Postgres
internal import Wording

extension CaseJob {
  /// The ways in which a proposal ends.
  public enum Conclusion: String, Sendable {
    /// Another account approves it.
    case approved = "effective"
    /// Another account rejects it.
    case rejected
    /// The proposing account withdraws it.
    case withdrawn
  }

  /// Concludes a proposed decision or a proposed undo. Two people are two accounts, regardless of their names.
  ///
  /// - Throws: `JobError` if nothing is pending or this account may not conclude it so; `AppleRecordMismatch` if Apple's record
  ///   contradicts a punishing action.
  public func conclude(
    _ caseID: String, _ conclusion: Conclusion, by person: Person, reason: String, consent: AppleConsent = AppleConsent()
  ) async throws {
    guard !reason.isBlank else { throw JobError(Phrase("refusal.conclude_reason"), status: .usage) }
    try await withSession(deciding: person) { session, actor in
      let seen = try await state(of: caseID, on: session)
      try Self.check(conclusion, of: caseID, seen, by: actor)
      var recordCheck: AppleRecordCheck?
      let proposal = try await proposed(in: caseID, on: session)
      if conclusion == .approved, !seen.isUndo, let proposal {
        recordCheck = try await checkRecord(proposal, on: [caseID], by: actor, consent, session)
      }
      let checked = recordCheck
      try await Self.act(on: [caseID], context, session) { context, tx in
        guard let state = try Self.state(of: caseID, context, &tx) else { throw Self.unknown(caseID) }
        try Self.check(conclusion, of: caseID, state, by: actor)
        guard state.isUndo == seen.isUndo, try Self.proposed(in: caseID, context, &tx) == proposal else {
          throw Self.refusal(caseID, "refusal.proposed_else", hint: "Look again.")
        }
        if conclusion == .approved, !state.isUndo, let proposal {
          try Self.logReplaced(by: proposal, context, &tx)
          try Self.checkIsOpen(caseID, proposal, context, &tx) {
            Self.refusal(caseID, Phrase("refusal.nothing_stands", ["gone": $0]), hint: "Reject it: payrecon queue reject \(caseID).")
          }
        }
        let parameters: [String: Value] = [
          "case_id": .text(caseID), "step": .text(conclusion.rawValue), "person": .text(actor.name),
          "reason": .text(reason), "as_of": context.asOfValue,
        ]
        let entries = state.isUndo
          ? try Self.endUndo(parameters, context, &tx) : try Self.endDecision(parameters, after: checked, context, &tx)
        guard !entries.isEmpty else { throw Self.sameMoment }
        let act = conclusion.act(isUndo: state.isUndo)
        for details in entries {
          try tx.audit(Self.entry(act, caseID, actor, details + [.reason(reason)] + (checked?.details ?? [])), in: context)
        }
      }
    }
  }

  private static func endDecision(
    _ parameters: [String: Value], after recordCheck: AppleRecordCheck?, _ context: JobContext, _ tx: inout DatabaseTransaction
  ) throws -> [[AuditEntry.Detail]] {
    let parameters = parameters.merging(["apple": recordCheck.map { .text($0.outcome.rawValue) } ?? .null]) { $1 }
    return try tx.rows(context.sql(QueueSQL.endDecision), parameters).map { [.text("decision", $0)] }
  }

  private static func endUndo(
    _ parameters: [String: Value], _ context: JobContext, _ tx: inout DatabaseTransaction
  ) throws -> [[AuditEntry.Detail]] {
    try tx.rows(context.sql(QueueSQL.endUndo), parameters).map { [.text("decision", $0), .text("undo", $1)] }
  }

  private static func refusal(_ caseID: String, _ reason: Phrase, hint: String? = nil) -> JobError {
    JobError(Phrase("refusal.conclude_case", ["id": .plain(caseID), "reason": reason]), hint: hint)
  }

  /// Checks in advance what the database would refuse, for a readable message.
  private static func check(_ conclusion: Conclusion, of caseID: String, _ state: State, by actor: Actor) throws {
    func refuse(_ reason: Phrase, hint: String? = nil) -> JobError { refusal(caseID, reason, hint: hint) }
    guard state.status == "waiting_approval" else { throw refuse(Phrase("refusal.nothing_proposed", ["status": .code(state.status)])) }
    let proposer = state.isUndo ? state.askedAccount : state.proposedAccount
    let isOwn = proposer.map { Person.isSame($0, actor.account) } ?? false
    let account = ["account": Phrase.plain(actor.account)]
    switch conclusion {
    case .approved where proposer == nil:
      throw refuse("refusal.before_accounts", hint: "Reject it, and propose it again.")
    case .approved where isOwn:
      throw refuse(Phrase("refusal.other_account", account), hint: "Accounts are logins of the database: payrecon database accounts.")
    case .rejected where isOwn:
      throw refuse(Phrase("refusal.other_account", account), hint: "Who proposed may withdraw: payrecon queue withdraw \(caseID).")
    case .withdrawn where !isOwn:
      throw refuse(
        Phrase("refusal.not_proposer", account), hint: "Whoever did not propose rejects: payrecon queue reject \(caseID).")
    default: return
    }
  }
}

extension CaseJob.Conclusion {
  fileprivate func act(isUndo: Bool) -> AuditAct {
    switch self {
    case .approved: isUndo ? .caseUndone : .caseEffective
    case .rejected: isUndo ? .caseUndoRejected : .caseRejected
    case .withdrawn: isUndo ? .caseUndoWithdrawn : .caseWithdrawn
    }
  }
}

extension CaseJob {
  /// Returns the breaks and signals of some cases as a parameter; null if unknown, so that all cases must be searched.
  static func items(of caseIDs: [String], _ context: JobContext, _ tx: inout DatabaseTransaction) throws -> Value {
    guard !caseIDs.isEmpty else { return .null }
    let asked: [String: Value] = ["case_ids": .textArray(caseIDs), "as_of": context.asOfValue]
    let found = try tx.rows(context.sql(QueueSQL.items), asked).first
    return found?.map { .textArray($0.split(separator: " ").map(String.init)) } ?? .null
  }

  /// State of a case.
  struct State: Sendable {
    var status: String
    /// Whether the undo of a decision is pending approval.
    var isUndo: Bool
    /// Name under which this account has the case.
    var holder: String?
    /// Proposing and asking accounts; nil if recorded before accounts were.
    var proposedAccount: String?
    var askedAccount: String?
    /// Whether a break of the case is open and undecided.
    var hasUndecided: Bool
  }

  func state(of caseID: String, on session: Session) async throws -> State {
    let context = context
    let found = try await session.transaction(.readOnlySnapshot) { tx in
      // The last action may have a later clock.
      try Self.state(of: caseID, Self.later([caseID], context, &tx), &tx)
    }
    guard let found else { throw Self.unknown(caseID) }
    return found
  }

  /// Returns nil if the case does not exist.
  static func state(of caseID: String, _ context: JobContext, _ tx: inout DatabaseTransaction) throws -> State? {
    let parameters: [String: Value] = [
      "case_id": .text(caseID), "as_of": context.asOfValue, "item_ids": try items(of: [caseID], context, &tx),
    ]
    return try tx.rows(context.sql(QueueSQL.state), parameters).first.map {
      State(status: $0, isUndo: $1, holder: $2, proposedAccount: $3, askedAccount: $4, hasUndecided: $5)
    }
  }
}

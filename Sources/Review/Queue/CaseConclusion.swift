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

  /// Approves, rejects or withdraws a proposed decision or a proposed undo. Two people are two accounts, regardless of their names.
  ///
  /// - Parameter shown: id of the proposal that the person saw; nil for any proposal.
  /// - Returns: open breaks of an approved write-off that changed since it was proposed; they stay undecided.
  /// - Throws: `JobError` if nothing is pending, this account may not do so, or all of it changed; `AppleRecordMismatch` if Apple's
  ///   record contradicts a punishing action.
  @discardableResult
  public func conclude(
    _ caseID: String, _ conclusion: Conclusion, of shown: String? = nil, by person: Person, reason: String,
    consent: AppleConsent = AppleConsent()
  ) async throws -> [Decided.Break] {
    guard !reason.isBlank else { throw JobError(Phrase("refusal.conclude_reason"), status: .usage) }
    return try await withSession(of: person, [caseID], decides: true) { session, cases in
      let seen = try await cases.state(on: session)
      try Self.check(conclusion, of: caseID, seen, by: cases.actor)
      guard shown == nil || shown == seen.proposalID else { throw Self.proposedElse(caseID) }
      let proposal = try await session.transaction(.readOnlySnapshot) { tx in try Self.proposed(in: cases, &tx) }
      // The decision that takes effect; nil for an undo, a rejection and a withdrawal.
      let approved = conclusion == .approved && !seen.isUndo ? proposal : nil
      let recordCheck: AppleRecordCheck? =
        if let approved { try await checkRecord(approved, on: cases, consent, session) } else { nil }
      return try await cases.act(on: session) { cases, tx in
        let state = try cases.knownState(&tx)
        try Self.check(conclusion, of: caseID, state, by: cases.actor)
        guard state.proposalID == seen.proposalID else { throw Self.proposedElse(caseID) }
        if let approved {
          try Self.logReplaced(by: approved, cases, &tx)
          try Self.checkIsOpen(cases, approved, &tx) { Self.outgrown(caseID, "refusal.nothing_stands", by: $0) }
        }
        var values: [String: Value] = ["step": .text(conclusion.rawValue), "reason": .text(reason)]
        let entries: [[AuditEntry.Detail]]
        var late: [Decided.Break] = []
        if state.isUndo {
          entries = try cases.rows(QueueSQL.endUndo, values, in: &tx).map { [.text("decision", $0), .text("undo", $1)] }
        } else {
          values["apple"] = recordCheck.map { .text($0.outcome.rawValue) } ?? .null
          let ids = try cases.rows(QueueSQL.endDecision, values, in: &tx)
          entries = ids.map { [.text("decision", $0)] }
          if let id = ids.first, approved?.action == .writeOff { late = try Self.lateBreaks(of: id, caseID, cases, &tx) }
        }
        guard !entries.isEmpty else { throw ReviewedCases.sameMoment }
        let act = conclusion.act(isUndo: state.isUndo)
        for details in entries { try cases.audit(act, details + [.reason(reason)] + (recordCheck?.details ?? []), in: &tx) }
        return late
      }
    }
  }

  /// Returns the open breaks that an approved write-off does not decide, because they changed since it was proposed.
  ///
  /// - Throws: `JobError` if it decides none.
  private static func lateBreaks(
    of decisionID: String, _ caseID: String, _ cases: ReviewedCases, _ tx: inout DatabaseTransaction
  ) throws -> [Decided.Break] {
    let breaks = try cases.rows(QueueSQL.writeOffBreaks, ["decision_id": .text(decisionID)], in: &tx)
      .map { (isDecided: $0, isOpen: $1, item: Decided.Break(breakClass: $2, id: $3), words: $4) }
    guard breaks.isEmpty || breaks.contains(where: \.isDecided) else {
      throw outgrown(caseID, "refusal.nothing_covered", by: try list(breaks.map(\.words)))
    }
    return breaks.filter { $0.isOpen && !$0.isDecided }.map(\.item)
  }

  private static func outgrown(_ caseID: String, _ reason: String, by changes: Phrase) -> JobError {
    refusal(caseID, Phrase(reason, ["gone": changes]), hint: "Reject it: payrecon queue reject \(caseID).")
  }

  private static func refusal(_ caseID: String, _ reason: Phrase, hint: String? = nil) -> JobError {
    JobError(Phrase("refusal.conclude_case", ["id": .plain(caseID), "reason": reason]), hint: hint)
  }

  private static func proposedElse(_ caseID: String) -> JobError { refusal(caseID, "refusal.proposed_else", hint: "Look again.") }

  /// Checks in advance what the database would refuse, for a readable message.
  private static func check(_ conclusion: Conclusion, of caseID: String, _ state: ReviewedCases.State, by actor: Actor) throws {
    func refuse(_ reason: Phrase, hint: String? = nil) -> JobError { refusal(caseID, reason, hint: hint) }
    guard state.status == "waiting_approval" else { throw refuse(Phrase("refusal.nothing_proposed", ["status": .code(state.status)])) }
    let isOwn = state.proposer.map { Person.isSame($0, actor.account) } ?? false
    let account = ["account": Phrase.plain(actor.account)]
    switch conclusion {
    case .approved where state.proposer == nil:
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

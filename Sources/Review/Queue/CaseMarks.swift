public import Domain
public import JobCore
internal import Postgres
internal import Wording

/// Arrangements of a case besides its decision.
public enum CaseMark: Sendable, Hashable {
  /// The case returns at this instant, or earlier if a new break or signal joins it.
  case snooze(until: Timestamp)
  /// Ends a snooze.
  case wake
  /// Only this account gets the case as its next one; nil ends the assignment.
  case assign(to: String?)
  /// Whether the acting account lists the case among those it follows.
  case follow(Bool)
}

extension CaseJob {
  public static let snoozeDaysMax: Int64 = 90

  public func mark(_ caseID: String, _ mark: CaseMark, by person: Person, reason: String = "") async throws {
    try check(mark, caseID, reason)
    try await withSession(of: person, [caseID]) { session, cases in
      try await cases.act(on: session) { cases, tx in
        let state = try cases.knownState(&tx)
        try Self.check(mark, caseID, state, cases, &tx)
        // A snoozed case has no holder.
        if case .snooze = mark { _ = try cases.release(reason: "set aside", &tx) }
        let record = mark.record
        let values: [String: Value] = [
          "topic": .text(record.topic), "is_set": .bool(record.isSet), "assignee": record.assignee.map(Value.text) ?? .null,
          "returns_at": record.returnsAt.sqlValue, "reason": .text(reason),
        ]
        try cases.send(QueueSQL.mark, values, in: &tx)
        try cases.audit(record.act, record.details, in: &tx)
      }
    }
  }

  /// Returns the accounts to which a case can be assigned, by name.
  public func assignable(_ caseID: String) async throws -> [String] {
    try await context.rows(QueueSQL.assignable, ["case_id": .text(caseID)], as: .review)
  }

  private func check(_ mark: CaseMark, _ caseID: String, _ reason: String) throws {
    guard case .snooze(let until) = mark else { return }
    guard !reason.isBlank else { throw JobError("refusal.aside_reason", ["id": caseID], status: .usage) }
    let latest = context.asOf.advanced(bySeconds: Self.snoozeDaysMax * 86_400)
    guard until > context.asOf, until <= latest else {
      throw JobError("refusal.aside_days", ["id": caseID, "days": "\(Self.snoozeDaysMax)"], status: .usage)
    }
  }

  /// - Throws: `JobError` if the case's state does not allow the arrangement.
  private static func check(
    _ mark: CaseMark, _ caseID: String, _ state: ReviewedCases.State, _ cases: ReviewedCases, _ tx: inout DatabaseTransaction
  ) throws {
    func refuse(_ why: Phrase, _ status: ExitStatus = .error) -> JobError {
      JobError(Phrase("refusal.arrange", ["id": .plain(caseID), "reason": why]), status: status)
    }
    let found = try cases.rows(QueueSQL.marks, in: &tx).first.map { (isSnoozed: $0, assignee: $1, isFollowed: $2) }
    let status = Phrase("refusal.case_is", ["status": .code(state.status)])
    switch mark {
    case .snooze:
      guard state.status == "open" || state.status == "taken" else { throw refuse(status) }
      guard state.status == "open" || state.holder != nil else { throw refuse("refusal.has_it", .lockHeld) }
    case .wake:
      guard found?.isSnoozed == true else { throw refuse("refusal.not_aside") }
    case .assign(let name?):
      guard ["open", "taken", "waiting_approval"].contains(state.status) else { throw refuse(status) }
      let accounts: [String] = try cases.rows(QueueSQL.assignable, in: &tx)
      guard accounts.contains(name) else { throw refuse(Phrase("refusal.nobody_works", ["name": .plain(name)]), .usage) }
    case .assign(nil):
      guard found?.assignee != nil else { throw refuse("refusal.assigned_nobody") }
    case .follow(let begins):
      guard found?.isFollowed != begins else { throw refuse(begins ? "refusal.follows_already" : "refusal.follows_not") }
    }
  }
}

extension CaseMark {
  /// Row of `case_marks` and entry of the audit chain.
  fileprivate struct Record {
    var topic: String
    var isSet: Bool
    var assignee: String?
    var returnsAt: Timestamp?
    var act: AuditAct
    var details: [AuditEntry.Detail] = []
  }

  fileprivate var record: Record {
    switch self {
    case .snooze(let until):
      Record(topic: "snooze", isSet: true, returnsAt: until, act: .caseSnoozed, details: [.text("until", until.rfc3339)])
    case .wake: Record(topic: "snooze", isSet: false, act: .caseWoken)
    case .assign(let name):
      Record(topic: "assignment", isSet: name != nil, assignee: name, act: .caseAssigned, details: [.text("assignee", name ?? "")])
    case .follow(let begins): Record(topic: "following", isSet: begins, act: begins ? .caseFollowed : .caseUnfollowed)
    }
  }
}

internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Review
internal import Wording

extension Desk {
  /// Does something about a case.
  ///
  /// - Returns: the word under which its page says that it was done.
  func act(_ name: String, on id: String, _ form: Form) async throws -> String {
    guard let act = CaseAct(rawValue: name) else { throw ConsoleFault.notThere }
    guard act.isConclusion ? visit.canConclude : visit.canWork else { throw ConsoleFault.notAllowed }
    _ = try await head(of: id)
    try Self.checkLength(form["reason"], ConsoleLimits.reasonCharactersMax, "term.reason")
    let done = try await perform(act, id, form)
    try await board.refresh([id])
    return done
  }

  enum CaseAct: String {
    case take, release, note, decide, approve, reject, withdraw, undo, snooze, wake, assign, follow, unfollow

    var isConclusion: Bool { self == .approve || self == .reject }
  }

  private func perform(_ act: CaseAct, _ id: String, _ form: Form) async throws -> String {
    let (person, reason) = (Person(), form["reason"])
    switch act {
    case .take: _ = try await job.take(id, by: person, leaseSeconds: ConsoleLimits.leaseSeconds)
    case .release: try await job.release(id, by: person, reason: reason)
    case .note: try await job.note(id, form["note"], by: person)
    case .decide:
      return try await job.decide(id, try decision(form), by: person, consent: Self.consent(form)) ? "proposed" : "decided"
    case .approve: try await job.conclude(id, .approved, by: person, reason: reason, consent: Self.consent(form))
    case .reject: try await job.conclude(id, .rejected, by: person, reason: reason)
    case .withdraw: try await job.conclude(id, .withdrawn, by: person, reason: reason)
    case .undo: return try await undo([id], batch: nil, reason)
    case .snooze, .wake, .assign, .follow, .unfollow: try await mark(act, on: id, form)
    }
    return act.rawValue
  }

  /// Takes back what this account decided or approved within the last minutes.
  func undo(_ ids: [String], batch: String?, _ reason: String) async throws -> String {
    let since = Timestamp(microseconds: context.asOf.microseconds - ConsoleLimits.undoSeconds * 1_000_000)
    let outcome = try await job.undo(
      CaseJob.UndoScope(actor: visit.account, cases: ids, since: since, batchID: batch), by: Person(), reason: reason, isDryRun: false)
    if outcome.undoneCount > 0 { return "undone" }
    if outcome.proposedCount > 0 { return "undo_proposed" }
    let why = outcome.left.first.map { Phrase.told($0.reason) } ?? "fault.nothing_to_undo"
    throw ConsoleFault(status: .conflict, message: Phrase("fault.not_undone", ["why": why]))
  }

  func decision(_ form: Form) throws -> CaseDecision {
    func named<Choice: RawRepresentable & CaseIterable>(_ field: String, _ kind: Choice.Type) throws -> Choice
    where Choice.RawValue == String {
      if let choice = Choice(rawValue: form[field]) { return choice }
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw ConsoleFault(
        status: .badRequest, message: Phrase("fault.no_decision", ["field": .plain(field), "choices": .plain(choices)]))
    }
    let action = try named("action", CaseAction.self)
    let outcome = form["outcome"].isEmpty ? action.usualOutcome : try named("outcome", CaseOutcome.self)
    var decision = CaseDecision(action: action, outcome: outcome, reason: form["reason"])
    if !form["order"].isEmpty { decision.orderID = form["order"] }
    if !form["charge"].isEmpty { decision.chargeID = form["charge"] }
    if !form["break"].isEmpty { decision.breakIDs = form["break"].split(separator: " ").map(String.init) }
    if !form["until"].isEmpty {
      guard let until = Self.instant(form["until"]) else {
        throw ConsoleFault(status: .badRequest, message: "fault.until")
      }
      decision.until = until
    }
    return decision
  }

  /// What a page says after an act; only these words, whatever an address says.
  static let doneWords: Set<String> = [
    "take", "release", "note", "decided", "proposed", "approve", "reject", "snooze", "wake", "assign", "follow", "unfollow",
    "withdraw", "undone", "attached", "undo_proposed",
  ]
}

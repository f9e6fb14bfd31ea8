internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

extension CaseController {
  /// Returns the outcome that the case's page reports.
  func act(_ name: String, on id: String, _ form: Form) async throws -> ActOutcome {
    guard let act = CaseAct(rawValue: name) else { throw ConsoleFault.notThere }
    guard act.isConclusion ? visit.canConclude : visit.canWork else { throw ConsoleFault.notAllowed }
    _ = try await head(of: id)
    try Self.checkLength(form["reason"], ConsoleLimits.reasonCharactersMax, "term.reason")
    let done = try await perform(act, id, form)
    try await consoleCases.refresh([id])
    return done
  }

  enum CaseAct: String {
    case take, release, note, decide, approve, reject, withdraw, undo, snooze, wake, assign, follow, unfollow

    var isConclusion: Bool { self == .approve || self == .reject }
  }

  private func perform(_ act: CaseAct, _ id: String, _ form: Form) async throws -> ActOutcome {
    let (person, reason) = (Person(), form["reason"])
    let proposal = form["proposal"].isEmpty ? nil : form["proposal"]
    switch act {
    case .take: _ = try await job.take(id, by: person, leaseSeconds: ConsoleLimits.leaseSeconds)
    case .release: try await job.release(id, by: person, reason: reason)
    case .note: try await job.note(id, form["note"], by: person)
    case .decide:
      let decided = try await job.decide(id, try decision(form), by: person, consent: Self.consent(form))
      return ActOutcome(word: decided.needsSecondPerson ? "proposed" : "decided", late: decided.late.map(\.breakClass))
    case .approve:
      let late = try await job.conclude(id, .approved, of: proposal, by: person, reason: reason, consent: Self.consent(form))
      return ActOutcome(word: act.rawValue, late: late.map(\.breakClass))
    case .reject: try await job.conclude(id, .rejected, of: proposal, by: person, reason: reason)
    case .withdraw: try await job.conclude(id, .withdrawn, of: proposal, by: person, reason: reason)
    case .undo: return ActOutcome(word: try await undo([id], batch: nil, reason))
    case .snooze:
      guard let until = Self.instant(form["until"]) else { throw ConsoleFault.invalid("fault.snooze_until") }
      try await job.mark(id, .snooze(until: until), by: person, reason: reason)
    case .wake: try await job.mark(id, .wake, by: person, reason: reason)
    case .assign: try await job.mark(id, .assign(to: form["assignee"].isEmpty ? nil : form["assignee"]), by: person, reason: reason)
    case .follow, .unfollow: try await job.mark(id, .follow(act == .follow), by: person, reason: reason)
    }
    return ActOutcome(word: act.rawValue)
  }

  /// Undoes recent decisions and approvals of this account.
  func undo(_ ids: [String], batch: String?, _ reason: String) async throws -> String {
    let since = Timestamp(microseconds: context.asOf.microseconds - ConsoleLimits.undoSeconds * 1_000_000)
    let outcome = try await job.undo(
      CaseJob.UndoScope(actor: visit.account, cases: ids, since: since, batchID: batch), by: Person(), reason: reason, isDryRun: false)
    if outcome.undoneCount > 0 { return "undone" }
    if outcome.proposedCount > 0 { return "undo_proposed" }
    let why = outcome.left.first?.reason ?? "fault.nothing_to_undo"
    throw ConsoleFault(status: .conflict, message: Phrase("fault.not_undone", ["why": why]))
  }

  func decision(_ form: Form) throws -> CaseDecision {
    func named<Choice: RawRepresentable & CaseIterable>(_ field: String, _ kind: Choice.Type) throws -> Choice
    where Choice.RawValue == String {
      if let choice = Choice(rawValue: form[field]) { return choice }
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw ConsoleFault.invalid(Phrase("fault.no_decision", ["field": .plain(field), "choices": .plain(choices)]))
    }
    if !form.isOfProgram {
      guard !form["action"].isEmpty else { throw ConsoleFault.invalid("fault.no_action") }
      guard !form["outcome"].isEmpty else { throw ConsoleFault.invalid("fault.no_finding") }
    }
    let action = try named("action", CaseAction.self)
    let outcome = form["outcome"].isEmpty ? nil : try named("outcome", CaseOutcome.self)
    if let outcome, !action.outcomes.contains(outcome) {
      let (said, may) = (Self.actionName(action.rawValue), Self.effects([action])[0]["findings"] as? Phrase ?? .plain(""))
      let parts = ["action": said, "outcome": Self.actionName(outcome.rawValue), "findings": may]
      throw ConsoleFault.invalid(Phrase("fault.contradiction", parts))
    }
    var decision = CaseDecision(action: action, outcome: outcome, reason: form["reason"])
    if !form["order"].isEmpty { decision.orderID = form["order"] }
    if !form["charge"].isEmpty { decision.chargeID = form["charge"] }
    if !form["break"].isEmpty { decision.breakIDs = form["break"].split(separator: " ").map(String.init) }
    if !form["until"].isEmpty {
      guard let until = Self.instant(form["until"]) else { throw ConsoleFault.invalid("fault.until") }
      decision.until = until
    }
    return decision
  }
}

/// The outcome of an action on a case, which the case's page shows once. Only the listed words are accepted from a cookie.
struct ActOutcome {
  var word: String
  /// Classes of breaks that appeared or changed after the reviewer opened the case. The decision does not cover them.
  var late: [String] = []

  static let words: Set<String> = [
    "take", "release", "note", "decided", "proposed", "approve", "reject", "snooze", "wake", "assign", "follow", "unfollow",
    "withdraw", "undone", "attached", "undo_proposed", "in_hand",
  ]

  private static let lateMax = 10
  private static let mark: Character = "."

  init(word: String, late: [String] = []) { (self.word, self.late) = (word, late) }

  /// - Parameter text: value of the cookie; nil for a value that this console did not write.
  init?(_ text: String) {
    let parts = text.split(separator: Self.mark).map(String.init)
    guard let word = parts.first, Self.words.contains(word) else { return nil }
    let (names, letters) = (parts.dropFirst(), Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"))
    guard names.count <= Self.lateMax + 1, names.allSatisfy({ $0.count < 40 && letters.isSuperset(of: $0) }) else { return nil }
    self.init(word: word, late: Array(names))
  }

  var text: String {
    let named = late.count > Self.lateMax ? late.prefix(Self.lateMax) + ["MORE_\(late.count - Self.lateMax)"] : late[...]
    return ([word] + named).joined(separator: String(Self.mark))
  }

  var message: Phrase {
    guard !late.isEmpty else { return .name("done", word) }
    let arguments: [String: Phrase] = [
      "done": .name("done", word), "count": .plain("\(late.count)"), "breaks": .plain(late.joined(separator: ", ")),
    ]
    return Phrase("done.late", arguments, counting: late.count)
  }
}

extension CaseController {
  /// Parses an RFC 3339 instant, or a date as its first instant in UTC; nil for other texts.
  static func instant(_ text: String) -> Timestamp? { Timestamp(rfc3339: text) ?? CivilDate(text)?.start }

  func arrangements(_ head: ReportRecord) async throws -> [String: Any] {
    let isWaiting = try ["open", "taken"].contains(head.text("status")) || Self.isProposed(head)
    let isFree = try head.text("status") == "open" || head.text("is_mine") == "t"
    let (isAside, assignee) = try (!head.text("returns_at").isEmpty, head.text("assignee"))
    return try [
      "can_snooze": isFree && !isAside, "can_wake": isAside, "can_assign": isWaiting, "is_assigned": !assignee.isEmpty,
      "people": isWaiting ? await job.assignable(head.text("case_id")).filter { $0 != assignee } : [],
      "follows": head.text("is_followed") == "t",
    ]
  }

  /// Returns the cases of which the account is notified, whatever their status.
  func following() async throws -> Page {
    try await consoleCases.refresh()
    let found = try await table(ConsoleSQL.followedCases)
    try await viewed("following")
    try await context.transaction(as: .review) { tx in _ = try tx.run(context.sql(ConsoleSQL.noticesSeen), ["as_of": context.asOfValue]) }
    return Page(
      title: "following.title", visit: visit, subtitle: "following.subtitle",
      sections: [Section("section.cases", found, empty: "following.none")])
  }

  func attach(_ form: Form, to id: String) async throws {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    _ = try await head(of: id)
    guard let file = form.file, !file.bytes.isEmpty else { throw ConsoleFault.invalid("fault.empty_file") }
    try await job.attach(id, file.bytes, name: file.name, by: Person())
  }

  /// Returns the bytes of an attachment. As with evidence, a read-only account is refused.
  func attachment(_ hash: String, of id: String) async throws -> [UInt8] {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    _ = try await head(of: id)
    guard Self.isID(hash, digits: 64) else { throw ConsoleFault.notThere }
    do { return try await job.attachment(id, hash, by: Person()) } catch is JobError { throw ConsoleFault.notThere }
  }
}

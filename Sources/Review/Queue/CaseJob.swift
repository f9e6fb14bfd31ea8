internal import Domain
public import JobCore
internal import Postgres
internal import Wording

/// The review queue: a reviewer leases the best case, then decides or releases it.
public struct CaseJob: Sendable {
  let context: JobContext
  /// Source of Apple's current record before punishing actions; nil if no app has a key.
  let stateSource: (any AppleStateSource)?

  /// Candidates tried before `take` fails.
  static let triesMax = 100

  public init(context: JobContext, stateSource: (any AppleStateSource)? = nil) { (self.context, self.stateSource) = (context, stateSource) }

  /// Returns the items, links and decisions of a case as lines. If the account has the case, the items are recorded as seen.
  public func show(_ caseID: String, isFollowing: Bool = false) async throws -> String {
    let cases = ReviewedCases(context: context, ids: [caseID])
    let lines = try await context.withSession(as: .review) { session in
      try await recordSeen(cases, on: session)
      return try await session.transaction(.readOnlySnapshot) { tx in
        try (isFollowing ? cases.later(&tx) : cases).rows(QueueSQL.show, in: &tx).map { text, apple in
          text + (apple.map { ", " + Phrase.name("apple_answer", $0).english } ?? "")
        }
      }
    }
    guard !lines.isEmpty else { throw cases.unknown }
    return lines.joined(separator: "\n")
  }

  /// Leases a case, or the best free one that the person did not pass over, and returns its id; nil if no case is pending.
  ///
  /// The lease of a case that the person already has is extended.
  /// - Throws: `JobError` if another reviewer has the case, or others took every candidate.
  public func take(_ caseID: String?, by person: Person, leaseSeconds: Int64, passedOver: [String] = []) async throws -> String? {
    try await withSession(of: person) { session, cases in
      var refused = passedOver
      for _ in 0..<Self.triesMax {
        var found = caseID
        if found == nil { found = try await next(refused: refused, cases, session) }
        guard let candidate = found else { return nil }
        let isNamed = caseID != nil
        let isTaken = try await cases.on([candidate]).act(on: session, begins: true) { cases, tx in
          guard try Self.canBeTaken(cases, isNamed: isNamed, &tx) else { return false }
          if try cases.lease(seconds: leaseSeconds, renews: true, &tx) { return true }
          if isNamed { throw try Self.leasedByOther(cases, &tx) }
          return false
        }
        if isTaken { return candidate }
        refused.append(candidate)
      }
      throw Self.contended
    }
  }

  /// The error for pending cases of which others took every candidate.
  static let contended = JobError("refusal.take_contended", ["count": "\(triesMax)"], hint: "Try again.", status: .lockHeld)

  /// Returns the error that names the holder of a leased case and the end of the lease.
  private static func leasedByOther(_ cases: ReviewedCases, _ tx: inout DatabaseTransaction) throws -> JobError {
    guard let (person, until) = try cases.rows(QueueSQL.holder, in: &tx).first else { return contended }
    let arguments = ["id": cases.ids[0], "person": person, "at": Timestamp(microseconds: until).rfc3339]
    return JobError("refusal.taken", arguments, hint: "Take another: payrecon queue take.", status: .lockHeld)
  }

  /// - Throws: `JobError` if a requested case is unknown or not pending.
  private static func canBeTaken(_ cases: ReviewedCases, isNamed: Bool, _ tx: inout DatabaseTransaction) throws -> Bool {
    guard isNamed else { return try cases.state(&tx)?.status == "open" }
    let state = try cases.knownState(&tx)
    // A case that is only watched, or about which the customer was contacted, can still be decided.
    guard ["open", "taken"].contains(state.status) || (state.status == "closed" && state.hasUndecided) else {
      throw JobError(
        Phrase("refusal.take_status", ["id": .plain(cases.ids[0]), "status": .code(state.status)]), hint: hint(on: cases.ids[0], state))
    }
    return true
  }

  private func next(refused: [String], _ cases: ReviewedCases, _ session: Session) async throws -> String? {
    try await session.transaction(.singleStatement) { tx in
      try cases.rows(QueueSQL.next, ["refused": .textArray(refused)], in: &tx).first
    }
  }

  public func release(_ caseID: String, by person: Person, reason: String) async throws {
    try await withSession(of: person, [caseID]) { session, cases in
      try await cases.act(on: session) { cases, tx in
        guard try cases.release(reason: reason, &tx) else {
          throw JobError("refusal.release_holder", ["id": caseID, "person": cases.actor.name])
        }
        try cases.audit(.caseReleased, [.reason(reason)], in: &tx)
      }
    }
  }

  public static let noteCharactersMax = 4000

  public func note(_ caseID: String, _ note: String, by person: Person) async throws {
    guard !note.isBlank, note.count <= Self.noteCharactersMax else {
      throw JobError("refusal.note", ["max": "\(Self.noteCharactersMax)"], status: .usage)
    }
    try await withSession(of: person, [caseID]) { session, cases in
      try await session.retrying { tx in
        guard try cases.run(ConsoleSQL.note, ["note": .text(note)], in: &tx) == 1 else { return }
        // A note may name a person, so the permanent audit chain omits its text.
        try cases.audit(.noteAdded, in: &tx)
      }
    }
  }

  /// Records the shown items, or all of the case, as seen by its holder. Does nothing if the account does not have the case.
  public func recordSeen(_ caseID: String, items: [String]? = nil) async throws {
    let cases = ReviewedCases(context: context, ids: [caseID])
    try await context.withSession(as: .review) { session in try await recordSeen(cases, items: items, on: session) }
  }

  func recordSeen(_ cases: ReviewedCases, items: [String]? = nil, on session: Session) async throws {
    guard try await session.transaction(.singleStatement, { tx in try cases.rows(QueueSQL.hasLease, in: &tx) }) == [true] else { return }
    let values = items.map { ["item_ids": Value.textArray($0)] } ?? [:]
    try await session.retrying { tx in try cases.send(QueueSQL.recordSeen, values, in: &tx) }
  }

  /// Passes a session of a reviewer, and the cases on which the reviewer acts.
  ///
  /// - Parameter decides: whether the reviewer must be allowed to decide as of the clock.
  func withSession<Result>(
    of person: Person, _ ids: [String] = [], decides: Bool = false, _ work: (Session, ReviewedCases) async throws -> Result
  ) async throws -> Result {
    try await context.withSession(as: .review) { session in
      if decides { try await context.requireNewestClock(on: session) }
      return try await work(session, ReviewedCases(context: context, ids: ids, actor: session.actor(person, in: context)))
    }
  }

  public struct Decided: Sendable {
    public var needsSecondPerson: Bool
    /// Breaks that appeared or changed after the reviewer took or last viewed the case. The decision does not cover them.
    public var late: [Break]

    public struct Break: Sendable, Equatable {
      public var breakClass: String
      public var id: String

      static func list(_ text: String) -> [Self] {
        text.split(separator: ",").map { item in
          let words = item.split(separator: " ").map(String.init)
          return Self(breakClass: words.first ?? "", id: words.last ?? "")
        }
      }
    }
  }

  /// Decides a case that the person has, or proposes the decision if it needs a second person.
  ///
  /// - Throws: `JobError` if the person does not have the case; `AppleRecordMismatch` if Apple's record contradicts a punishing action.
  public func decide(
    _ caseID: String, _ decision: CaseDecision, by person: Person, consent: AppleConsent = AppleConsent()
  ) async throws -> Decided {
    try check(decision)
    let late = try await withSession(of: person, [caseID], decides: true) { session, cases in
      let noLease = JobError(
        "refusal.decide_holder", ["id": caseID, "person": cases.actor.name], hint: "Take it first: payrecon queue take \(caseID).")
      let seen = try await cases.state(on: session)
      try Self.checkIsUnproposed(seen, caseID)
      guard seen.holder == cases.actor.name else { throw noLease }
      let recordCheck = try await checkRecord(decision, on: cases, consent, session)
      return try await cases.act(on: session) { cases, tx in
        if let state = try cases.state(&tx) { try Self.checkIsUnproposed(state, caseID) }
        guard try Self.bannedCases(against: decision, cases, &tx).isEmpty else {
          throw JobError("refusal.two_banned", ["id": caseID], hint: "Propose to take the ban back: payrecon queue undo \(caseID).")
        }
        try Self.checkIsOpen(cases, decision, &tx) {
          JobError(
            Phrase("refusal.gone", ["id": .plain(caseID), "gone": $0]),
            hint: "Give it back: payrecon queue release \(caseID).")
        }
        let made = try Self.record(decision, on: cases, after: recordCheck, &tx)
        // A reviewer who lost the lease decides nothing. The record of what they saw ends with the lease.
        guard try cases.run(QueueSQL.release, in: &tx) == 1 else { throw noLease }
        guard let only = made.first else {
          throw JobError("refusal.nothing_open", ["id": caseID], hint: "See what it holds: payrecon queue show \(caseID).")
        }
        return only.late
      }
    }
    return Decided(needsSecondPerson: decision.action.needsSecondPerson, late: late)
  }

  /// Returns the cases that one person alone may not decide, because two people banned the subject and nothing is new since.
  static func bannedCases(against decision: CaseDecision, _ cases: ReviewedCases, _ tx: inout DatabaseTransaction) throws -> [String] {
    decision.action.needsSecondPerson ? [] : try cases.rows(QueueSQL.bannedCases, in: &tx)
  }

  private static func checkIsUnproposed(_ state: ReviewedCases.State, _ caseID: String) throws {
    guard state.status == "waiting_approval" else { return }
    throw JobError(
      Phrase("refusal.decide_status", ["id": .plain(caseID), "status": .code(state.status)]), hint: hint(on: caseID, state))
  }

  /// Returns the next step on a case that is pending approval; nil for another case.
  private static func hint(on caseID: String, _ state: ReviewedCases.State) -> String? {
    guard state.status == "waiting_approval" else { return nil }
    return "It waits for approval, and a second person must decide: payrecon queue approve \(caseID) or payrecon queue reject \(caseID). "
      + "Who proposed may withdraw: payrecon queue withdraw \(caseID)."
  }

  /// Records the answer to Apple's consumption request. `bundleID` is needed only if several apps have the transaction.
  public func answered(
    _ transactionID: String, ofApp bundleID: String? = nil, isSent: Bool, by person: Person, reason: String
  ) async throws {
    try await withSession(of: person, decides: true) { session, cases in
      let outcome = isSent ? "sent" : "no_consent"
      try await session.retrying { tx in
        let apps = try cases.rows(QueueSQL.answerApps, ["transaction_id": .text(transactionID)], in: &tx)
        let app = try Self.only(apps, named: bundleID, of: transactionID)
        let values: [String: Value] = [
          "transaction_id": .text(transactionID), "bundle_id": .text(app.0), "environment": .text(app.1), "outcome": .text(outcome),
          "reason": .text(reason),
        ]
        guard try cases.run(QueueSQL.answer, values, in: &tx) == 1 else { return }
        try cases.audit(
          .consumptionAnswered, of: transactionID, [.text("bundle_id", app.0), .text("outcome", outcome), .reason(reason)], in: &tx)
      }
    }
  }

  private static func only(_ apps: [(String, String)], named bundleID: String?, of transactionID: String) throws -> (String, String) {
    let meant = apps.filter { bundleID == nil || $0.0 == bundleID }
    if meant.count == 1 { return meant[0] }
    let names = Phrase("refusal.the_apps", ["list": .plain(apps.map { "\"\($0.0)\"" }.joined(separator: ", "))])
    throw JobError(
      Phrase("refusal.answer_app", ["id": .plain(transactionID), "apps": apps.isEmpty ? "refusal.no_app" : names]),
      hint: "Name the app with --bundle-id.", status: .usage)
  }

  /// - Throws: `refusal`, with the closed items and their times, if a punishing decision has no open item left.
  static func checkIsOpen(
    _ cases: ReviewedCases, _ decision: CaseDecision, _ tx: inout DatabaseTransaction, refusal: (Phrase) -> JobError
  ) throws {
    guard decision.action.punishes else { return }
    // The gathered items may be incomplete, so a refusal requires a second pass over all items.
    var found: [(Bool, String)] = []
    let named: [String: Value] = ["break_ids": .textArray(decision.breakIDs)]
    for values in [named, named.merging(["item_ids": .null]) { $1 }] {
      found = try cases.rows(QueueSQL.closedItems, values, in: &tx)
      if found.contains(where: \.0) { return }
    }
    guard !found.isEmpty else { return }
    throw refusal(try list(found.map(\.1)))
  }

  /// Returns the first of some phrases of the database as a list.
  static func list(_ items: [String]) throws -> Phrase { .list(try items.prefix(closedItemsMax).map { try Phrase(json: $0) }) }

  /// Maximum number of items that a refusal names.
  static let closedItemsMax = 5
}

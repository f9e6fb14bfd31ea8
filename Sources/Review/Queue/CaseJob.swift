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

  public init(context: JobContext, stateSource: (any AppleStateSource)? = nil) {
    self.context = context
    self.stateSource = stateSource
  }

  /// Streams the pending cases, best first.
  public func list(
    _ filter: RowFilter = RowFilter(), format: ExportFormat = .csv, sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws {
    let statement = try context.sql(QueueSQL.list)
    let asOf = context.asOfValue
    try await context.transaction(as: .review, .readOnlySnapshot) { tx in
      _ = try filter.stream(statement, ["as_of": asOf], as: format, tx: &tx, to: sink)
    }
  }

  /// Returns a case as lines: its items, links and decisions. If the account has the case, the items are recorded as seen.
  ///
  /// - Parameter isFollowing: whether to include actions after the clock.
  public func show(_ caseID: String, isFollowing: Bool = false) async throws -> String {
    let statement = try context.sql(QueueSQL.show)
    let context = context
    let lines = try await context.withSession(as: .review) { session in
      try await recordSeen(caseID, on: session)
      return try await session.transaction(.readOnlySnapshot) { tx in
        let clock = isFollowing ? try Self.later([caseID], context, &tx).asOfValue : context.asOfValue
        return try tx.rows(statement, ["case_id": .text(caseID), "as_of": clock]).map { text, apple in
          text + (apple.map { ", " + Phrase.name("apple_answer", $0).english } ?? "")
        }
      }
    }
    guard !lines.isEmpty else { throw Self.unknown(caseID) }
    return lines.joined(separator: "\n")
  }

  /// Leases a case to a person.
  ///
  /// - Parameters:
  ///   - caseID: the requested case; nil for the best free one.
  ///   - passedOver: cases that the person postpones.
  ///   - renews: whether a case that the person already has is extended.
  /// - Returns: its id; nil if no case is pending.
  /// - Throws: `JobError` if another reviewer has the case, or others took every candidate.
  public func take(
    _ caseID: String?, by person: Person, leaseSeconds: Int64, passedOver: [String] = [], renews: Bool = true
  ) async throws -> String? {
    try await withSession(of: person) { session, actor in
      var refused = passedOver
      for _ in 0..<Self.triesMax {
        var found = caseID
        if found == nil { found = try await next(refused: refused, on: session) }
        guard let candidate = found else { return nil }
        let (seconds, isNamed) = (leaseSeconds, caseID != nil)
        let isTaken = try await Self.act(on: [candidate], context, session, begins: true) { context, tx in
          guard try Self.canBeTaken(candidate, isNamed: isNamed, context, &tx) else { return false }
          return try CaseJob(context: context).lease(candidate, to: actor, seconds: seconds, renews: renews, &tx)
        }
        if isTaken { return candidate }
        guard isNamed else {
          refused.append(candidate)
          continue
        }
        // The previous holder may have released it since.
        guard let holding = try await holding(of: candidate, on: session) else { continue }
        throw JobError(holding, hint: "Take another: payrecon queue take.", status: .lockHeld)
      }
      throw Self.contended
    }
  }

  /// The error for pending cases of which others took every candidate.
  static let contended = JobError("refusal.take_contended", ["count": "\(triesMax)"], hint: "Try again.", status: .lockHeld)

  /// Returns the refusal that names the holder of a case and the end of the lease; nil for a free case.
  private func holding(of caseID: String, on session: Session) async throws -> Phrase? {
    let statement = try context.sql(QueueSQL.holder)
    let parameters: [String: Value] = ["case_id": .text(caseID), "as_of": context.asOfValue]
    return try await session.retrying { tx in
      try tx.rows(statement, parameters).first.map {
        Phrase("refusal.taken", ["id": .plain(caseID), "person": .plain($0), "at": .plain(Timestamp(microseconds: $1).rfc3339)])
      }
    }
  }

  /// - Throws: `JobError` if a requested case is unknown or not pending.
  private static func canBeTaken(_ caseID: String, isNamed: Bool, _ context: JobContext, _ tx: inout DatabaseTransaction) throws -> Bool {
    let state = try state(of: caseID, context, &tx)
    guard isNamed else { return state?.status == "open" }
    guard let state else { throw unknown(caseID) }
    // A case that is only watched, or about which the customer was contacted, can still be decided.
    guard ["open", "taken"].contains(state.status) || (state.status == "closed" && state.hasUndecided) else {
      throw JobError(Phrase("refusal.take_status", ["id": .plain(caseID), "status": .code(state.status)]))
    }
    return true
  }

  private func next(refused: [String], on session: Session) async throws -> String? {
    let statement = try context.sql(QueueSQL.next)
    let parameters: [String: Value] = ["as_of": context.asOfValue, "refused": .textArray(refused)]
    return try await session.transaction(.singleStatement) { tx in try tx.rows(statement, parameters) }.first
  }

  /// Leases a case whose lock this transaction has.
  ///
  /// - Returns: false if another reviewer has the case.
  func lease(_ caseID: String, to actor: Actor, seconds: Int64, renews: Bool, _ tx: inout DatabaseTransaction) throws -> Bool {
    let until = Value.timestamptz(microseconds: context.asOf.microseconds + seconds * 1_000_000)
    let parameters: [String: Value] = [
      "case_id": .text(caseID), "person": .text(actor.name), "as_of": context.asOfValue, "lease_until": until,
      "renews": .bool(renews),
    ]
    let event = Self.event(caseID, "taken", actor, reason: "", until: until, context)
    guard try tx.run(context.sql(QueueSQL.lease), parameters) == 1 else { return false }
    try Self.recordSeen(caseID, context, &tx)
    try tx.send(context.sql(QueueSQL.event), event)
    try tx.audit(Self.entry(.caseTaken, caseID, actor), in: context)
    return true
  }

  /// Returns the audit entry of an action on a case. Its free text is stored in the queue's tables.
  static func entry(_ act: AuditAct, _ subject: String, _ actor: Actor, _ details: [AuditEntry.Detail] = []) -> AuditEntry {
    AuditEntry(actor: actor.name, act: act, subject: subject, details: [.text("account", actor.account)] + details)
  }

  /// Releases a case undecided.
  public func release(_ caseID: String, by person: Person, reason: String) async throws {
    try await withSession(of: person) { session, actor in
      let holder: [String: Value] = ["case_id": .text(caseID), "person": .text(actor.name)]
      try await Self.act(on: [caseID], context, session) { context, tx in
        let event = Self.event(caseID, "released", actor, reason: reason, until: .null, context)
        guard try tx.run(context.sql(QueueSQL.release), holder) == 1 else {
          throw JobError("refusal.release_holder", ["id": caseID, "person": actor.name])
        }
        try tx.send(context.sql(QueueSQL.event), event)
        try tx.audit(Self.entry(.caseReleased, caseID, actor, [.reason(reason)]), in: context)
      }
    }
  }

  /// Passes a session of a reviewer, and its actor.
  func withSession<Result>(of person: Person, _ work: (Session, Actor) async throws -> Result) async throws -> Result {
    try await context.withSession(as: .review) { session in try await work(session, session.actor(person, in: context)) }
  }

  /// Passes a session on which the actor may decide as of the clock, and the actor.
  func withSession<Result>(deciding person: Person, _ work: (Session, Actor) async throws -> Result) async throws -> Result {
    try await context.withSession(as: .review) { session in
      try await DecisionGate(context: context).check(on: session)
      return try await work(session, session.actor(person, in: context))
    }
  }

  /// Decides a case that the person has. An action that needs a second person is proposed.
  ///
  /// - Throws: `JobError` if the person does not have the case; `AppleRecordMismatch` if Apple's record contradicts a punishing action.
  public func decide(
    _ caseID: String, _ decision: CaseDecision, by person: Person, consent: AppleConsent = AppleConsent()
  ) async throws -> Decided {
    try check(decision)
    let late = try await withSession(deciding: person) { session, actor in
      let state = try await state(of: caseID, on: session)
      guard state.holder == actor.name else { throw Self.notHeld(caseID, by: actor) }
      let recordCheck = try await checkRecord(decision, on: [caseID], by: actor, consent, session)
      return try await Self.act(on: [caseID], context, session) { context, tx in
        if let status = try Self.state(of: caseID, context, &tx)?.status, status == "waiting_approval" {
          throw JobError(Phrase("refusal.decide_status", ["id": .plain(caseID), "status": .code(status)]))
        }
        try Self.checkIsOpen(caseID, decision, context, &tx) {
          JobError(
            Phrase("refusal.gone", ["id": .plain(caseID), "gone": $0]),
            hint: "Give it back: payrecon queue release \(caseID).")
        }
        let made = try Self.record(decision, on: [caseID], by: actor, after: recordCheck, context, &tx)
        // A reviewer who lost the lease decides nothing. The record of what they saw ends with the lease.
        let holder: [String: Value] = ["case_id": .text(caseID), "person": .text(actor.name)]
        guard try tx.run(context.sql(QueueSQL.release), holder) == 1 else { throw Self.notHeld(caseID, by: actor) }
        guard let only = made.first else {
          throw JobError("refusal.nothing_open", ["id": caseID], hint: "See what it holds: payrecon queue show \(caseID).")
        }
        return only.late
      }
    }
    return Decided(needsSecondPerson: decision.action.needsSecondPerson, late: late)
  }

  /// Records the answer to Apple's consumption request, or that the customer gave no consent.
  ///
  /// - Parameter bundleID: the transaction's app; needed only if several apps have a transaction of this id.
  public func answered(
    _ transactionID: String, ofApp bundleID: String? = nil, isSent: Bool, by person: Person, reason: String
  ) async throws {
    try await withSession(of: person) { session, actor in
      let context = context
      let (statement, apps) = (try context.sql(QueueSQL.answer), try context.sql(QueueSQL.answerApps))
      let outcome = isSent ? "sent" : "no_consent"
      try await session.retrying { tx in
        let app = try Self.only(try tx.rows(apps, ["transaction_id": .text(transactionID)]), named: bundleID, of: transactionID)
        let parameters: [String: Value] = [
          "transaction_id": .text(transactionID), "bundle_id": .text(app.0), "environment": .text(app.1),
          "outcome": .text(outcome), "person": .text(actor.name), "reason": .text(reason), "as_of": context.asOfValue,
        ]
        guard try tx.run(statement, parameters) == 1 else { return }
        try tx.audit(
          Self.entry(
            .consumptionAnswered, transactionID, actor,
            [.text("bundle_id", app.0), .text("outcome", outcome), .reason(reason)]), in: context)
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

  static func event(
    _ caseID: String, _ action: String, _ actor: Actor, reason: String, until: Value, _ context: JobContext
  ) -> [String: Value] {
    [
      "case_id": .text(caseID), "action": .text(action), "person": .text(actor.name), "reason": .text(reason),
      "as_of": context.asOfValue, "lease_until": until,
    ]
  }

  /// - Throws: `refusal`, with the closed items and their times, if a punishing decision has no open item left.
  static func checkIsOpen(
    _ caseID: String, _ decision: CaseDecision, _ context: JobContext, _ tx: inout DatabaseTransaction,
    refusal: (Phrase) -> JobError
  ) throws {
    guard decision.action.punishes else { return }
    // The gathered items may be incomplete, so a refusal requires a second pass over all items.
    var found: [(Bool, String)] = []
    for isWhole in [false, true] {
      let about: [String: Value] = [
        "case_id": .text(caseID), "as_of": context.asOfValue, "break_ids": .textArray(decision.breakIDs),
        "item_ids": isWhole ? .null : try items(of: [caseID], context, &tx),
      ]
      found = try tx.rows(context.sql(QueueSQL.closedItems), about)
      if found.contains(where: \.0) { return }
    }
    guard !found.isEmpty else { return }
    throw refusal(.sentence(found.prefix(closedItemsMax).map(\.1).joined(separator: ", ")))
  }

  /// Closed items listed in the message.
  private static let closedItemsMax = 5

  private static func notHeld(_ caseID: String, by actor: Actor) -> JobError {
    JobError("refusal.decide_holder", ["id": caseID, "person": actor.name], hint: "Take it first: payrecon queue take \(caseID).")
  }

  static func unknown(_ caseID: String) -> JobError {
    JobError("refusal.find_case", ["id": caseID], hint: "Cases are listed by: payrecon queue list.")
  }
}

internal import Cryptography
internal import Domain
package import JobCore
internal import Postgres

/// What Apple says of what a case is about, just before somebody is punished for it.
public struct AppleWord: Sendable {
  public enum Outcome: String, Sendable {
    case asKnown = "as_known"
    case differs
    /// Apple gave no answer about some of it; a person may go on, and the decision says so.
    case outOfReach = "out_of_reach"
    /// No app of it has a key to ask with.
    case noKey = "no_key"
    /// It names no transaction.
    case nothingToAsk = "nothing_to_ask"
  }

  public var outcome: Outcome
  public var askedCount: Int
  /// What differs from what the case rests on, a field a row.
  package var differences: ReportTable
  /// Why Apple said nothing of some; nil where it did of all that can be asked.
  public var silence: String?

  /// What a person names who goes on all the same: another difference has another one. Empty where nothing differs.
  public var seen: String {
    guard !differences.rows.isEmpty else { return "" }
    let lines = differences.rows.map { $0.map { $0 ?? "" }.joined(separator: "\t") }
    return String(SHA256.hex(Array(lines.joined(separator: "\n").utf8)).prefix(32))
  }

  var details: [AuditEntry.Detail] {
    [.text("apple", outcome.rawValue), .number("apple_asked", Int64(askedCount))] + (seen.isEmpty ? [] : [.text("apple_seen", seen)])
  }
}

/// What a person goes on with although Apple says otherwise than the case rests on, or says nothing.
public struct AppleConsent: Sendable {
  /// Of the difference that they were shown; see `AppleWord.seen`.
  public var seen: String
  public var goesOnUnasked: Bool

  public init(seen: String = "", goesOnUnasked: Bool = false) {
    self.seen = seen
    self.goesOnUnasked = goesOnUnasked
  }

  public func covers(_ word: AppleWord) -> Bool {
    (word.seen.isEmpty || word.seen == seen) && (word.silence == nil || goesOnUnasked)
  }
}

/// Nothing was decided: Apple says otherwise than the case rests on, or says nothing, and nobody said to go on all the same.
public struct AppleObjection: Error, CustomStringConvertible {
  public var word: AppleWord

  public init(word: AppleWord) { self.word = word }

  public var description: String {
    let silence = word.silence.map { "Apple could not be asked: \($0)" }
    let lines = word.differences.rows.map { row in
      let cells = row.map { $0 ?? "nothing" }
      return "transaction \(cells[0]), charge \(cells[1]): \(cells[2]) was \(cells[3]), Apple says \(cells[4])"
    }
    return ([silence].compactMap(\.self) + lines).joined(separator: "; ")
  }
}

extension CaseAction {
  /// Whether it takes something from a customer, or gives up on them: what Apple says of the purchase now comes first.
  public var punishes: Bool { self == .takeBack || self == .ban || self == .writeOff }
}

extension CaseJob {
  /// Transactions that Apple is asked about before one act.
  private static let questionsMax = 200
  /// Differences that are told of one act.
  private static let differencesMax: Int64 = 1000

  /// Asks Apple about what is to be decided, where that punishes; never within a transaction.
  ///
  /// - Parameter consent: nil asks, and objects to nothing.
  /// - Returns: nil where nobody is punished.
  /// - Throws: `AppleObjection` where a person has to look first.
  func heard(
    _ decision: CaseDecision, on caseIDs: [String], by actor: Actor, _ consent: AppleConsent?, _ session: Session
  ) async throws -> AppleWord? {
    guard decision.action.punishes else { return nil }
    let questions = try await questions(decision, caseIDs, session)
    var testimony = Testimony()
    if let witness, !questions.isEmpty {
      testimony = await witness.ask(Array(questions.prefix(Self.questionsMax)))
      if questions.count > Self.questionsMax, testimony.silence == nil {
        testimony.silence = "it is about more than \(Self.questionsMax) transactions"
      }
    } else {
      testimony.keylessCount = questions.count
    }
    let word = try await word(testimony, questions, session)
    if testimony.askedCount > 0 || testimony.silence != nil {
      let (context, subject) = (context, caseIDs.count == 1 ? caseIDs[0] : "bulk")
      try await session.retrying { tx in try tx.audit(Self.entry(.appleAsked, subject, actor, word.details), in: context) }
    }
    guard let consent, !consent.covers(word) else { return word }
    throw AppleObjection(word: word)
  }

  private func questions(_ decision: CaseDecision, _ caseIDs: [String], _ session: Session) async throws -> [WitnessQuestion] {
    let context = context
    return try await session.transaction(.readOnlySnapshot) { tx in
      let parameters: [String: Value] = [
        "case_ids": .textArray(caseIDs), "break_ids": .textArray(decision.breakIDs), "as_of": context.asOfValue,
        "item_ids": try Self.items(of: caseIDs, context, &tx), "order_id": decision.orderID.map(Value.text) ?? .null,
        "charge_id": decision.chargeID.map(Value.text) ?? .null, "row_max": .int8(Int64(Self.questionsMax + 1)),
      ]
      return try tx.rows(context.sql(QueueSQL.appleQuestions), parameters).map { bundleID, transactionID, isKnown in
        WitnessQuestion(bundleID: bundleID, transactionID: transactionID, isKnown: isKnown)
      }
    }
  }

  private func word(_ testimony: Testimony, _ questions: [WitnessQuestion], _ session: Session) async throws -> AppleWord {
    var differences = ReportTable(columns: [], rows: [])
    if testimony.askedCount > 0 {
      let context = context
      let parameters: [String: Value] = [
        "transaction_ids": .textArray(questions.map(\.transactionID)), "unknown_ids": .textArray(testimony.unknownIDs),
        "as_of": context.asOfValue, "row_max": .int8(Self.differencesMax),
      ]
      differences = try await session.transaction(.readOnlySnapshot) { tx in
        try ReportTable.read(QueueSQL.appleDifferences, parameters, files: context.sql, tx: &tx)
      }
    }
    let outcome: AppleWord.Outcome =
      questions.isEmpty ? .nothingToAsk
      : testimony.silence != nil ? .outOfReach
      : !differences.rows.isEmpty ? .differs : testimony.askedCount > 0 ? .asKnown : .noKey
    return AppleWord(
      outcome: outcome, askedCount: testimony.askedCount, differences: differences, silence: testimony.silence)
  }

  /// What waits for a second person in a case; nil for nothing.
  func proposed(in caseID: String, on session: Session) async throws -> CaseDecision? {
    let context = context
    return try await session.transaction(.readOnlySnapshot) { tx in try Self.proposed(in: caseID, context, &tx) }
  }

  static func proposed(
    in caseID: String, _ context: JobContext, _ tx: inout DatabaseTransaction
  ) throws -> CaseDecision? {
    let waiting = try tx.rows(context.sql(QueueSQL.proposed), ["case_id": .text(caseID)]).first
    return waiting.flatMap { action, order, charge, breaks in
      guard let action = CaseAction(rawValue: action) else { return nil }
      var decision = CaseDecision(action: action, reason: "")
      (decision.orderID, decision.chargeID) = (order, charge)
      decision.breakIDs = (breaks ?? "").split(separator: " ").map(String.init)
      return decision
    }
  }
}

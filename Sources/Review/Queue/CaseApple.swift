internal import Cryptography
package import JobCore
internal import Postgres
public import Wording

/// Apple's current record of a case's transactions, queried just before a punishing action.
public struct AppleRecordCheck: Sendable {
  public enum Outcome: String, Sendable {
    case asKnown = "as_known"
    case differs
    /// Apple did not answer for some transactions. A reviewer may continue; the decision records the fact.
    case outOfReach = "out_of_reach"
    /// No app of the case has an API key.
    case noKey = "no_key"
    /// The case names no transaction.
    case nothingToAsk = "nothing_to_ask"
  }

  public var outcome: Outcome
  public var askedCount: Int
  /// Differences between Apple's record and the case, one field per row.
  package var differences: ReportTable
  /// Reason why Apple did not answer for some transactions; nil if all were answered.
  public var missingReason: Phrase?

  /// Fingerprint of the differences, with which a reviewer confirms them; empty if there are none.
  public var seen: String {
    guard !differences.rows.isEmpty else { return "" }
    let lines = differences.rows.map { $0.map { $0 ?? "" }.joined(separator: "\t") }
    return String(SHA256.hex(Array(lines.joined(separator: "\n").utf8)).prefix(32))
  }

  var details: [AuditEntry.Detail] {
    [.text("apple", outcome.rawValue), .number("apple_asked", Int64(askedCount))] + (seen.isEmpty ? [] : [.text("apple_seen", seen)])
  }
}

/// A reviewer's consent to act although Apple's record differs or is missing.
public struct AppleConsent: Sendable {
  /// Fingerprint of the difference that the reviewer saw; see `AppleRecordCheck.seen`.
  public var seen: String
  /// Whether the reviewer decides although Apple's record is missing.
  public var acceptsMissingRecord: Bool

  public init(seen: String = "", acceptsMissingRecord: Bool = false) {
    (self.seen, self.acceptsMissingRecord) = (seen, acceptsMissingRecord)
  }

  public func covers(_ recordCheck: AppleRecordCheck) -> Bool {
    (recordCheck.seen.isEmpty || recordCheck.seen == seen) && (recordCheck.missingReason == nil || acceptsMissingRecord)
  }
}

/// An error that prevents a decision: Apple's record differs or is missing, and the reviewer gave no consent.
public struct AppleRecordMismatch: Error, CustomStringConvertible {
  public var check: AppleRecordCheck

  public init(check: AppleRecordCheck) { self.check = check }

  public var description: String {
    let missingReason = check.missingReason.map { "Apple could not be asked: \($0.english)" }
    let lines = check.differences.rows.map { row in
      let cells = row.map { $0 ?? "nothing" }
      return "transaction \(cells[0]), charge \(cells[1]): \(cells[2]) was \(cells[3]), Apple says \(cells[4])"
    }
    return ([missingReason].compactMap(\.self) + lines).joined(separator: "; ")
  }
}

extension CaseAction {
  /// Whether the action takes something from a customer or writes off a debt. Apple's current record is queried first.
  public var punishes: Bool { self == .takeBack || self == .ban || self == .writeOff }
}

extension CaseJob {
  private static let questionsMax = 200
  private static let differencesMax: Int64 = 1000

  /// Queries Apple about the subject of a punishing decision; returns nil for another one. Never called within a transaction.
  /// Throws `AppleRecordMismatch` if there is a consent that does not cover Apple's answer.
  func checkRecord(
    _ decision: CaseDecision, on cases: ReviewedCases, _ consent: AppleConsent?, _ session: Session
  ) async throws -> AppleRecordCheck? {
    guard decision.action.punishes else { return nil }
    let questions = try await questions(decision, cases, session)
    var result = AppleStateResult()
    if let stateSource, !questions.isEmpty {
      result = await stateSource.ask(Array(questions.prefix(Self.questionsMax)))
      if questions.count > Self.questionsMax, result.missingReason == nil {
        result.missingReason = Phrase("refusal.about_more", ["max": .plain("\(Self.questionsMax)")])
      }
    }
    let recordCheck = try await compare(result, questions, session)
    if result.askedCount > 0 || result.missingReason != nil {
      let subject = cases.ids.count == 1 ? cases.ids[0] : "bulk"
      try await session.retrying { tx in try cases.audit(.appleAsked, of: subject, recordCheck.details, in: &tx) }
    }
    guard let consent, !consent.covers(recordCheck) else { return recordCheck }
    throw AppleRecordMismatch(check: recordCheck)
  }

  private func questions(_ decision: CaseDecision, _ cases: ReviewedCases, _ session: Session) async throws -> [AppleStateQuery] {
    let values = decision.subject.merging(["row_max": .int8(Int64(Self.questionsMax + 1))]) { $1 }
    return try await session.transaction(.readOnlySnapshot) { tx in
      try cases.rows(QueueSQL.appleQuestions, values, in: &tx).map { bundleID, transactionID, isKnown in
        AppleStateQuery(bundleID: bundleID, transactionID: transactionID, isKnown: isKnown)
      }
    }
  }

  private func compare(_ result: AppleStateResult, _ questions: [AppleStateQuery], _ session: Session) async throws -> AppleRecordCheck {
    var differences = ReportTable(columns: [], rows: [])
    if result.askedCount > 0 {
      let parameters: [String: Value] = [
        "transaction_ids": .textArray(questions.map(\.transactionID)), "unknown_ids": .textArray(result.unknownIDs),
        "as_of": context.asOfValue, "row_max": .int8(Self.differencesMax),
      ]
      differences = try await session.transaction(.readOnlySnapshot) { tx in
        try ReportTable.read(QueueSQL.appleDifferences, parameters, files: context.sql, tx: &tx)
      }
    }
    let outcome: AppleRecordCheck.Outcome =
      questions.isEmpty
      ? .nothingToAsk
      : result.missingReason != nil
        ? .outOfReach
        : !differences.rows.isEmpty ? .differs : result.askedCount > 0 ? .asKnown : .noKey
    return AppleRecordCheck(outcome: outcome, askedCount: result.askedCount, differences: differences, missingReason: result.missingReason)
  }

  /// Returns the proposal that is pending in a case; nil for none.
  static func proposed(in cases: ReviewedCases, _ tx: inout DatabaseTransaction) throws -> CaseDecision? {
    try cases.rows(QueueSQL.proposed, in: &tx).first.flatMap { action, order, charge, breaks in
      guard let action = CaseAction(rawValue: action) else { return nil }
      var decision = CaseDecision(action: action, reason: "")
      (decision.orderID, decision.chargeID) = (order, charge)
      decision.breakIDs = (breaks ?? "").split(separator: " ").map(String.init)
      return decision
    }
  }
}

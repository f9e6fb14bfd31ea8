internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// Cases on which a reviewer acts, as of a clock.
struct ReviewedCases: Sendable {
  var context: JobContext
  var ids: [String] = []
  /// The reviewer. Without a name where no statement needs one: reading, and recording what was shown.
  var actor = Actor(name: "", account: "")

  func on(_ ids: [String]) -> Self { Self(context: context, ids: ids, actor: actor) }

  // MARK: Statements

  /// Returns a statement's file and its values: `values`, and those of its parameters that statements on cases share.
  private func bound<each Cell>(
    _ statement: Statement<repeat each Cell>, _ values: [String: Value], _ tx: inout DatabaseTransaction
  ) throws -> (StatementFile<repeat each Cell>, [String: Value]) {
    let file = try context.sql(statement)
    var shared: [String: Value] = [
      "case_id": .text(ids.first ?? ""), "case_ids": .textArray(ids), "person": .text(actor.name), "as_of": context.asOfValue,
    ]
    if values["item_ids"] == nil, file.parameterNames.contains("item_ids") { shared["item_ids"] = try items(&tx) }
    return (file, file.picking(from: shared).merging(values) { $1 })
  }

  /// Returns the breaks and signals of the cases; null if unknown, so that all cases must be searched.
  private func items(_ tx: inout DatabaseTransaction) throws -> Value {
    guard !ids.isEmpty else { return .null }
    let found = try rows(QueueSQL.items, in: &tx).first
    return found?.map { .textArray($0.split(separator: " ").map(String.init)) } ?? .null
  }

  func rows<each Cell>(
    _ statement: Statement<repeat each Cell>, _ values: [String: Value] = [:], in tx: inout DatabaseTransaction
  ) throws -> [(repeat each Cell)] {
    let (file, values) = try bound(statement, values, &tx)
    return try tx.rows(file, values)
  }

  /// Returns the number of affected rows.
  func run(_ statement: Statement<>, _ values: [String: Value] = [:], in tx: inout DatabaseTransaction) throws -> Int {
    let (file, values) = try bound(statement, values, &tx)
    return try tx.run(file, values)
  }

  func send(_ statement: Statement<>, _ values: [String: Value] = [:], in tx: inout DatabaseTransaction) throws {
    let (file, values) = try bound(statement, values, &tx)
    try tx.send(file, values)
  }

  /// Records an act in the audit chain, on the case if there is no subject. Its free text is stored in the queue's tables.
  func audit(
    _ act: AuditAct, of subject: String? = nil, _ details: [AuditEntry.Detail] = [], in tx: inout DatabaseTransaction
  ) throws {
    let account = AuditEntry.Detail.text("account", actor.account)
    try tx.audit(
      AuditEntry(actor: actor.name, act: act, subject: subject ?? ids.first ?? "", details: [account] + details), in: context)
  }

  // MARK: Serialised acts

  /// Performs an act on the cases in one transaction. Of concurrent acts on a case, the second one sees the effects of the first.
  ///
  /// - Parameters:
  ///   - begins: whether the act starts something that must differ in time from an end at the same clock.
  ///   - work: the act, on the cases at a clock not before their latest act. It must read everything it depends on itself.
  /// - Throws: `JobError` if a concurrent act violates a unique constraint.
  func act<Outcome: Sendable>(
    on session: Session, begins: Bool = false, isDryRun: Bool = false,
    _ work: @escaping @Sendable (ReviewedCases, inout DatabaseTransaction) throws -> Outcome
  ) async throws -> Outcome {
    do {
      // Not on a snapshot: the act must see the changes of the acts it waited for, and the end of the audit chain.
      return try await session.deciding(isDryRun: isDryRun, in: .readWrite) { tx in try work(locked(begins: begins, &tx), &tx) }
    } catch PostgresError.server(let error) where error.sqlState == .uniqueViolation {
      throw Self.sameMoment
    }
  }

  /// Locks the cases until the transaction ends and returns them at a clock not before their latest act.
  func locked(begins: Bool = false, _ tx: inout DatabaseTransaction) throws -> Self {
    _ = try rows(QueueSQL.lockCases, in: &tx)
    let cases = try later(&tx)
    guard begins, try cases.rows(QueueSQL.isReleased, in: &tx).first == true else { return cases }
    return cases.at(Timestamp(microseconds: cases.context.asOf.microseconds + 1))
  }

  /// Returns the cases at a clock after their latest act, because requests do not arrive in clock order.
  func later(_ tx: inout DatabaseTransaction) throws -> Self {
    let latest = try rows(QueueSQL.latestAct, in: &tx).first ?? nil
    guard let latest, latest > context.asOf.microseconds else { return self }
    return at(Timestamp(microseconds: latest + 1))
  }

  private func at(_ clock: Timestamp) -> Self { Self(context: context.withClock(clock), ids: ids, actor: actor) }

  static let sameMoment = JobError(Phrase("refusal.same_moment"), hint: "Look again.", status: .lockHeld)

  // MARK: State and lease of one case

  struct State: Sendable {
    var status: String
    /// Whether the undo of a decision is pending approval.
    var isUndo: Bool
    /// Name under which this account has the case.
    var holder: String?
    /// Account that made the pending proposal of a decision or an undo, else the latest decision; nil if recorded before accounts were.
    var proposer: String?
    /// Ids of what is proposed; nil if nothing is.
    var proposalID: String?
    /// Whether a break of the case is open and undecided.
    var hasUndecided: Bool
  }

  func state(_ tx: inout DatabaseTransaction) throws -> State? {
    try rows(QueueSQL.state, in: &tx).first.map {
      State(status: $0, isUndo: $1, holder: $2, proposer: $3, proposalID: $4, hasUndecided: $5)
    }
  }

  /// Returns the state of the case.
  ///
  /// - Throws: `JobError` if the case does not exist.
  func knownState(_ tx: inout DatabaseTransaction) throws -> State {
    guard let state = try state(&tx) else { throw unknown }
    return state
  }

  func state(on session: Session) async throws -> State {
    // The last act may have a later clock.
    try await session.transaction(.readOnlySnapshot) { tx in try later(&tx).knownState(&tx) }
  }

  /// The error for a case that does not exist.
  var unknown: JobError {
    JobError("refusal.find_case", ["id": ids.first ?? ""], hint: "Cases are listed by: payrecon queue list.")
  }

  /// Leases the case, whose lock this transaction has; returns false if another reviewer has it.
  func lease(seconds: Int64, renews: Bool, _ tx: inout DatabaseTransaction) throws -> Bool {
    let until = context.asOf.advanced(bySeconds: seconds).sqlValue
    guard try run(QueueSQL.lease, ["lease_until": until, "renews": .bool(renews)], in: &tx) == 1 else { return false }
    try send(QueueSQL.recordSeen, in: &tx)
    try send(QueueSQL.event, ["action": .text("taken"), "reason": .text(""), "lease_until": until], in: &tx)
    try audit(.caseTaken, in: &tx)
    return true
  }

  /// Ends the reviewer's lease; returns false if there is none.
  func release(reason: String, _ tx: inout DatabaseTransaction) throws -> Bool {
    guard try run(QueueSQL.release, in: &tx) == 1 else { return false }
    try sendReleased(reason: reason, &tx)
    return true
  }

  /// Records that the reviewer's lease ended.
  func sendReleased(reason: String, _ tx: inout DatabaseTransaction) throws {
    try send(QueueSQL.event, ["action": .text("released"), "reason": .text(reason), "lease_until": .null], in: &tx)
  }
}

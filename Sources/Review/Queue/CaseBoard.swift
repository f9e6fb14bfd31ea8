internal import Domain
public import JobCore
internal import Postgres

/// The cases as the console shows them: gathered anew when what they follow from has changed, read by key in between.
public struct CaseBoard: Sendable {
  /// Cases of which one is tried to be taken before the account is told that nothing waits.
  static let triesMax = 100
  private static let candidatesMax: Int64 = 20
  /// Cases that are gathered anew at once, where somebody decided many elsewhere.
  private static let changedMax: Int64 = 1000

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Gathers anew what has changed: all cases after a detection, else those about which somebody said something elsewhere.
  ///
  /// Whoever comes while somebody else gathers all of them sees them as they were before.
  public func refresh() async throws {
    let context = context
    let changed = try await context.transaction(as: .review) { tx -> [String] in
      let state = try Self.state(context, &tx)
      guard !state.isCurrent else { return try Self.changed(context, &tx) }
      guard try Self.takeTurn(waits: !state.isThere, context, &tx) else { return [] }
      // Somebody else may have done it in the meantime.
      let now = try Self.state(context, &tx)
      guard !now.isCurrent else { return [] }
      try Self.gather([], context, &tx)
      _ = try tx.run(
        context.sql("console/gathered.sql"), ["detected": .text(now.detected), "as_of": context.asOfValue])
      return []
    }
    if !changed.isEmpty { try await refresh(changed) }
  }

  /// Gathers some cases anew, after somebody did something about them.
  public func refresh(_ caseIDs: [String]) async throws {
    let context = context
    try await context.transaction(as: .review) { tx in
      // Whoever gathers now may miss it; then it is among what has changed when somebody looks next.
      guard try Self.takeTurn(waits: false, context, &tx) else { return }
      try Self.gather(caseIDs, context, &tx)
    }
  }

  /// Gives the best case that nobody has to whoever acts, as far as some teams' cases go; nil when none waits.
  ///
  /// - Parameter teams: whose cases; none: all.
  public func takeNext(of teams: [String], by person: Person, leaseSeconds: Int64) async throws -> String? {
    // What is for this account comes first.
    for isMine in [true, false] {
      if let taken = try await takeNext(of: teams, isMine, by: person, leaseSeconds) { return taken }
    }
    return nil
  }

  private func takeNext(of teams: [String], _ isMine: Bool, by person: Person, _ leaseSeconds: Int64) async throws -> String? {
    let job = CaseJob(context: context)
    var after = ""
    for _ in 0..<Self.triesMax / Int(Self.candidatesMax) {
      let candidates = try await free(of: teams, isMine, after: after)
      for candidate in candidates {
        do {
          return try await job.take(candidate.id, by: person, leaseSeconds: leaseSeconds, renews: false)
        } catch is JobError {
          // Somebody was quicker, the same person in another window perhaps, or it was decided elsewhere since.
          after = candidate.place
        }
      }
      guard candidates.count == Int(Self.candidatesMax) else { return nil }
    }
    return nil
  }

  private func free(of teams: [String], _ isMine: Bool, after: String) async throws -> [(id: String, place: String)] {
    let statement = try context.sql("console/free_cases.sql")
    let parameters: [String: Value] = [
      "as_of": context.asOfValue, "inboxes": .textArray(teams), "is_mine": .bool(isMine), "after": .text(after),
      "rows": .int8(Self.candidatesMax),
    ]
    return try await context.transaction(as: .review, .readOnlySnapshot) { tx in
      try tx.rows(statement, parameters) { row throws(PostgresError) in (id: try row.text(), place: try row.text()) }
    }
  }

  private static func gather(_ caseIDs: [String], _ context: JobContext, _ tx: inout DatabaseTransaction) throws {
    let items = try CaseJob.items(of: caseIDs, context, &tx)
    _ = try tx.run(context.sql("console/forget_cases.sql"), ["case_ids": .textArray(caseIDs)])
    // All cases are joined to all of what is known of them: the planner takes them for few.
    if caseIDs.isEmpty { try tx.execute("set local enable_nestloop = off") }
    _ = try tx.run(
      context.sql("console/gather_cases.sql"),
      ["case_ids": .textArray(caseIDs), "item_ids": items, "as_of": context.asOfValue])
  }

  private static func takeTurn(waits: Bool, _ context: JobContext, _ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.rows(context.sql("console/gather_turn.sql"), ["waits": .bool(waits)]) { row throws(PostgresError) in
      try row.bool()
    }.first ?? false
  }

  private static func changed(_ context: JobContext, _ tx: inout DatabaseTransaction) throws -> [String] {
    let parameters: [String: Value] = ["as_of": context.asOfValue, "rows": .int8(changedMax)]
    return try tx.rows(context.sql("console/changed_cases.sql"), parameters) { row throws(PostgresError) in try row.text() }
  }

  private static func state(
    _ context: JobContext, _ tx: inout DatabaseTransaction
  ) throws -> (detected: String, isThere: Bool, isCurrent: Bool) {
    let found = try tx.rows(context.sql("console/state.sql"), ["as_of": context.asOfValue]) { row throws(PostgresError) in
      (detected: try row.text(), isThere: try row.bool(), isCurrent: try row.bool())
    }
    return found.first ?? ("", false, false)
  }
}

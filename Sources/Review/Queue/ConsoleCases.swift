internal import Logging
public import JobCore
internal import Postgres

/// The console's copy of all cases. Changed cases are rebuilt; the others are read by key.
public struct ConsoleCases: Sendable {
  private static let candidatesMax: Int64 = 100
  /// Changes rebuilt in one transaction, and the backlog up to which every reader helps to rebuild.
  private static let changedMax: Int64 = 2000
  private static let fewMax: Int64 = 20_000

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// State of the gathered cases compared with the current facts.
  private struct State {
    var detected = ""
    /// Whether cases were ever gathered.
    var isThere = false
    var isCurrent = false
    /// Whether cases were gathered at a clock after the current one.
    var isLater = false
    var hasChanges = false
  }

  /// Rebuilds the changed cases in small transactions, or all cases the first time.
  ///
  /// The first caller waits until all cases are built. While another session rebuilds many cases, a caller sees the earlier state.
  public func refresh() async throws {
    var state = try await state()
    if state.isCurrent, !state.hasChanges { return }
    let isFirst = !state.isThere || state.isLater
    if isFirst {
      try await listAll()
      state = try await self.state()
    }
    let hasMany = try await context.rows(ConsoleSQL.hasManyChanged, ["few": .int8(Self.fewMax)], as: .review).first ?? false
    let lock: Lock = isFirst ? .exclusive : hasMany ? .exclusiveIfFree : .shared
    while !state.isCurrent || state.hasChanges {
      let (isMine, count) = try await refresh(changed: [], newDetection: state.isCurrent ? nil : state.detected, lock)
      guard isMine, count > 0 else { return }
      state = try await self.state()
    }
  }

  public func refresh(_ caseIDs: [String]) async throws { _ = try await refresh(changed: caseIDs, newDetection: nil, .shared) }

  /// Rebuilds the changed cases after a detection. If nobody used the console yet, the list of changes is cleared.
  ///
  /// A failure does not fail the detection: the next reader rebuilds the cases.
  public func refreshAfterDetection() async {
    guard !context.missingRoles.contains(.review) else { return }
    do {
      let state = try await state()
      if !state.isThere { try await context.transaction(as: .review) { tx in try tx.send(context.sql(ConsoleSQL.forgetUnseen)) } }
      // Cases gathered at a later clock are rebuilt by their console, not at the clock of a night.
      if state.isThere, !state.isLater { try await refresh() }
    } catch {
      context.log.warning("the console's cases were not gathered; whoever opens it next waits", metadata: ["cause": "\(error)"])
    }
  }

  /// The lock with which a session rebuilds cases. A shared lock is taken only if it is free.
  private enum Lock { case exclusive, exclusiveIfFree, shared }

  /// Marks all cases for rebuilding, unless another caller just did.
  private func listAll() async throws {
    let asOf = ["as_of": context.asOfValue]
    // Each statement commits separately, so that actions during the listing are recorded as changes.
    for statement in [ConsoleSQL.beginGathering, ConsoleSQL.listCases] {
      let file = try context.sql(statement)
      try await context.transaction(as: .review) { tx in try tx.send(file, asOf) }
    }
  }

  /// - Parameters:
  ///   - changed: cases to rebuild; empty for all changed ones.
  ///   - newDetection: identity of the current detection; nil if the cases were already gathered from it.
  /// - Returns: false if another session has the lock, and the number of rebuilt changes.
  private func refresh(changed named: [String], newDetection: String?, _ lock: Lock) async throws -> (isMine: Bool, count: Int) {
    let parameters: [String: Value] = [
      "as_of": context.asOfValue, "case_ids": .textArray(named), "detected": newDetection.map { .text($0) } ?? .null,
      "rows": .int8(Self.changedMax),
    ]
    return try await context.transaction(as: .review) { tx in
      guard try take(lock, &tx) else { return (false, 0) }
      return (true, Int(try tx.rows(context.sql(ConsoleSQL.gather), parameters).first ?? 0))
    }
  }

  private func take(_ lock: Lock, _ tx: inout DatabaseTransaction) throws -> Bool {
    let parameters: [String: Value] = ["all": .bool(lock != .shared), "waits": .bool(lock == .exclusive)]
    return try tx.rows(context.sql(ConsoleSQL.gatherLock), parameters).first ?? false
  }

  private func state() async throws -> State {
    let found = try await context.rows(ConsoleSQL.state, ["as_of": context.asOfValue], as: .review).first
    return found.map { State(detected: $0, isThere: $1, isCurrent: $2, isLater: $3, hasChanges: $4) } ?? State()
  }

  /// Assigns the best free case of some teams, or of all for an empty list, to the acting person; nil if none is pending.
  ///
  /// - Throws: `JobError` if other reviewers took every case that was tried.
  public func takeNext(of teams: [String], by person: Person, leaseSeconds: Int64) async throws -> String? {
    // Cases assigned to this account come first.
    for isMine in [true, false] {
      if let taken = try await takeNext(of: teams, isMine, by: person, leaseSeconds) { return taken }
    }
    return nil
  }

  private func takeNext(of teams: [String], _ isMine: Bool, by person: Person, _ leaseSeconds: Int64) async throws -> String? {
    try await CaseJob(context: context).withSession(of: person) { session, cases in
      try await session.retrying { tx -> String? in
        var after = ""
        for _ in 0..<CaseJob.triesMax {
          let values: [String: Value] = [
            "inboxes": .textArray(teams), "is_mine": .bool(isMine), "after": .text(after), "rows": .int8(Self.candidatesMax),
          ]
          guard let (best, place) = try cases.rows(ConsoleSQL.freeCases, values, in: &tx).first else { return nil }
          // The case may have been decided or taken since the copy was read.
          let candidate = try cases.on([best]).locked(&tx)
          if try candidate.state(&tx)?.status == "open", try candidate.lease(seconds: leaseSeconds, renews: false, &tx) { return best }
          after = place
        }
        throw CaseJob.contended
      }
    }
  }
}

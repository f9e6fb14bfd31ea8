internal import Domain
internal import Logging
public import JobCore
internal import Postgres

/// The cases as the console shows them: those of which something was said are gathered anew, the others read by key.
public struct CaseBoard: Sendable {
  private static let candidatesMax: Int64 = 100
  /// Things said of cases that are gathered anew in one transaction, and so few that everybody who looks gathers some.
  private static let changedMax: Int64 = 2000
  private static let fewMax: Int64 = 20_000

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// How what was gathered stands to what is known.
  private struct State {
    var detected = ""
    /// Whether cases were gathered before.
    var isThere = false
    var isCurrent = false
    /// Whether they were gathered by a clock that has not come yet.
    var isLater = false
    var hasChanges = false
  }

  /// Gathers anew the cases of which something was said, a few at a time, each kept when it is done; all of them the first time.
  ///
  /// Whoever comes the first time waits until all are there; while somebody else gathers many anew, one sees them as they were.
  public func refresh() async throws {
    let context = context
    var state = try await context.transaction(as: .review) { tx in try Self.state(context, &tx) }
    if state.isCurrent, !state.hasChanges { return }
    let isFirst = !state.isThere || state.isLater
    if isFirst {
      try await listAll()
      state = try await context.transaction(as: .review) { tx in try Self.state(context, &tx) }
    }
    let hasMany = try await context.transaction(as: .review) { tx in try Self.hasMany(context, &tx) }
    let turn: Turn = isFirst ? .alone : hasMany ? .aloneOrNever : .amongOthers
    while !state.isCurrent || state.hasChanges {
      let (isMine, count) = try await refresh(changed: [], newDetection: state.isCurrent ? nil : state.detected, turn)
      guard isMine, count > 0 else { return }
      state = try await context.transaction(as: .review) { tx in try Self.state(context, &tx) }
    }
  }

  /// Gathers some cases anew, after somebody did something about them.
  public func refresh(_ caseIDs: [String]) async throws {
    _ = try await refresh(changed: caseIDs, newDetection: nil, .amongOthers)
  }

  /// After a detection, before anybody looks; where nobody ever did, what it said of cases is forgotten.
  ///
  /// A detection does not fail for it: whoever looks next does it else.
  public func refreshAfterDetection() async {
    guard !context.missingRoles.contains(.review) else { return }
    let context = context
    do {
      let state = try await context.transaction(as: .review) { tx -> State in
        let state = try Self.state(context, &tx)
        if !state.isThere { _ = try tx.run(context.sql(ConsoleSQL.forgetUnseen)) }
        return state
      }
      // By a clock of today's console rather than by that of a night: it does it itself then.
      if state.isThere, !state.isLater { try await refresh() }
    } catch {
      context.log.warning("the console's cases were not gathered; whoever opens it next waits", metadata: ["cause": "\(error)"])
    }
  }

  private static func hasMany(_ context: JobContext, _ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.rows(context.sql(ConsoleSQL.hasManyChanged), ["few": .int8(fewMax)]).first ?? false
  }

  /// Who else may gather at the same moment.
  private enum Turn { case alone, aloneOrNever, amongOthers }

  /// Lists all cases as ones to gather, unless another caller did since they were last.
  private func listAll() async throws {
    let context = context
    let asOf = ["as_of": context.asOfValue]
    // Committed at once, so that acts during the listing are told apart from what is listed.
    for statement in [ConsoleSQL.beginGathering, ConsoleSQL.listCases] {
      let file = try context.sql(statement)
      try await context.transaction(as: .review) { tx in _ = try tx.run(file, asOf) }
    }
  }

  /// - Parameters:
  ///   - changed: the cases that are gathered; none for those that changed.
  ///   - newDetection: what cases rest on now, where they were not gathered from it yet.
  /// - Returns: false while it is another's turn; and the number of changes that were gathered.
  private func refresh(
    changed named: [String], newDetection: String?, _ turn: Turn
  ) async throws -> (isMine: Bool, count: Int) {
    let context = context
    let parameters: [String: Value] = [
      "as_of": context.asOfValue, "case_ids": .textArray(named), "detected": newDetection.map { .text($0) } ?? .null,
      "rows": .int8(Self.changedMax),
    ]
    return try await context.transaction(as: .review) { tx in
      guard try Self.take(turn, context, &tx) else { return (false, 0) }
      return (true, Int(try tx.rows(context.sql(ConsoleSQL.gather), parameters).first ?? 0))
    }
  }

  private static func take(_ turn: Turn, _ context: JobContext, _ tx: inout DatabaseTransaction) throws -> Bool {
    let parameters: [String: Value] = ["all": .bool(turn != .amongOthers), "waits": .bool(turn == .alone)]
    return try tx.rows(context.sql(ConsoleSQL.gatherTurn), parameters).first ?? false
  }

  private static func state(_ context: JobContext, _ tx: inout DatabaseTransaction) throws -> State {
    let found = try tx.rows(context.sql(ConsoleSQL.state), ["as_of": context.asOfValue]).first
    return found.map { State(detected: $0, isThere: $1, isCurrent: $2, isLater: $3, hasChanges: $4) } ?? State()
  }
}

extension CaseBoard {
  /// Gives the best case that nobody has to whoever acts, as far as some teams' cases go; nil when none waits.
  ///
  /// - Parameter teams: whose cases; none: all.
  /// - Throws: `JobError` when others were quicker at each that was tried.
  public func takeNext(of teams: [String], by person: Person, leaseSeconds: Int64) async throws -> String? {
    // What is for this account comes first.
    for isMine in [true, false] {
      if let taken = try await takeNext(of: teams, isMine, by: person, leaseSeconds) { return taken }
    }
    return nil
  }

  private func takeNext(of teams: [String], _ isMine: Bool, by person: Person, _ leaseSeconds: Int64) async throws -> String? {
    let (context, rows) = (context, Self.candidatesMax)
    return try await context.withSession(as: .review) { session in
      let actor = try await session.actor(person, in: context)
      return try await session.retrying { tx -> String? in
        var after = ""
        for _ in 0..<CaseJob.triesMax {
          let parameters: [String: Value] = [
            "as_of": context.asOfValue, "inboxes": .textArray(teams), "is_mine": .bool(isMine), "after": .text(after),
            "rows": .int8(rows),
          ]
          guard let (best, place) = try tx.rows(context.sql(ConsoleSQL.freeCases), parameters).first else { return nil }
          // It was decided elsewhere since, perhaps, or somebody was quicker.
          let held = try CaseJob.hold([best], context, &tx)
          if try CaseJob.state(of: best, held, &tx)?.status == "open",
            try CaseJob(context: held).lease(best, to: actor, seconds: leaseSeconds, renews: false, &tx)
          { return best }
          after = place
        }
        throw CaseJob.contended
      }
    }
  }
}

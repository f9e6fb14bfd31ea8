internal import Domain
internal import JobCore
internal import Ladder
internal import Logging
internal import Postgres

/// A match run that decides everything in pieces of whole components, each in a separate transaction.
///
/// The decisions of a piece are stored separately. The run's last transaction records all of them at once, with the changes made during
/// the run. An interrupted run continues with the remaining pieces. A worker locks its piece, so the piece is free again when the worker
/// dies.
struct Pieces: Sendable {
  /// A run that a session started.
  private struct CurrentRun {
    var state: DecisionState
    var asOf: Timestamp
    var isDecided: Bool
    var pieceCount: Int
  }

  let context: JobContext
  var cut = PieceCut()

  /// Decides everything in pieces if that is requested, due, or left over from an interrupted run. Then calls `decide`, which decides the
  /// rest and records the results.
  ///
  /// - Parameter decide: throws `TooManyRows` if it would have to decide everything; it is then called again after the pieces.
  func first<Outcome>(isFull: Bool, on session: Session, _ decide: () async throws -> Outcome) async throws -> Outcome {
    var isFull = isFull
    while true {
      try await run(isFull: isFull, on: session)
      do { return try await decide() } catch is TooManyRows { isFull = true }
    }
  }

  private func run(isFull: Bool, on session: Session) async throws {
    guard let current = try await begin(isFull: isFull, on: session) else { return }
    _ = try await decide(current, workers: cut.workers, on: session)
    context.progress.finish()
  }

  /// Decides pieces of a run that another process started, until none is left.
  ///
  /// - Returns: the number of pieces; nil if no run in pieces is active with these settings and this program.
  func join(on session: Session) async throws -> Int? {
    let pieces = self
    let current = try await session.transaction(.snapshot) { tx -> CurrentRun? in
      guard let current = try pieces.current(&tx), try current.state.decidesAs(MatchScope.state(pieces.context)) else { return nil }
      return current
    }
    guard let current else { return nil }
    return try await decide(current, workers: 1, on: session)
  }

  /// Reads the facts and decides pieces until none is left. Further workers have their own connections.
  ///
  /// - Returns: the number of pieces that this session decided.
  private func decide(_ current: CurrentRun, workers: Int, on session: Session) async throws -> Int {
    guard !current.isDecided else { return 0 }
    let pieces = self
    let facts = try await session.transaction(.snapshot) { tx in
      try DistributedFacts.read(pieces: current.pieceCount, rowCount: pieces.rowCount(&tx), &tx, in: pieces.context)
    }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1..<max(1, min(workers, PieceCut.workersMax)) { group.addTask { await self.help(current, facts) } }
      return try await decideAll(current, facts, on: session)
    }
  }

  /// Decides pieces on a dedicated connection. If the connection is lost, the other workers take over its piece.
  private func help(_ current: CurrentRun, _ facts: DistributedFacts) async {
    do { _ = try await context.withSession { try await decideAll(current, facts, on: $0) } } catch {
      context.log.warning("a worker stopped, the other workers continue: \(error)")
    }
  }

  /// Continues an interrupted run, or removes the pending changes and creates pieces.
  ///
  /// - Returns: the run; nil if nothing is to be decided in pieces.
  private func begin(isFull: Bool, on session: Session) async throws -> CurrentRun? {
    let pieces = self
    return try await session.retrying(.snapshot) { tx in
      if let current = try pieces.resumable(&tx) { return current }
      let now = try MatchScope.state(pieces.context)
      guard try isFull || DecisionState.read(.match, &tx, in: pieces.context)?.decidesAs(now) != true else { return nil }
      try pieces.discard(&tx)
      let count = try pieces.count(&tx)
      guard count > 1 else { return nil }
      try MatchScope(context: pieces.context).openPieces(&tx)
      try tx.send(
        pieces.context.sql(PiecesSQL.begin),
        [
          "piece_count": .int4(count), "settings_sha256": .text(now.settings), "code_version": .text(now.code),
          "as_of": pieces.context.asOfValue,
        ])
      pieces.context.log.info("everything is decided in pieces", metadata: ["match.pieces": "\(count)"])
      return CurrentRun(state: now, asOf: pieces.context.asOf, isDecided: false, pieceCount: Int(count))
    }
  }

  private static func values(_ state: DecisionState) -> [String: Value] {
    ["settings_sha256": .text(state.settings), "code_version": .text(state.code)]
  }

  private func current(_ tx: inout DatabaseTransaction) throws -> CurrentRun? {
    try tx.rows(context.sql(PiecesSQL.currentRun)).first.map { settings, code, asOf, isDecided, count in
      CurrentRun(
        state: DecisionState(settings: settings, code: code), asOf: Timestamp(microseconds: asOf), isDecided: isDecided,
        pieceCount: Int(count))
    }
  }

  /// Returns the run that this run may continue; nil if there is none. Its settings and program must be current, and no full run may have
  /// been requested since.
  private func resumable(_ tx: inout DatabaseTransaction) throws -> CurrentRun? {
    guard let current = try self.current(&tx), current.asOf <= context.asOf, try current.state.decidesAs(MatchScope.state(context)),
      try DecisionState.read(.match, &tx, in: context) == nil
    else { return nil }
    return current
  }

  /// Returns the number of pieces that a full run would have now.
  func count(_ tx: inout DatabaseTransaction) throws -> Int32 { try cut.count(rowCount: rowCount(&tx)) }

  private func rowCount(_ tx: inout DatabaseTransaction) throws -> Int { Int(try tx.rows(context.sql(PiecesSQL.size)).first ?? 0) }

  /// Decides pieces of a run until none is left. A session with other settings or another program decides none of them.
  ///
  /// - Returns: the number of pieces that this session decided.
  private func decideAll(_ current: CurrentRun, _ facts: DistributedFacts, on session: Session) async throws -> Int {
    let waiting = try context.sql(PiecesSQL.wait)
    let ours = Self.values(current.state)
    var count = 0
    while true {
      while try await decideOne(ours, facts, on: session) { count += 1 }
      let isOneLeft = try await session.transaction { tx in
        // A piece may take any time, so the lock has no timeout.
        tx.send("set local lock_timeout = 0")
        return try !tx.rows(waiting, ours).isEmpty
      }
      guard isOneLeft else { return count }
    }
  }

  /// - Returns: false if every piece is decided or locked by another session.
  private func decideOne(_ ours: [String: Value], _ facts: DistributedFacts, on session: Session) async throws -> Bool {
    let context = context
    // A session retries when another has just decided its piece: at most once for each of the other pieces.
    let decided = try await session.retrying(attempts: PieceCut.piecesMax, .snapshot) { tx -> Int32? in
      guard let (piece, count) = try tx.rows(context.sql(PiecesSQL.claim), ours).first else { return nil }
      context.progress.report(stage: "pieces", done: Int(piece), total: Int(count))
      let facts = try facts.facts(ofPiece: Int(piece))
      let decision = Ladder.decide(facts.component, LadderSettings(context.settings))
      try DecisionWriter(facts: facts, tables: .pieces).write(decision, &tx)
      try tx.send(context.sql(PiecesSQL.end), ["piece": .int4(piece)])
      return piece
    }
    if let decided { context.log.debug("piece decided", metadata: ["match.piece": "\(decided)"]) }
    return decided != nil
  }

  /// Whether all pieces are decided with the current settings and program, but not recorded.
  func areDecided(_ tx: inout DatabaseTransaction) throws -> Bool { try resumable(&tx)?.isDecided == true }

  /// Records the decisions of all pieces, except for rows of the open scope, and removes the run.
  func record(runID: String, _ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    // Whole tables are joined.
    tx.send("set local enable_nestloop = off")
    try tx.send(context.sql(PiecesSQL.combine))
    try tx.gatherSpread(files: context.sql)
    let ladder = LadderRun(context: context, isPart: false)
    try ladder.compare(&tx)
    let outcome = try ladder.outcome(&tx, keepsRows: false)
    try ladder.record(&tx, runID: runID)
    try tx.send(context.sql(PiecesSQL.endCombination))
    try discard(&tx)
    tx.send("set local enable_nestloop = on")
    return outcome
  }

  /// Removes a run in pieces and its stored decisions; does nothing if there is none.
  func discard(_ tx: inout DatabaseTransaction) throws {
    guard try tx.rows(context.sql(PiecesSQL.isStored)).first == true else { return }
    try tx.send(context.sql(PiecesSQL.discard))
  }
}

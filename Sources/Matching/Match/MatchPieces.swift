internal import JobCore
internal import Logging
internal import Postgres

/// How a match run that decides everything is cut into pieces.
public struct MatchCut: Sendable {
  /// Orders, or charges, of a piece: so many are in the working tables of one session at a time.
  static let rowsMax: Int64 = 250_000
  public static let piecesMax = 100_000
  public static let workersMax = 64

  /// Pieces, 1 to `piecesMax`; nil for as many as `rowsMax` makes of what there is.
  public var pieces: Int?
  /// Sessions that decide pieces beside each other, 1 to `workersMax`.
  public var workers: Int

  public init(pieces: Int? = nil, workers: Int = 1) {
    self.pieces = pieces
    self.workers = workers
  }
}

/// What is to be decided is more than one piece holds.
struct TooMuchAtOnce: Error {}

/// A match run that decides everything in pieces of whole components, each in a transaction of its own.
///
/// What a piece decides is kept beside what stands, until the run's last transaction records all of it at once, with what changed
/// meanwhile. A run that was broken off goes on with the pieces that are left. A piece is locked, not leased: whoever decides it
/// dies, and it is free.
struct MatchPieces {
  let context: JobContext
  let cut: MatchCut

  /// Decides all pieces, where everything is to be decided and is more than one piece, or such a run was broken off.
  func run(isFull: Bool, on session: Session) async throws {
    guard try await begin(isFull: isFull, on: session) else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1..<max(1, min(cut.workers, MatchCut.workersMax)) { group.addTask { await self.help() } }
      try await decideAll(on: session)
    }
    context.progress.finish()
  }

  /// Decides pieces in a session of its own; should it be lost, the others decide what it had begun.
  private func help() async {
    do { _ = try await context.withSession { try await decideAll(on: $0) } } catch {
      context.log.warning("one of those that decide pieces stopped, the others go on: \(error)")
    }
  }

  /// Decides pieces of a run that another process has begun until none is left.
  ///
  /// - Returns: how many; nil when no run in pieces is under way that decides with these settings and this program.
  func join(on session: Session) async throws -> Int? {
    let pieces = self
    let isToBeJoined = try await session.transaction(.snapshot) { tx in
      try pieces.begun(&tx)?.state.decidesAs(MatchScope.state(pieces.context)) == true
    }
    return isToBeJoined ? try await decideAll(on: session) : nil
  }

  /// Takes all changes and cuts.
  ///
  /// - Returns: false when there is nothing to be decided in pieces.
  private func begin(isFull: Bool, on session: Session) async throws -> Bool {
    let pieces = self
    return try await session.retrying(.snapshot) { tx in
      let now = try MatchScope.state(pieces.context)
      if try pieces.begun(&tx)?.state.decidesAs(now) == true { return true }
      let state = try DecisionState.read(.match, &tx, in: pieces.context)
      guard isFull || state?.decidesAs(now) != true else { return false }
      try pieces.forget(&tx)
      let count = try pieces.count(&tx)
      guard count > 1 else { return false }
      try MatchScope(context: pieces.context).openPieces(&tx)
      _ = try tx.run(
        pieces.context.sql(MatchSQL.cutPieces),
        ["share_count": .int4(count), "settings_sha256": .text(now.settings), "code_version": .text(now.code)])
      pieces.context.log.info("everything is decided in pieces", metadata: ["match.pieces": "\(count)"])
      return true
    }
  }

  private func begun(_ tx: inout DatabaseTransaction) throws -> (state: DecisionState, isDecided: Bool)? {
    try tx.rows(context.sql(MatchSQL.begunPieces)).first.map { settings, code, isDecided in
      (state: DecisionState(settings: settings, code: code), isDecided: isDecided)
    }
  }

  /// Pieces that begin with orders, were everything decided now.
  func count(_ tx: inout DatabaseTransaction) throws -> Int32 {
    if let pieces = cut.pieces { return Int32(max(1, min(pieces, MatchCut.piecesMax))) }
    let rows = try tx.rows(context.sql(MatchSQL.pieceSize)).first ?? 0
    return Int32(min(Int64(MatchCut.piecesMax), (rows + MatchCut.rowsMax - 1) / MatchCut.rowsMax))
  }

  /// - Returns: how many pieces this session decided.
  @discardableResult
  private func decideAll(on session: Session) async throws -> Int {
    let waiting = try context.sql(MatchSQL.awaitPiece)
    // Whoever has other settings or another program has cut anew meanwhile, and decides that alone.
    let state = try MatchScope.state(context)
    let ours: [String: Value] = ["settings_sha256": .text(state.settings), "code_version": .text(state.code)]
    var count = 0
    while true {
      while try await decideOne(ours, on: session) { count += 1 }
      let isOneLeft = try await session.transaction { tx in
        try !tx.rows(waiting, ours).isEmpty
      }
      guard isOneLeft else { return count }
    }
  }

  /// - Returns: false when every piece is decided, or others are about to.
  private func decideOne(_ ours: [String: Value], on session: Session) async throws -> Bool {
    let pieces = self
    return try await session.retrying(.snapshot) { tx in
      let sql = pieces.context.sql
      guard let (piece, shares) = try tx.rows(sql(MatchSQL.claimPiece), ours).first else { return false }
      pieces.context.progress.report(stage: "pieces", done: Int(piece), total: 2 * Int(shares))
      let number: [String: Value] = ["piece": .int4(piece)]
      if try MatchScope(context: pieces.context).openPiece(piece, of: shares, &tx) {
        try LadderRun(context: pieces.context, extent: .part).decide(&tx)
        _ = try tx.run(sql(MatchSQL.keepPiece), number)
      }
      _ = try tx.run(sql(MatchSQL.endPiece), number)
      pieces.context.log.debug("piece decided", metadata: ["match.piece": "\(piece)"])
      return true
    }
  }

  /// Whether all pieces are decided, as they would be now, and are to be recorded.
  func areDecided(_ tx: inout DatabaseTransaction) throws -> Bool {
    guard let begun = try begun(&tx), begun.isDecided else { return false }
    return try begun.state.decidesAs(MatchScope.state(context))
  }

  /// Makes what the pieces decided what stands, but for what the open scope holds; the names of the working tables are free
  /// again.
  func record(runID: String, _ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    // Whole tables are joined.
    try tx.execute("set local enable_nestloop = off")
    try tx.run(context.sql(MatchSQL.unitePieces))
    let ladder = LadderRun(context: context, extent: .all)
    try ladder.compare(&tx)
    let outcome = try ladder.outcome(&tx, keepsRows: false)
    try ladder.record(&tx, runID: runID)
    try forget(&tx)
    try tx.execute(
      "drop table match_plain, match_decided, match_refused, match_second, match_ambiguous, match_change;"
        + " set local enable_nestloop = on")
    return outcome
  }

  /// Done with, recorded or no use any more; where nothing was begun nothing is touched.
  func forget(_ tx: inout DatabaseTransaction) throws {
    guard try begun(&tx) != nil else { return }
    try tx.run(context.sql(MatchSQL.forgetPieces))
  }
}

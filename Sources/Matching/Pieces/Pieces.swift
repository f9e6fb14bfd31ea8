internal import Domain
internal import JobCore
internal import Logging
internal import Postgres

/// Everything that a job decides, in pieces of whole components, each in a transaction of its own.
///
/// What a piece decides is kept beside what stands, until the run's last transaction records all of it at once, with what changed
/// meanwhile. A run that was broken off goes on with the pieces that are left. A piece is locked, not leased: whoever decides it
/// dies, and it is free.
struct Pieces<Job: PieceJob>: Sendable {
  /// A run in pieces that somebody began.
  private struct Begun {
    var state: DecisionState
    /// The clock by which all its pieces are decided.
    var asOf: Timestamp
    var isDecided: Bool
  }

  let job: Job
  var cut = PieceCut()

  private var context: JobContext { job.context }
  private var name: [String: Value] { ["job": .text(Job.name.rawValue)] }

  /// Has everything decided in pieces where that is wanted or due, or where a run that did so was broken off; then decides the rest,
  /// which records them.
  ///
  /// - Parameter decide: throws `TooMuchAtOnce` where it would have to decide everything itself, and is called again then.
  func first<Outcome>(isFull: Bool, on session: Session, _ decide: () async throws -> Outcome) async throws -> Outcome {
    var isFull = isFull
    while true {
      try await run(isFull: isFull, on: session)
      do { return try await decide() } catch let error as TooMuchAtOnce where error.name == Job.name { isFull = true }
    }
  }

  private func run(isFull: Bool, on session: Session) async throws {
    guard let state = try await begin(isFull: isFull, on: session) else { return }
    try await deal(on: session)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1..<max(1, min(cut.workers, PieceCut.workersMax)) { group.addTask { await self.help(state) } }
      try await decideAll(state, on: session)
    }
    context.progress.finish()
  }

  /// Decides pieces in a session of its own; should it be lost, the others decide what it had begun.
  private func help(_ state: DecisionState) async {
    do { _ = try await context.withSession { try await decideAll(state, on: $0) } } catch {
      context.log.warning("one of those that decide pieces stopped, the others go on: \(error)")
    }
  }

  /// Decides pieces of a run that another process has begun, as of that run's clock, until none is left.
  ///
  /// - Returns: how many; nil when no run in pieces is under way that decides with these settings and this program.
  func join(on session: Session) async throws -> Int? {
    let pieces = self
    let state = try await session.transaction(.snapshot) { tx -> DecisionState? in
      guard let begun = try pieces.begun(&tx) else { return nil }
      return try begun.state.decidesAs(pieces.job(at: begun.asOf).state(&tx)) ? begun.state : nil
    }
    guard let state else { return nil }
    try await deal(on: session)
    return try await decideAll(state, on: session)
  }

  private func job(at clock: Timestamp) -> Job { Job(context: context.looking(at: clock)) }

  /// Goes on with a run, or takes what waits to be decided and cuts.
  ///
  /// - Returns: with what pieces are decided; nil when there is nothing to be decided in pieces.
  private func begin(isFull: Bool, on session: Session) async throws -> DecisionState? {
    let pieces = self
    return try await session.retrying(.snapshot) { tx in
      if let begun = try pieces.underWay(&tx) { return begun.state }
      let now = try pieces.job.state(&tx)
      guard try isFull || DecisionState.read(Job.name, &tx, in: pieces.context)?.decidesAs(now) != true else { return nil }
      try pieces.forget(&tx)
      let count = try pieces.count(&tx)
      guard count > 1 else {
        if pieces.cut.workers > 1 {
          pieces.context.log.notice(
            "one session decides everything, as it is one piece: more are cut above \(Job.rowsMax) orders or by --pieces")
        }
        return nil
      }
      try tx.execute("set local work_mem = '256MB'")
      try pieces.job.open(&tx)
      let values: [String: Value] = [
        "share_count": .int4(count), "settings_sha256": .text(now.settings), "code_version": .text(now.code),
        "as_of": pieces.context.asOfValue,
      ]
      _ = try tx.run(pieces.context.sql(PiecesSQL.cut), pieces.name.merging(values) { $1 })
      pieces.context.log.info("everything is decided in pieces", metadata: ["\(Job.name.rawValue).pieces": "\(count)"])
      return now
    }
  }

  /// Finds what each piece holds, where nobody has yet: apart from the cut, which others wait for.
  private func deal(on session: Session) async throws {
    let pieces = self
    try await session.retrying(.snapshot) { tx in
      // Somebody else may be about to.
      try tx.execute("set local lock_timeout = 0; set local work_mem = '256MB'")
      let count = try tx.run(pieces.context.sql(PiecesSQL.deal), pieces.name)
      guard count > 0 else { return }
      try PieceMembers(context: pieces.context).deal(to: Int32(count), for: Job.name, &tx)
    }
  }

  private func begun(_ tx: inout DatabaseTransaction) throws -> Begun? {
    try tx.rows(context.sql(PiecesSQL.begun), name).first.map { settings, code, asOf, isDecided in
      Begun(
        state: DecisionState(settings: settings, code: code), asOf: Timestamp(microseconds: asOf), isDecided: isDecided)
    }
  }

  /// A run that this one goes on with: what it decided would be decided so now, and nobody asked for everything since it was cut. What
  /// its clock had not passed yet is found by the job, as it is after any run.
  private func underWay(_ tx: inout DatabaseTransaction) throws -> Begun? {
    guard let begun = try begun(&tx), begun.asOf <= context.asOf, try begun.state.decidesAs(job.state(&tx)),
      try DecisionState.read(Job.name, &tx, in: context)?.decidesAs(.inPieces) == true
    else { return nil }
    return begun
  }

  /// Pieces that begin with orders, were everything decided now.
  func count(_ tx: inout DatabaseTransaction) throws -> Int32 {
    if let pieces = cut.pieces { return Int32(max(1, min(pieces, PieceCut.piecesMax))) }
    let rows = try tx.rows(context.sql(PiecesSQL.size)).first ?? 0
    return Int32(min(Int64(PieceCut.piecesMax), (rows + Job.rowsMax - 1) / Job.rowsMax))
  }

  /// - Parameter state: the run's; whoever has other settings or another program cuts anew meanwhile, and decides that alone.
  /// - Returns: how many pieces this session decided.
  @discardableResult
  private func decideAll(_ state: DecisionState, on session: Session) async throws -> Int {
    let waiting = try context.sql(PiecesSQL.wait)
    let ours = name.merging(["settings_sha256": .text(state.settings), "code_version": .text(state.code)]) { $1 }
    var count = 0
    while true {
      while try await decideOne(ours, on: session) { count += 1 }
      let isOneLeft = try await session.transaction { tx in
        // A piece takes as long as it takes.
        try tx.execute("set local lock_timeout = 0")
        return try !tx.rows(waiting, ours).isEmpty
      }
      guard isOneLeft else { return count }
    }
  }

  /// - Returns: false when every piece is decided, or others are about to.
  private func decideOne(_ ours: [String: Value], on session: Session) async throws -> Bool {
    let pieces = self
    // Whoever comes upon a piece that another has just decided begins anew, once for each that others decide.
    return try await session.retrying(attempts: Int(PieceCut.piecesMax), .snapshot) { tx in
      let sql = pieces.context.sql
      guard let (piece, shares, asOf) = try tx.rows(sql(PiecesSQL.claim), ours).first else { return false }
      pieces.context.progress.report(stage: "pieces", done: Int(piece), total: Int(shares))
      let number = pieces.name.merging(["piece": .int4(piece)]) { $1 }
      if try pieces.open(piece, &tx) {
        try pieces.job(at: Timestamp(microseconds: asOf)).decide(&tx)
        _ = try tx.run(sql(Job.keep), ["piece": .int4(piece)])
      }
      _ = try tx.run(sql(PiecesSQL.end), number)
      pieces.context.log.debug("piece decided", metadata: ["\(Job.name.rawValue).piece": "\(piece)"])
      return true
    }
  }

  /// Shows the job what a piece holds, for the rest of the transaction.
  ///
  /// - Returns: false when it holds nothing.
  private func open(_ piece: Int32, _ tx: inout DatabaseTransaction) throws -> Bool {
    let component = Component(context: context)
    // What a piece holds changes no plan: a tenth of the sample says how much it is.
    try tx.execute("set local work_mem = '256MB'; set local default_statistics_target = 10; set local lock_timeout = 0")
    guard try component.openPiece(piece, by: Job.name, &tx) else { return false }
    try component.join([Job.inputs], &tx)
    try tx.execute("set local default_statistics_target = default")
    return true
  }

  /// Whether all pieces are decided, as they would be now, and are to be recorded.
  func areDecided(_ tx: inout DatabaseTransaction) throws -> Bool { try underWay(&tx)?.isDecided == true }

  /// Done with, recorded or no use any more; where nothing was begun nothing is touched.
  func forget(_ tx: inout DatabaseTransaction) throws {
    guard try begun(&tx) != nil else { return }
    _ = try tx.run(context.sql(PiecesSQL.forget), name)
    try tx.run(context.sql(Job.forget))
  }
}

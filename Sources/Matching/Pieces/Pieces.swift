internal import Domain
internal import JobCore
internal import Logging
internal import Postgres

/// A job that decides everything in partitions of whole components, each in a separate transaction.
///
/// The decisions of a partition are stored separately. The run's last transaction records all of them at once, with the changes made
/// during the run. An interrupted run continues with the remaining partitions. A worker locks its partition, so the partition is free
/// again when the worker dies.
struct Pieces<Job: PieceJob>: Sendable {
  /// A partitioned run that a session started.
  private struct Begun {
    var state: DecisionState
    /// The clock at which all partitions are decided.
    var asOf: Timestamp
    var isDecided: Bool
  }

  let job: Job
  var cut = PieceCut()

  private var context: JobContext { job.context }
  private var name: [String: Value] { ["job": .text(Job.name.rawValue)] }

  /// Decides everything in partitions if that is requested, due, or left over from an interrupted run. Then calls `decide`, which decides
  /// the rest and records the results.
  ///
  /// - Parameter decide: throws `ComponentTooLarge` if it would have to decide everything; it is then called again after the partitions.
  func first<Outcome>(isFull: Bool, on session: Session, _ decide: () async throws -> Outcome) async throws -> Outcome {
    var isFull = isFull
    while true {
      try await run(isFull: isFull, on: session)
      do { return try await decide() } catch let error as ComponentTooLarge where error.name == Job.name { isFull = true }
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

  /// Decides partitions on a dedicated connection. If the connection is lost, the other workers take over its partition.
  private func help(_ state: DecisionState) async {
    do { _ = try await context.withSession { try await decideAll(state, on: $0) } } catch {
      context.log.warning("one of those that decide pieces stopped, the others go on: \(error)")
    }
  }

  /// Decides partitions of a run that another process started, as of that run's clock, until none is left.
  ///
  /// - Returns: the number of partitions; nil if no partitioned run is active with these settings and this program.
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

  /// Continues an interrupted run, or removes the pending changes and creates partitions.
  ///
  /// - Returns: the state in which partitions are decided; nil if nothing is to be decided in partitions.
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

  /// Assigns rows to partitions if that has not happened yet. It runs after the partitions are created, whose transaction blocks others.
  private func deal(on session: Session) async throws {
    let pieces = self
    try await session.retrying(.snapshot) { tx in
      // Another session may be assigning rows; this one waits for it.
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

  /// Returns the run that this run may continue; nil if there is none. Its settings and program must be current, and no full run may have
  /// been requested since. The job evaluates later due instants itself, as after any run.
  private func underWay(_ tx: inout DatabaseTransaction) throws -> Begun? {
    guard let begun = try begun(&tx), begun.asOf <= context.asOf, try begun.state.decidesAs(job.state(&tx)),
      try DecisionState.read(Job.name, &tx, in: context)?.decidesAs(.inPieces) == true
    else { return nil }
    return begun
  }

  /// Returns the number of partitions that a full run would have now.
  func count(_ tx: inout DatabaseTransaction) throws -> Int32 {
    if let pieces = cut.pieces { return Int32(max(1, min(pieces, PieceCut.piecesMax))) }
    let rows = try tx.rows(context.sql(PiecesSQL.size)).first ?? 0
    return Int32(min(Int64(PieceCut.piecesMax), (rows + Job.rowsMax - 1) / Job.rowsMax))
  }

  /// Decides partitions until none is left.
  ///
  /// - Parameter state: the state of the run. A session with other settings or another program creates new partitions and decides them
  ///   alone.
  /// - Returns: the number of partitions that this session decided.
  @discardableResult
  private func decideAll(_ state: DecisionState, on session: Session) async throws -> Int {
    let waiting = try context.sql(PiecesSQL.wait)
    let ours = name.merging(["settings_sha256": .text(state.settings), "code_version": .text(state.code)]) { $1 }
    var count = 0
    while true {
      while try await decideOne(ours, on: session) { count += 1 }
      let isOneLeft = try await session.transaction { tx in
        // A partition may take any time, so the lock has no timeout.
        try tx.execute("set local lock_timeout = 0")
        return try !tx.rows(waiting, ours).isEmpty
      }
      guard isOneLeft else { return count }
    }
  }

  /// - Returns: false if every partition is decided or locked by another session.
  private func decideOne(_ ours: [String: Value], on session: Session) async throws -> Bool {
    let pieces = self
    // A session retries when another has just decided its partition: at most once for each of the other partitions.
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

  /// Shows the job the rows of a partition, for the rest of the transaction.
  ///
  /// - Returns: false if the partition is empty.
  private func open(_ piece: Int32, _ tx: inout DatabaseTransaction) throws -> Bool {
    let connected = ConnectedRows(context: context)
    // The rows of a partition change no plan, so a tenth of the usual statistics sample suffices.
    try tx.execute("set local work_mem = '256MB'; set local default_statistics_target = 10; set local lock_timeout = 0")
    guard try connected.openPiece(piece, by: Job.name, &tx) else { return false }
    try connected.join([Job.inputs], &tx)
    try tx.execute("set local default_statistics_target = default")
    return true
  }

  /// Whether all partitions are decided with the current settings and program, but not recorded.
  func areDecided(_ tx: inout DatabaseTransaction) throws -> Bool { try underWay(&tx)?.isDecided == true }

  /// Removes a partitioned run and its stored decisions; does nothing if there is none.
  func forget(_ tx: inout DatabaseTransaction) throws {
    guard try begun(&tx) != nil else { return }
    _ = try tx.run(context.sql(PiecesSQL.forget), name)
    try tx.run(context.sql(Job.forget))
  }
}

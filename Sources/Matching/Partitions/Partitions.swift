internal import Domain
internal import JobCore
internal import Ladder
internal import Logging
internal import Postgres

/// A match run that decides everything in partitions of whole components, each in a separate transaction.
///
/// The decisions of a partition are stored separately. The run's last transaction records all of them at once, with the changes made
/// during the run. An interrupted run continues with the remaining partitions. A worker locks its partition, which is free again when
/// the worker dies.
struct Partitions: Sendable {
  /// A run that a session started.
  private struct CurrentRun {
    var state: DecisionState
    var asOf: Timestamp
    var isDecided: Bool
    var partitionCount: Int
  }

  let context: JobContext
  var partitioning = Partitioning()

  /// Decides everything in partitions if that is requested, due, or left over from an interrupted run. Then calls `decide`, which decides
  /// the rest and records the results.
  ///
  /// - Parameter decide: throws `TooManyRows` if it would have to decide everything; it is then called again after the partitions.
  func run<Outcome>(isFull: Bool, on session: Session, then decide: () async throws -> Outcome) async throws -> Outcome {
    var isFull = isFull
    while true {
      try await decideIfDue(isFull: isFull, on: session)
      do { return try await decide() } catch is TooManyRows { isFull = true }
    }
  }

  private func decideIfDue(isFull: Bool, on session: Session) async throws {
    guard let current = try await begin(isFull: isFull, on: session) else { return }
    _ = try await decide(current, workers: partitioning.workers, on: session)
    context.progress.finish()
  }

  /// Decides partitions of a run that another process started, until none is left.
  ///
  /// - Returns: the number of partitions; nil if no run in partitions is active with these settings and this program.
  func join(on session: Session) async throws -> Int? {
    let partitions = self
    let current = try await session.transaction(.snapshot) { tx -> CurrentRun? in
      guard let current = try partitions.current(&tx), try current.state.decidesAs(MatchScope.state(partitions.context)) else { return nil }
      return current
    }
    guard let current else { return nil }
    return try await decide(current, workers: 1, on: session)
  }

  /// Reads the facts and decides partitions until none is left. Further workers have their own connections.
  ///
  /// - Returns: the number of partitions that this session decided.
  private func decide(_ current: CurrentRun, workers: Int, on session: Session) async throws -> Int {
    guard !current.isDecided else { return 0 }
    let partitions = self
    let facts = try await session.transaction(.snapshot) { tx in try partitions.facts(of: current.partitionCount, &tx) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1..<max(1, min(workers, Partitioning.workersMax)) { group.addTask { await self.decideOnNewConnection(current, facts) } }
      return try await decideAll(current, facts, on: session)
    }
  }

  /// Decides partitions on a dedicated connection. If the connection is lost, the other workers take over its partition.
  private func decideOnNewConnection(_ current: CurrentRun, _ facts: DistributedFacts) async {
    do { _ = try await context.withSession { try await decideAll(current, facts, on: $0) } } catch {
      context.log.warning("a worker stopped, the other workers continue: \(error)")
    }
  }

  /// Continues an interrupted run, or removes the pending changes and creates partitions.
  ///
  /// - Returns: the run; nil if nothing is to be decided in partitions.
  private func begin(isFull: Bool, on session: Session) async throws -> CurrentRun? {
    let partitions = self
    return try await session.retrying(.snapshot) { tx in
      if let current = try partitions.resumable(&tx) { return current }
      let now = try MatchScope.state(partitions.context)
      guard try isFull || DecisionState.read(.match, &tx, in: partitions.context)?.decidesAs(now) != true else { return nil }
      try partitions.discard(&tx)
      let count = try partitions.count(&tx)
      guard count > 1 else { return nil }
      try MatchScope(context: partitions.context).openPartitions(&tx)
      try tx.send(
        partitions.context.sql(PartitionsSQL.begin),
        [
          "partition_count": .int4(count), "settings_sha256": .text(now.settings), "code_version": .text(now.code),
          "as_of": partitions.context.asOfValue,
        ])
      partitions.context.log.info("everything is decided in partitions", metadata: ["match.partitions": "\(count)"])
      return CurrentRun(state: now, asOf: partitions.context.asOf, isDecided: false, partitionCount: Int(count))
    }
  }

  private static func values(_ state: DecisionState) -> [String: Value] {
    ["settings_sha256": .text(state.settings), "code_version": .text(state.code)]
  }

  private func current(_ tx: inout DatabaseTransaction) throws -> CurrentRun? {
    try tx.rows(context.sql(PartitionsSQL.currentRun)).first.map { settings, code, asOf, isDecided, count in
      CurrentRun(
        state: DecisionState(settings: settings, code: code), asOf: Timestamp(microseconds: asOf), isDecided: isDecided,
        partitionCount: Int(count))
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

  /// Returns the number of partitions that a full run would have now.
  func count(_ tx: inout DatabaseTransaction) throws -> Int32 { try partitioning.count(rowCount: rowCount(&tx)) }

  /// Reads all facts, distributed among partitions.
  func facts(of partitions: Int, _ tx: inout DatabaseTransaction) throws -> DistributedFacts {
    try DistributedFacts.read(partitions: partitions, rowCount: rowCount(&tx), &tx, in: context)
  }

  private func rowCount(_ tx: inout DatabaseTransaction) throws -> Int { Int(try tx.rows(context.sql(PartitionsSQL.size)).first ?? 0) }

  /// Decides partitions of a run until none is left. A session with other settings or another program decides none of them.
  ///
  /// - Returns: the number of partitions that this session decided.
  private func decideAll(_ current: CurrentRun, _ facts: DistributedFacts, on session: Session) async throws -> Int {
    let waiting = try context.sql(PartitionsSQL.wait)
    let state = Self.values(current.state)
    var count = 0
    while true {
      while try await decideOne(state, facts, on: session) { count += 1 }
      let hasUndecided = try await session.transaction { tx in
        // A partition may take any time, so the lock has no timeout.
        tx.send("set local lock_timeout = 0")
        return try !tx.rows(waiting, state).isEmpty
      }
      guard hasUndecided else { return count }
    }
  }

  /// Decides one partition that no other session has locked.
  ///
  /// - Returns: false if every partition is decided or locked by another session.
  private func decideOne(_ state: [String: Value], _ facts: DistributedFacts, on session: Session) async throws -> Bool {
    let context = context
    // A session retries when another has just decided its partition: at most once for each of the other partitions.
    let decided = try await session.retrying(attempts: Partitioning.partitionsMax, .snapshot) { tx -> Int32? in
      guard let (partition, count) = try tx.rows(context.sql(PartitionsSQL.lockPartition), state).first else { return nil }
      context.progress.report(stage: "partitions", done: Int(partition), total: Int(count))
      let facts = try facts.facts(ofPartition: Int(partition))
      let decision = Ladder.decide(facts.component, LadderSettings(context.settings))
      try DecisionWriter(facts: facts, tables: .partitions).write(decision, &tx)
      try tx.send(context.sql(PartitionsSQL.end), ["partition": .int4(partition)])
      return partition
    }
    if let decided { context.log.debug("partition decided", metadata: ["match.partition": "\(decided)"]) }
    return decided != nil
  }

  /// Whether all partitions are decided with the current settings and program, but not recorded.
  func areDecided(_ tx: inout DatabaseTransaction) throws -> Bool { try resumable(&tx)?.isDecided == true }

  /// Records the decisions of all partitions, except for rows of the open scope, and removes the run.
  func record(runID: String, _ tx: inout DatabaseTransaction) throws -> MatchOutcome {
    // Whole tables are joined.
    tx.send("set local enable_nestloop = off")
    try tx.send(context.sql(PartitionsSQL.combine))
    try tx.gatherDistributed(files: context.sql)
    let outcome = try LadderRun(context: context, isPart: false).record(&tx, runID: runID, keepsRows: false)
    try tx.send(context.sql(PartitionsSQL.endCombination))
    try discard(&tx)
    tx.send("set local enable_nestloop = on")
    return outcome
  }

  /// Removes a run in partitions and its stored decisions; does nothing if there is none.
  func discard(_ tx: inout DatabaseTransaction) throws {
    guard try tx.rows(context.sql(PartitionsSQL.isStored)).first == true else { return }
    try tx.send(context.sql(PartitionsSQL.discard))
  }
}

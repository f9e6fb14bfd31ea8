import Glibc

/// After any fault at any point of a job, a new start gives the result of an undisturbed run, byte for byte.
///
/// PAYRECON_FAULT_INSTANTS is the number of faults per job and kind; the documented figure uses 50, the default is 1.
/// PAYRECON_TEST_SEED chooses the points, and PAYRECON_FAULT_JOB selects a single job.
@Suite(.serialized, .cleansUp) struct FaultTests {
  private static let instants = Program.variable("PAYRECON_FAULT_INSTANTS").flatMap(Int.init) ?? 1
  /// Number of copies disturbed in parallel.
  private static let lanesMax = 2
  private static let seed = Program.variable("PAYRECON_TEST_SEED").flatMap(UInt64.init) ?? 20_261_121
  private static let only = Program.variable("PAYRECON_FAULT_JOB")
  /// Maximum number of starts after a fault. A dead host's window is free again when its lease has expired.
  private static let startsMax = 60

  private enum Trouble: String, CaseIterable {
    /// SIGKILL.
    case process
    /// All database sessions end at once.
    case database
    /// Apple's answers are truncated.
    case network
  }

  @Test func jobsOfTheNightEndAsUndisturbed() async throws {
    let world = try await Worlds.shared.small()
    var setup = try await Setup(world: world)
    try setup.addSettings("retention: {parked: 30d, job_windows: 60d, case_leases: 30d, persons: 400d}\n")
    try await Self.tryAll(FaultJob.ofWorld(world), on: setup, store: nil)
  }

  @Test func jobsThatAskAppleEndAsUndisturbed() async throws {
    var setup = try await Setup()
    let store = try await setup.openAppStore()
    let jobs = try await FaultJob.ofStore(store, setup)
    try await Self.tryAll(jobs, on: setup, store: store)
  }

  @Test func jobsOnMoneyEndAsUndisturbed() async throws {
    let world = try Setup.makeFolder()
    let setup = try await Setup(world: world)
    try await setup.program("simulate", "finance", "--seed", "7", "--charges", "500", "--out", world, exits: 0)
    try await setup.program("ingest", "apple", "\(world)/inbox/apple.ndjson", "--as-of", "2026-11-02T00:00:00Z", exits: 0)
    try await Self.tryAll(FaultJob.ofMoney(world), on: setup, store: nil)
  }

  /// Tries the jobs in order. The base of each is the result of the previous ones.
  private static func tryAll(_ jobs: [FaultJob], on base: Setup, store: AppStoreSimulator?) async throws {
    for template in jobs {
      let job = try await template.prepared(base)
      if only == nil || only == job.name { try await tryOne(job, on: base, store: store) }
      guard job.isBase else { continue }
      let done = try await base.program.run([Program.path] + job.words)
      try #require([0, 1].contains(done.status), "\(job.name): \(done.complaint)")
    }
  }

  /// A job with the end and the results of its undisturbed run.
  private struct Trial: Sendable {
    var job: FaultJob
    var base: Setup
    var undisturbed: Execution
    var expected: Outcome
    var store: AppStoreSimulator?
  }

  /// The place of a fault: a point of the job's work (see `Tests/KillPoints`), or a byte of a call.
  private struct Instant: Sendable {
    var point: Int
    var call: Int
    var byte: Int
  }

  private static func tryOne(_ job: FaultJob, on base: Setup, store: AppStoreSimulator?) async throws {
    let calm = try await base.copy()
    store?.resetCounters()
    let undisturbed = try await calm.program.run([Program.path] + job.words)
    // 3 means late input, which some jobs have.
    try #require([0, 1, 3].contains(undisturbed.status), "\(job.name): \(undisturbed.complaint)")
    let calls = store?.counters.values.reduce(0, +) ?? 0
    let trial = Trial(job: job, base: base, undisturbed: undisturbed, expected: try await job.outcome(calm, undisturbed), store: store)
    await calm.end()
    var dice = Dice(seed: seed)
    var notes: [String] = []
    let possible = Trouble.allCases.filter { $0 != .network || calls > 0 }
    for trouble in possible {
      // A scripted network fault affects every client, so one copy runs at a time.
      let lanes = trouble == .network ? 1 : min(lanesMax, instants)
      let drawn = (0..<instants).map { _ in
        Instant(
          point: Int.random(in: 1...max(1, undisturbed.points), using: &dice),
          call: Int.random(in: 0..<max(1, calls), using: &dice), byte: Int.random(in: 0..<700, using: &dice))
      }
      let results = try await inLanes(lanes, drawn) { try await disturb(trial, trouble, $0) }
      let wrong = results.compactMap(\.fault)
      notes.append("\(trouble.rawValue) \(results.count { $0.isHit })/\(instants)")
      #expect(wrong.isEmpty, "\(job.name), \(trouble.rawValue), seed \(seed): \(wrong.count) of \(instants), \(wrong.prefix(3))")
    }
    print("\(job.name): disturbed by \(notes.joined(separator: ", "))")
  }

  /// Disturbs a job on a copy of its base and checks the results.
  private static func disturb(_ trial: Trial, _ trouble: Trouble, _ instant: Instant) async throws -> (isHit: Bool, fault: String?) {
    let (job, status) = (trial.job, trial.undisturbed.status)
    let setup = try await trial.base.copy()
    let met = try await meet(trouble, job, setup, instant, trial.store)
    let last = try await finish(job, setup, met, status)
    let differences = try await job.outcome(setup, last).differences(from: trial.expected)
    await setup.end()
    let isFine = job.isEnd(last, status) && differences.isEmpty
    let fault = "\(instant): status \(last.status ?? -1) \(last.complaint.suffix(300)) \(differences)"
    return (met.status != status, isFine ? nil : fault)
  }

  /// Runs `work` for all items in parallel lanes, each with every n-th item. Returns the results in any order.
  private static func inLanes<Item: Sendable, Result: Sendable>(
    _ lanes: Int, _ items: [Item], _ work: @escaping @Sendable (Item) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: [Result].self) { group in
      for lane in 0..<lanes {
        group.addTask {
          var results: [Result] = []
          for place in stride(from: lane, to: items.count, by: lanes) { results.append(try await work(items[place])) }
          return results
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  /// Runs a job with a fault.
  private static func meet(
    _ trouble: Trouble, _ job: FaultJob, _ setup: Setup, _ instant: Instant, _ store: AppStoreSimulator?
  ) async throws -> Execution {
    let words = [Program.path] + job.words
    switch trouble {
    case .process: return try await setup.program.run(words, kill: .at(point: instant.point))
    case .database:
      let killer = try await Session.open(setup.connection)
      let execution = try await setup.program.run(
        words,
        kill: .disturbed(point: instant.point) {
          try? await killer.executeAlone(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
          )
        })
      await killer.close()
      return execution
    case .network:
      // The fault outlasts the retries of a request, so the job ends without the answer.
      store?.script(Fault(.cutConnection(after: instant.byte), after: instant.call, count: 40))
      let execution = try await setup.program.run(words)
      store?.clearFaults()
      return execution
    }
  }

  /// Starts a job again until it ends as expected.
  private static func finish(_ job: FaultJob, _ setup: Setup, _ first: Execution, _ status: Int32?) async throws -> Execution {
    var last = first
    for _ in 0..<startsMax {
      if job.isEnd(last, status), try await job.isDone(setup) { return last }
      if let repair = job.repair { _ = try await setup.query(repair) }
      last = try await setup.program.run([Program.path] + job.words)
      if job.isEnd(last, status), try await job.isDone(setup) { return last }
      try await Task.sleep(for: .milliseconds(100))
    }
    return last
  }
}

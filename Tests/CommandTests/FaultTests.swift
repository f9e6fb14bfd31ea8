import AppStoreSimulator
import FoundationEssentials
import Glibc
import Postgres
import TestSupport
import Testing

/// Whatever goes wrong in the middle of a job, and whenever: started again, it ends as an undisturbed one, byte for byte.
///
/// PAYRECON_FAULT_INSTANTS is how often each job meets each kind of trouble, 50 is what is promised; without it each meets
/// one kind once, in turns. PAYRECON_TEST_SEED chooses the instants, PAYRECON_FAULT_JOB one job alone.
@Suite(.serialized) struct FaultTests {
  private static let wanted = Program.variable("PAYRECON_FAULT_INSTANTS").flatMap(Int.init)
  private static let instants = wanted ?? 1
  private static let seed = Program.variable("PAYRECON_TEST_SEED").flatMap(UInt64.init) ?? 20_261_121
  private static let only = Program.variable("PAYRECON_FAULT_JOB")
  /// Starts after a fault until a job ends well: a dead host's window is free again after its lease.
  private static let startsMax = 60

  private enum Trouble: String, CaseIterable {
    /// SIGKILL.
    case process
    /// Every session of the database is ended at once.
    case database
    /// Apple's answers are cut off.
    case network
  }

  @Test func jobsOfTheNightEndAsUndisturbed() async throws {
    let world = try await Worlds.shared.directory(orders: FaultJob.worldOrders)
    try await Self.tryAll(FaultJob.ofWorld(world), on: try await Desk(world: world), store: nil)
  }

  @Test func jobsThatAskAppleEndAsUndisturbed() async throws {
    var desk = try await Desk()
    let store = try await desk.openAppStore()
    let jobs = try await FaultJob.ofStore(store, desk)
    try await Self.tryAll(jobs, on: desk, store: store)
    await store.stop()
  }

  /// Takes the jobs in their order: the base of each is what those before it left behind.
  private static func tryAll(_ jobs: [FaultJob], on base: Desk, store: AppStoreSimulator?) async throws {
    for (turn, job) in jobs.enumerated() {
      if only == nil || only == job.name { try await tryOne(job, on: base, store: store, turn: turn) }
      guard job.isBase else { continue }
      let done = try await base.program.run([Program.path] + job.words)
      try #require([0, 1].contains(done.status), "\(job.name): \(done.complaint)")
    }
    await base.end()
  }

  private static func tryOne(_ job: FaultJob, on base: Desk, store: AppStoreSimulator?, turn: Int) async throws {
    let calm = try await base.copy()
    store?.resetCounters()
    let undisturbed = try await calm.program.run([Program.path] + job.words)
    try #require([0, 1].contains(undisturbed.status), "\(job.name): \(undisturbed.complaint)")
    let calls = store?.counters.values.reduce(0, +) ?? 0
    let expected = try await job.outcome(calm, undisturbed)
    await calm.end()
    var dice = Dice(seed: seed)
    var notes: [String] = []
    let possible = Trouble.allCases.filter { $0 != .network || calls > 0 }
    for trouble in wanted == nil ? [possible[turn % possible.count]] : possible {
      var hits = 0
      var wrong: [String] = []
      for number in 0..<instants {
        let desk = try await base.copy()
        let instant = UInt64.random(in: 0..<max(1, undisturbed.nanoseconds), using: &dice)
        let call = Int.random(in: 0..<max(1, calls), using: &dice)
        let met = try await meet(trouble, job, desk, after: instant, call: call, store)
        if met.status != undisturbed.status { hits += 1 }
        let last = try await finish(job, desk, met, undisturbed.status)
        let differences = try await job.outcome(desk, last).differences(from: expected)
        if last.status != undisturbed.status || !differences.isEmpty {
          wrong.append("\(number): status \(last.status ?? -1) \(last.complaint.suffix(300)) \(differences)")
        }
        await desk.end()
      }
      notes.append("\(trouble.rawValue) \(hits)/\(instants)")
      #expect(wrong.isEmpty, "\(job.name), \(trouble.rawValue), seed \(seed): \(wrong.count) of \(instants), \(wrong.prefix(3))")
    }
    print("\(job.name): disturbed by \(notes.joined(separator: ", "))")
  }

  /// Runs a job that something happens to.
  private static func meet(
    _ trouble: Trouble, _ job: FaultJob, _ desk: Desk, after instant: UInt64, call: Int, _ store: AppStoreSimulator?
  ) async throws -> Execution {
    let words = [Program.path] + job.words
    switch trouble {
    case .process: return try await desk.program.run(words, kill: .after(instant))
    case .database:
      let killer = try await Session.open(desk.connection)
      async let running = desk.program.run(words)
      try await Task.sleep(nanoseconds: instant)
      try? await killer.executeAlone(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
      )
      let execution = try await running
      await killer.close()
      return execution
    case .network:
      // More than a request is repeated: the job ends without its answer.
      store?.script(Fault(.cutConnection(after: Int(instant % 700)), after: call, count: 40))
      let execution = try await desk.program.run(words)
      store?.clearFaults()
      return execution
    }
  }

  /// Starts a job again until it ends as it would have.
  private static func finish(
    _ job: FaultJob, _ desk: Desk, _ first: Execution, _ status: Int32?
  ) async throws -> Execution {
    var last = first
    for _ in 0..<startsMax {
      if last.status == status, try await job.isDone(desk) { return last }
      if let repair = job.repair { _ = try await desk.query(repair) }
      last = try await desk.program.run([Program.path] + job.words)
      if last.status == status, try await job.isDone(desk) { return last }
      try await Task.sleep(for: .milliseconds(100))
    }
    return last
  }
}

extension Desk {
  /// A workplace with a copy of this one's database and the same settings, in a folder of its own.
  func copy() async throws -> Desk {
    var copy = self
    copy.connection = try await TestServer.shared.copy(of: connection)
    copy.directory = try Self.makeFolder()
    copy.program.directory = copy.directory
    copy.program.environment["PAYRECON_DATABASE_URL"] = copy.connection.conninfo
    return copy
  }
}

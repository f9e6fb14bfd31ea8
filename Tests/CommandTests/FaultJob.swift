import FoundationEssentials

/// A job's command line and the places of its results.
struct FaultJob: Sendable {
  var name: String
  var words: [String]
  /// Lists to export at the clock of the job.
  var lists: [String] = []
  /// Folder of the files that the job writes.
  var folder: String?
  /// A statement whose rows must be equal.
  var query: String?
  /// A statement that is true when the job has no work left.
  var doneQuery: String?
  /// Exit status when the work was already done and only the answer was lost.
  var againStatus: Int32?
  /// A statement that prepares the base.
  var preparation: String?
  /// A statement that returns the value of `{id}`.
  var idQuery: String?
  /// A statement that simulates the expiry of a dead worker's leases.
  var repair: String?
  /// Whether the job's output is compared.
  var hasOutput = false
  /// Whether later jobs build upon this one.
  var isBase = false
  var asOf = Setup.asOf

  func outcome(_ setup: Setup, _ execution: Execution) async throws -> Outcome {
    var parts: [String: [UInt8]] = [:]
    for (list, bytes) in try await setup.exports(lists, asOf: asOf) { parts["export \(list)"] = bytes }
    if let folder {
      for (name, bytes) in try Setup.files(in: "\(setup.directory)/\(folder)") { parts["file \(name)"] = bytes }
    }
    if let query { parts["query"] = Array(try await setup.query(query).utf8) }
    if hasOutput { parts["output"] = execution.output }
    return Outcome(parts: parts)
  }

  func prepared(_ base: Setup) async throws -> FaultJob {
    var job = self
    if let preparation {
      // The statement is longer than a command line may be.
      let path = try base.write("preparation.sql", preparation)
      try await base.program.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", path, base.connection.conninfo], exits: 0)
    }
    guard let idQuery else { return job }
    let id = try await base.query(idQuery)
    try #require(!id.isEmpty, "\(name): nothing to work on")
    job.words = words.map { $0 == "{id}" ? id : $0 }
    job.query = query?.replacing("{id}", with: id)
    job.doneQuery = doneQuery?.replacing("{id}", with: id)
    return job
  }

  /// Returns whether a start ended as expected.
  func isEnd(_ execution: Execution, _ status: Int32?) -> Bool {
    execution.status == status || (againStatus != nil && execution.status == againStatus)
  }

  func isDone(_ setup: Setup) async throws -> Bool {
    guard let doneQuery else { return true }
    return try await setup.query(doneQuery) == "t"
  }

  // MARK: The night

  static func ofWorld(_ world: String) throws -> [FaultJob] {
    let clock = ["--as-of", Setup.asOf]
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(world)/inbox").sorted()
    let files = { (kind: String) in names.filter { $0.hasPrefix(kind) }.map { "\(world)/inbox/\($0)" } }
    let apple = names.filter { name in !["catalogue", "users", "orders"].contains { name.hasPrefix($0) } }
    let jobs = "\(world)/fault-jobs"
    try FileManager.default.createDirectory(atPath: jobs, withIntermediateDirectories: true)
    try Data(
      """
      name: match
      command: [match, --as-of, "{as_of}"]
      schedule: "0 0 * * *"
      time_zone: UTC
      window: previous_day
      catch_up: {policy: latest}
      attempts: 20
      timeout: 1m

      """.utf8
    ).write(to: URL(filePath: "\(jobs)/match.yaml"))
    let read = ["orders", "evidence", "parked", "transactions", "charges"]
    let decided = ["matches", "breaks", "pending", "signals", "cases"]
    return [
      job("nightly", ["nightly", "--inbox", "\(world)/inbox", "--out", "report"] + clock, read + decided, folder: "report"),
      job("ingest catalogue", ["ingest", "catalogue"] + files("catalogue") + clock, isBase: true),
      job("ingest users", ["ingest", "users"] + files("users") + clock, isBase: true),
      job("ingest orders", ["ingest", "orders"] + files("orders") + clock, ["orders"], isBase: true),
      job("ingest", ["ingest", "apple"] + apple.map { "\(world)/inbox/\($0)" } + clock, read, isBase: true),
      FaultJob(
        name: "run-due", words: ["run-due", "--jobs", jobs, "--lease", "3", "--as-of", "2026-11-19T00:00:30Z"], lists: ["matches"],
        doneQuery: "select exists (select from payrecon.job_windows where verdict in ('clean', 'pending', 'warnings', 'breaks'))",
        repair: """
          update payrecon.job_windows set lease_until = lease_until - interval '1 hour', retry_at = retry_at - interval '1 hour'
          where ended_at is null or not is_final
          """),
      job("match", ["match"] + clock, ["matches"], isBase: true), job("detect", ["detect"] + clock, decided, isBase: true),
      job("report", ["report", "all", "--out", "report"] + clock, folder: "report"),
      FaultJob(name: "export", words: ["export", "charges"] + clock, hasOutput: true),
    ] + ofPeople()
  }

  static func job(
    _ name: String, _ words: [String], _ lists: [String] = [], folder: String? = nil, query: String? = nil, isBase: Bool = false,
    asOf: String = Setup.asOf
  ) -> FaultJob {
    FaultJob(name: name, words: words, lists: lists, folder: folder, query: query, isBase: isBase, asOf: asOf)
  }
}

import Cryptography
import Domain
import FoundationEssentials
import Glibc
import Postgres
import SimulatedSigning
import Simulation
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// The environment of one test: a folder, a dedicated database, and the program configured for both.
struct Setup: Sendable {
  /// Lists whose bytes must not depend on the order of the input. `runs` is excluded because it contains attempts and wall times.
  static let lists = [
    "orders", "evidence", "parked", "transactions", "charges", "matches", "breaks", "pending", "signals", "cases", "subscriptions",
  ]
  /// The instant of a simulated world.
  static let asOf = World.asOf.rfc3339

  var connection: ConnectionSettings
  var directory: String
  var program = Program()

  /// - Parameter world: the world whose settings and roots apply; nil uses plain ones.
  init(world: String? = nil) async throws {
    connection = try await TestServer.shared.database()
    directory = try Self.makeFolder()
    let home: String
    if let world {
      home = world
    } else {
      home = directory
      try FileManager.default.createDirectory(atPath: "\(home)/roots", withIntermediateDirectories: true)
      try Data(Scenario.authority.rootDER).write(to: URL(filePath: "\(home)/roots/root.der"))
      try write("payrecon.yaml", Self.settings())
    }
    program.directory = directory
    program.environment = [
      "PAYRECON_DATABASE_URL": connection.conninfo, "PAYRECON_SQL_DIR": "\(TestServer.repository)/sql",
      "PAYRECON_APPLE_ROOTS": "\(home)/roots", "PAYRECON_CONFIG": "\(home)/payrecon.yaml",
    ]
    CleanUp.afterTest { [directory] in try? FileManager.default.removeItem(atPath: directory) }
  }

  /// Returns plain settings. Input that is months old counts as fresh, unless a test sets otherwise.
  static func settings(failAt: String = "low", inputs: String = "{orders: {max_age: 3650d}, apple: {max_age: 3650d}}") -> String {
    """
    apps:
      - {bundle_id: com.acme.reader, apple_id: 1500000001, time_zone: Asia/Shanghai}
      - {bundle_id: com.acme.kids, apple_id: 1500000002}
    breaks: {grace: 24h, fail_at: \(failAt)}
    inputs: \(inputs)

    """
  }

  /// Returns the program as a person with a separate login runs it.
  func login(_ person: String) async throws -> Program {
    var program = program
    program.environment["PAYRECON_DATABASE_URL"] = try await TestServer.shared.login(person, to: connection).conninfo
    return program
  }

  func end() async {
    await TestServer.shared.drop(connection)
    try? FileManager.default.removeItem(atPath: directory)
  }

  static func makeFolder() throws -> String {
    let path = try Temporary.makeFolder("payrecon-command")
    // Tests that drop privileges need read access to the folder.
    unsafe chmod(path, 0o755)
    return path
  }

  // MARK: Commands

  /// Number of attempts to start a command while the backend of the previous one ends, which takes milliseconds.
  private static let startsMax = 200

  /// Starts a command again while the previous one holds its lock.
  func patiently(_ start: () async throws -> Execution) async throws -> Execution {
    for _ in 1..<Self.startsMax {
      let execution = try await start()
      if execution.status != 4 { return execution }
    }
    return try await start()
  }

  /// Runs a command patiently.
  ///
  /// - Parameters:
  ///   - asOf: clock of the command; nil for none.
  ///   - exits: the expected exit status; nil leaves the check to the caller.
  @discardableResult
  func patiently(
    _ words: [String], asOf: String?, kill: Program.Kill = .never, exits: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Execution {
    let clock = asOf.map { ["--as-of", $0] } ?? []
    let execution = try await patiently { try await program.run([Program.path] + words + clock, kill: kill) }
    if let exits { #expect(execution.status == exits, "\(words): \(execution.text)\(execution.complaint)", sourceLocation: sourceLocation) }
    return execution
  }

  /// Runs a night patiently.
  ///
  /// - Parameter more: further words of the command.
  @discardableResult
  func nightly(
    _ inbox: String = "inbox", asOf: String? = Self.asOf, out: String = "report", _ more: [String] = [], kill: Program.Kill = .never,
    exits: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Execution {
    let words = ["nightly", "--inbox", inbox, "--out", out] + more
    return try await patiently(words, asOf: asOf, kill: kill, exits: exits, sourceLocation: sourceLocation)
  }

  /// Ingests a text as a file of a kind.
  func ingest(_ kind: String, _ text: String, asOf: String = Self.asOf) async throws {
    let file = try write(kind == "apple" ? "apple.ndjson" : "\(kind).csv", text)
    try await patiently(["ingest", kind, file], asOf: asOf, exits: 0)
  }

  /// Runs match and detect, which may find something.
  func decide(asOf: String = Self.asOf) async throws {
    for job in ["match", "detect"] {
      let execution = try await patiently([job], asOf: asOf)
      #expect([0, 1].contains(execution.status), "\(job): \(execution.text)\(execution.complaint)")
    }
  }

  /// Keeps everybody from writing to tables, until the returned session is closed.
  func block(_ tables: String...) async throws -> Session {
    let session = try await Session.open(connection)
    try await session.executeAlone("begin")
    try await session.executeAlone("lock table \(tables.map { "payrecon.\($0)" }.joined(separator: ", ")) in share mode")
    return session
  }

  /// Ends the session of a running night.
  func cutNight() async throws {
    try await query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() "
        + "and application_name like 'payrecon nightly%'")
  }

  // MARK: Files

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = "\(directory)/\(name)"
    let folder = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  static func lines(_ path: String) throws -> [String] {
    String(decoding: try bytes(path), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  // MARK: Results

  /// Returns all parts on which two ways to the same facts must agree: exports and report files by name.
  func outcome(report: String = "report") async throws -> Outcome {
    var parts: [String: [UInt8]] = [:]
    for (list, bytes) in try await exports(Self.lists) { parts["export \(list)"] = bytes }
    for (name, bytes) in try Self.files(in: "\(directory)/\(report)") { parts["report \(name)"] = bytes }
    return Outcome(parts: parts)
  }

  func export(_ list: String, format: String = "csv") async throws -> [UInt8] { try await exports([list], format: format)[list] ?? [] }

  /// Returns the bytes of lists by name, as `payrecon export` writes them. Without a program for each, this takes a third of the time.
  func exports(_ lists: [String], format: String = "csv", asOf: String = Self.asOf) async throws -> [String: [UInt8]] {
    if program.environment["PAYRECON_DATABASE_URL"] == connection.conninfo {
      return try await Scenario.exports(lists, format: format, from: connection, asOf: asOf)
    }
    var exports: [String: [UInt8]] = [:]
    for list in lists {
      let execution = try await program("export", list, "--format", format, "--as-of", asOf)
      try #require(execution.status == 0, "export \(list): \(execution.complaint)")
      exports[list] = execution.output
    }
    return exports
  }

  /// Returns the files of a folder by name, including temporary files.
  static func files(in folder: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files[name] = try bytes("\(folder)/\(name)")
    }
    return files
  }

  /// Returns the rows of an exported list by column; null is an empty text.
  ///
  /// - Parameter settings: text to write into the settings file first, if the test has damaged it.
  func rows(_ list: String, settings: String? = nil) async throws -> [[String: String]] {
    if let settings { try write("payrecon.yaml", settings) }
    return try Scenario.rows(try await export(list, format: "ndjson"))
  }

  /// Number of checks whether the program has reached a locked table.
  static let looksMax = 2000

  /// Pauses between two such checks, because a busy machine needs the time for the program.
  static func pause() async throws { try await Task.sleep(for: .milliseconds(50)) }

  /// Waits until `count` sessions want to write to a table that the test locked. Returns false if they never do.
  func waitForLock(on tables: String..., by count: Int = 1) async throws -> Bool {
    for _ in 0..<Self.looksMax where try await waiting(on: tables) >= count { return true }
    return false
  }

  /// Returns the number of sessions that wait for a lock on one of the tables, after a pause.
  func waiting(on tables: [String]) async throws -> Int {
    try await Self.pause()
    let names = tables.map { "'payrecon.\($0)'::regclass" }.joined(separator: ", ")
    // Databases from one template share the numbers of their tables.
    let count = try await query(
      """
      select count(*) from pg_locks inner join pg_database on pg_database.oid = pg_locks.database
      where not granted and relation in (\(names)) and datname = current_database()
      """)
    return Int(count) ?? 0
  }

  /// Path of psql itself in its Debian folder. The script of that name in PATH searches for it and takes six times as long.
  private static let psql: String = {
    let folder = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return versions.compactMap(Int.init).sorted(by: >).map { "\(folder)/\($0)/bin/psql" }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "psql"
  }()

  /// Returns the unaligned output of psql for a statement.
  @discardableResult
  func query(_ sql: String) async throws -> String {
    let execution = try await program.run([Self.psql, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, connection.conninfo])
    try #require(execution.status == 0, "\(sql): \(execution.complaint)")
    return execution.text.split(separator: "\n").joined(separator: "\n")
  }
}

/// Exports and reports of one database, for comparison with another.
struct Outcome: Sendable, Equatable {
  var parts: [String: [UInt8]]

  /// Returns the names of the differing parts, each with its first different line on both sides.
  func differences(from other: Outcome) -> [String] {
    Set(parts.keys).union(other.parts.keys).sorted().compactMap { name in
      guard let left = parts[name] else { return "\(name): only on the other side" }
      guard let right = other.parts[name] else { return "\(name): not on the other side" }
      guard left != right else { return nil }
      let pairs = zip(left.split(separator: 0x0A), right.split(separator: 0x0A))
      guard let pair = pairs.first(where: { $0 != $1 }) else { return "\(name): \(left.count) bytes against \(right.count)" }
      let texts = [pair.0, pair.1].map { String(decoding: $0.prefix(400), as: UTF8.self) }
      return "\(name): \"\(texts[0])\" against \"\(texts[1])\""
    }
  }

  var hash: String { SHA256.hex(parts.sorted { $0.key < $1.key }.flatMap { Array($0.key.utf8) + $0.value }) }
}

/// Worlds that several tests read.
actor Worlds {
  static let shared = Worlds()
  private var made: [Int: Task<String, any Error>] = [:]
  private var nights: [Int: Task<Night, any Error>] = [:]
  /// Folders removed at the end of the test process.
  private static let folders = Mutex<[String]>([])

  /// Returns the folder of a small world with every planted kind of trouble.
  func small() async throws -> String { try await directory(orders: 500) }

  /// Returns the folder of a world with this many orders; generated once.
  func directory(orders: Int) async throws -> String {
    if let task = made[orders] { return try await task.value }
    let task = Task {
      let path = try Setup.makeFolder()
      Self.removeAtExit(path)
      _ = try await World.write(seed: 11, orders: orders, directory: path)
      // Tests also run at later clocks, so old input must count as fresh.
      let settings = "\(path)/payrecon.yaml"
      let text = try String(contentsOfFile: settings, encoding: .utf8)
      let inputs = "inputs: {orders: {max_age: 3650d}, apple: {max_age: 3650d}}\n"
      try (text + inputs).write(toFile: settings, atomically: true, encoding: .utf8)
      return path
    }
    made[orders] = task
    return try await task.value
  }

  /// An environment after an undisturbed night, and its outcome. Tests copy the environment and leave it as it is.
  struct Night: Sendable {
    var setup: Setup
    var outcome: Outcome
  }

  /// Returns an undisturbed night of a world with this many orders; run once.
  func night(orders: Int = 500) async throws -> Night {
    if let task = nights[orders] { return try await task.value }
    let task = Task {
      let world = try await directory(orders: orders)
      let setup = try await CleanUp.shared { try await Setup(world: world) }
      let night = try await setup.nightly("\(world)/inbox")
      try #require(night.status == 1, "\(night.text)\(night.complaint)")
      return Night(setup: setup, outcome: try await setup.outcome())
    }
    nights[orders] = task
    return try await task.value
  }

  private static func removeAtExit(_ path: String) {
    let isFirst = folders.withLock { folders in
      folders.append(path)
      return folders.count == 1
    }
    guard isFirst else { return }
    atexit {
      for path in Worlds.folders.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    }
  }
}

/// A flag that is set once.
final class Flag: Sendable {
  private let state = Mutex(false)
  var isSet: Bool { state.withLock { $0 } }
  func set() { state.withLock { $0 = true } }
}

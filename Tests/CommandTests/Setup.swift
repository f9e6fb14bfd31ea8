import FoundationEssentials
import Glibc
import Simulation
import Synchronization

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

  /// - Parameters:
  ///   - world: the world whose settings and roots apply; nil uses plain ones.
  ///   - hasDatabase: false leaves the program without one. It would create a private cluster in the folder `state`.
  init(world: String? = nil, hasDatabase: Bool = true) async throws {
    connection =
      if hasDatabase { try await TestServer.shared.database() } else { ConnectionSettings(conninfo: "", applicationName: "tests") }
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
      "PAYRECON_SQL_DIR": "\(TestServer.repository)/sql", "PAYRECON_APPLE_ROOTS": "\(home)/roots",
      "PAYRECON_CONFIG": "\(home)/payrecon.yaml",
    ]
    let database = hasDatabase ? ("PAYRECON_DATABASE_URL", connection.conninfo) : ("PAYRECON_STATE_DIR", "\(directory)/state")
    program.environment[database.0] = database.1
  }

  /// Returns an environment with a started private cluster, which stops after the test.
  static func withCluster(world: String? = nil) async throws -> Setup {
    var setup = try await Setup(world: world, hasDatabase: false)
    try await setup.startCluster()
    return setup
  }

  /// Starts the private cluster of the folder of state, until the end of the test.
  mutating func startCluster() async throws {
    let started = try await program("database", "start")
    try #require(started.status == 0, "\(started.complaint)")
    connection.conninfo = started.text.split(separator: "\n").joined()
    CleanUp.afterTest { [program] in _ = try? await program("database", "stop") }
  }

  func postmaster() async throws -> pid_t {
    let status = try await program("database", "status").text
    return try #require(status.firstMatch(of: /process (\d+)/).flatMap { pid_t($0.output.1) }, "\(status)")
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

  /// Returns an environment with a copy of this database and the same settings, in a separate folder.
  ///
  /// - Parameter withFiles: whether the folder has copies of the files, settings included.
  func copy(withFiles: Bool = false) async throws -> Setup {
    var copy = self
    copy.connection = try await TestServer.shared.copy(of: connection)
    copy.directory = try Self.makeFolder()
    copy.program.directory = copy.directory
    copy.program.environment["PAYRECON_DATABASE_URL"] = copy.connection.conninfo
    guard withFiles else { return copy }
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      try FileManager.default.copyItem(atPath: "\(directory)/\(name)", toPath: "\(copy.directory)/\(name)")
    }
    copy.program.environment["PAYRECON_CONFIG"] = program.environment["PAYRECON_CONFIG"]?.replacing(directory, with: copy.directory)
    return copy
  }

  /// Uses the present settings with more text, in a file of the folder.
  mutating func addSettings(_ text: String) throws {
    let old = try Self.text(program.environment["PAYRECON_CONFIG"] ?? "")
    program.environment["PAYRECON_CONFIG"] = try write("payrecon.yaml", old + text)
  }

  /// Ends the environment before the test ends, for tests that create many.
  func end() async {
    await TestServer.shared.drop(connection)
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Returns a new folder, which is removed after the test.
  static func makeFolder() throws -> String {
    let path = try Temporary.makeFolder("payrecon-command")
    // Tests that drop privileges need read access to the folder.
    unsafe chmod(path, 0o755)
    CleanUp.afterTest { try? FileManager.default.removeItem(atPath: path) }
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

  /// Runs a command patiently, and verifies its end as `Execution.expect` does.
  ///
  /// - Parameter asOf: clock of the command; nil for none.
  @discardableResult
  func patiently(
    _ words: [String], asOf: String?, kill: Program.Kill = .never, exits: Int32..., text: String? = nil, prints: String...,
    complains: String..., lacks: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Execution {
    let words = words + (asOf.map { ["--as-of", $0] } ?? [])
    let execution = try await patiently { try await program.run([Program.path] + words, kill: kill) }
    execution.expect(words, exits: exits, text: text, prints: prints, complains: complains, lacks: lacks, at: sourceLocation)
    return execution
  }

  /// Runs a night patiently, and verifies its end as `Execution.expect` does.
  ///
  /// - Parameter more: further words of the command.
  @discardableResult
  func nightly(
    _ inbox: String = "inbox", asOf: String? = Self.asOf, out: String = "report", _ more: [String] = [], kill: Program.Kill = .never,
    exits: Int32..., prints: String..., complains: String..., lacks: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Execution {
    let words = ["nightly", "--inbox", inbox, "--out", out] + more
    let execution = try await patiently(words, asOf: asOf, kill: kill)
    execution.expect(words, exits: exits, text: nil, prints: prints, complains: complains, lacks: lacks, at: sourceLocation)
    return execution
  }

  func ingest(_ kind: String, _ text: String, asOf: String = Self.asOf) async throws {
    let file = try write(kind == "apple" ? "apple.ndjson" : "\(kind).csv", text)
    try await patiently(["ingest", kind, file], asOf: asOf, exits: 0)
  }

  /// Runs match and detect.
  ///
  /// - Parameter mayMissInput: whether detect may also report missing input.
  func decide(asOf: String = Self.asOf, mayMissInput: Bool = false) async throws {
    for job in ["match", "detect"] {
      let run = try await patiently([job], asOf: asOf)
      #expect([0, 1].contains(run.status) || (mayMissInput && run.status == 3), "\(job): \(run.text)\(run.complaint)")
    }
  }

  /// Returns the metrics that `run-due` writes without any job.
  func metrics(_ clock: String...) async throws -> String {
    var program = program
    program.environment["PAYRECON_METRICS_FILE"] = "\(directory)/metrics.prom"
    try write("nojobs/none.txt", "")
    try await program.run([Program.path, "run-due", "--jobs", "nojobs"] + clock, exits: 0)
    return try Self.text("\(directory)/metrics.prom")
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
    try FileManager.default.createDirectory(atPath: Program.folder(of: path), withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

  static func lines(_ path: String) throws -> [String] { try text(path).split(separator: "\n").map(String.init) }

  // MARK: Input

  /// Columns of a plain orders file.
  static let orderHeader = "order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency,transaction_id"
  /// Apple's signed charge of the order in `writeInbox`.
  static let bought = ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z").jws + "\n"

  /// Returns a delivered order of a plain file.
  static func order(
    _ id: String, user: String = "U1", at created: String = "2026-05-10T10:00:00Z", price: String = "6000",
    names transaction: String = ""
  ) -> String {
    "\(id),com.acme.reader,coins60,\(user),delivered,\(created),\(price),CNY,\(transaction)"
  }

  /// Returns a file of rows under a header, by default that of plain orders.
  static func table(_ header: String, _ rows: [String]) -> String { ([header] + rows).joined(separator: "\n") + "\n" }
  static func table(_ orders: [String]) -> String { table(orderHeader, orders) }

  /// Writes an inbox of one order and its charge. `price` may make the order differ from Apple's charge.
  func writeInbox(price: Int = 6000) throws {
    try write("inbox/orders.csv", Self.table([Self.order("PO-1", price: "\(price)", names: "470001000000001")]))
    try write("inbox/apple.ndjson", Self.bought)
  }

  func writeNightJob(_ more: String = "") throws {
    try write(
      "jobs/night.yaml",
      """
      name: night
      command: [nightly, --as-of, "{as_of}", --inbox, inbox, --out, "reports/{business_day}"]
      schedule: "0 6 * * *"
      window: previous_day
      \(more)

      """)
  }

  // MARK: Results

  /// Returns all parts on which two ways to the same facts must agree: exports and report files by name.
  func outcome(report: String = "report") async throws -> Outcome {
    var parts: [String: [UInt8]] = [:]
    for (list, bytes) in try await exports(Self.lists) { parts["export \(list)"] = bytes }
    for (name, bytes) in try Self.files(in: "\(directory)/\(report)") { parts["report \(name)"] = bytes }
    return Outcome(parts: parts)
  }

  func export(_ list: String) async throws -> [UInt8] { try await exports([list])[list] ?? [] }

  /// Returns the bytes of lists by name, as `payrecon export` writes them. Without a program for each, this takes a third of the time.
  func exports(_ lists: [String], format: String = "csv", asOf: String = Self.asOf) async throws -> [String: [UInt8]] {
    try await Scenario.exports(lists, format: format, from: connection, asOf: asOf)
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
  func rows(_ list: String, asOf: String = Self.asOf) async throws -> [[String: String]] {
    try Scenario.rows(try await exports([list], format: "ndjson", asOf: asOf)[list] ?? [])
  }

  /// Returns the rows that a command prints as CSV, and verifies its exit status, which must not be that of a failure.
  func printed(_ words: String..., exits: Int32..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> [[String: String]] {
    let execution = try await program.run([Program.path] + words)
    execution.expect(words, exits: exits.isEmpty ? [0, 1, 3] : exits, text: nil, prints: [], complains: [], lacks: [], at: sourceLocation)
    return CSVRows.decode(execution.output)
  }

  /// Returns the number of rows of a table of the program, as in `orders where user_id = 'U1'`.
  func count(_ rows: String) async throws -> Int { Int(try await query("select count(*) from payrecon.\(rows)")) ?? -1 }

  /// Returns the acts of the audit chain that meet a condition, in order.
  func acts(_ condition: String) async throws -> String {
    try await query("select string_agg(act, ' ' order by number) from payrecon.audit_log where \(condition)")
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

func expectParts(_ parts: String..., in text: String, sourceLocation: SourceLocation = #_sourceLocation) {
  for part in parts { #expect(text.contains(part), "\"\(part)\" expected: \(text)", sourceLocation: sourceLocation) }
}

final class Flag: Sendable {
  private let state = Mutex(false)
  var isSet: Bool { state.withLock { $0 } }
  func set() { state.withLock { $0 = true } }
}

extension Session {
  /// Returns the SQLSTATE with which the server refuses statements in one transaction; nil if it accepts them.
  func refusal(of statements: String...) async throws -> String? {
    do {
      try await transaction { tx in for statement in statements { try tx.execute(statement) } }
      return nil
    } catch PostgresError.server(let error) {
      return error.sqlState.code
    }
  }
}

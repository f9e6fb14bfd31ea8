internal import AppStoreServer
package import ArgumentParser
package import Collect
internal import Cryptography
package import Domain
internal import Glibc
package import JobCore
internal import Logging
package import Postgres
internal import SystemCalls

/// Environment variables and the configuration derived from them.
package enum Environment {
  package static func value(_ name: String) -> String? { Machine.variable(name) }

  /// Returns the log level in `PAYRECON_LOG_LEVEL`, or else `notice`.
  static func logLevel() throws -> Logger.Level {
    guard let name = value("PAYRECON_LOG_LEVEL") else { return .notice }
    guard let level = Logger.Level(rawValue: name) else {
      throw JobError(
        "could not start: PAYRECON_LOG_LEVEL \"\(name)\" is no level",
        hint: "The levels are \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).", status: .usage)
    }
    return level
  }

  /// Reads the settings file: `PAYRECON_CONFIG`, or else `payrecon.yaml` in the working folder. Without either, returns the defaults.
  ///
  /// - Parameter sql: files with the shipped rules; nil finds them.
  package static func settings(_ sql: SQLFiles? = nil) throws -> JobSettings {
    let rules = try RuleCatalogue.read(sql ?? SQLFiles(directory: sqlDirectory()))
    if let path = value("PAYRECON_CONFIG") { return try SettingsFile.read(path: path, rules: rules) }
    let local = "payrecon.yaml"
    return exists(local) ? try SettingsFile.read(path: local, rules: rules) : JobSettings(rules: rules)
  }

  /// Refuses a command that must not run with default settings, as in a wrong working folder.
  package static func requireSettings(for command: String) throws {
    guard try settings().file == nil else { return }
    throw JobError(
      "refused to run \(command): there is no settings file; \"payrecon.yaml\" is not in \(Machine.workingFolder)",
      hint: "Name it in PAYRECON_CONFIG, or start payrecon in its folder. Nothing was changed.", status: .usage)
  }

  /// Refuses a job that decides or judges evidence without a settings file, if earlier runs had one. Also refuses it if the file lacks
  /// an app with charges. A first use needs no file.
  ///
  /// - Throws: `JobError` with status 64.
  package static func requireSettings(for command: String, of context: JobContext) async throws {
    try await context.withSession(as: .report) { session in
      let change = SettingsChange(context: context)
      if try settings().file == nil, try await change.hasNamedApps(on: session) { try requireSettings(for: command) }
      try await change.refuseUnnamedApps(accepts: false, on: session)
    }
  }

  /// Warns that a command runs without a settings file, and what follows from that.
  package static func warnWithoutSettings(_ meaning: String, _ context: JobContext) throws {
    guard try settings().file == nil else { return }
    context.log.warning("no settings file: \(meaning)", metadata: ["hint": "name it in PAYRECON_CONFIG"])
  }

  /// Returns the folder of the private cluster: `PAYRECON_STATE_DIR`, or else the system's default location.
  package static func stateDirectory() -> String {
    if let path = value("PAYRECON_STATE_DIR") { return path }
    if getuid() == 0 { return "/var/lib/payrecon" }
    if let state = value("XDG_STATE_HOME") { return "\(state)/payrecon" }
    return "\(value("HOME") ?? ".")/.local/state/payrecon"
  }

  package static func cluster() -> PrivateCluster { PrivateCluster(stateDirectory: stateDirectory()) }

  package static var usesPrivateCluster: Bool { value("PAYRECON_DATABASE_URL") == nil }

  /// Whether a database exists: a configured server, or a private cluster.
  package static func hasDatabase() async -> Bool {
    guard usesPrivateCluster else { return true }
    if case .absent? = try? await cluster().status() { return false }
    return true
  }

  /// Returns the libpq connection string of the configured server, or else of the private cluster, which is started if necessary.
  /// The private cluster is used as `PAYRECON_ACCOUNT`, or else as its owner.
  ///
  /// - Parameter createsCluster: whether a missing private cluster is created. Read-only commands pass false.
  package static func conninfo(createsCluster: Bool = true) async throws -> String {
    if let url = value("PAYRECON_DATABASE_URL") { return url }
    let owner = createsCluster ? try await cluster().start() : try await cluster().startExisting()
    // In a connection string, later words override earlier ones. libpq finds the password.
    guard let account = value("PAYRECON_ACCOUNT") else { return owner }
    return owner + " user='\(account.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }

  /// Returns the connection string of the configured server, or else of the private cluster if it runs; nil if neither is there.
  package static func runningConninfo() async -> String? {
    if let url = value("PAYRECON_DATABASE_URL") { return url }
    guard case .running(_, _, let conninfo)? = try? await cluster().status() else { return nil }
    return conninfo
  }

  package static func sqlFiles() throws -> SQLFiles { try SQLFiles.withTexts(in: sqlDirectory()) }

  /// Returns the folder of SQL files: `PAYRECON_SQL_DIR`, or else beside the installed program, or else in the checkout.
  static func sqlDirectory() throws -> String {
    if let path = value("PAYRECON_SQL_DIR") { return path }
    for folder in ProgramLocation.folders() {
      for candidate in ["\(folder)/../share/payrecon/sql", "\(folder)/sql"] where exists("\(candidate)/schema") {
        return candidate
      }
    }
    if exists("sql/schema") { return "sql" }
    throw JobError("could not find the SQL files", hint: "Set PAYRECON_SQL_DIR to the folder \"sql\" that came with payrecon.")
  }

  /// Returns the candidate folders of Apple's root certificates: beside the built program, and in an installation.
  package static func appleRootsFolders() -> [String] {
    ProgramLocation.folders().flatMap { folder in
      ["\(folder)/payrecon_AppStore.resources/Roots", "\(folder)/../share/payrecon/Roots"]
    }
  }

  private static let pauseMillisecondsMax: Int64 = 30_000

  /// Creates the clients of the App Store Server API. `PAYRECON_APPSTORE_URL` and `PAYRECON_APPSTORE_SANDBOX_URL` override Apple's
  /// addresses.
  ///
  /// - Throws: `JobError` for an unreadable key, `SettingsError` for an invalid variable.
  package static func storeAccess(_ context: JobContext) throws -> StoreAccess {
    try StoreAccess(context: context, addresses: storeAddresses(), firstPause: try firstPause())
  }

  /// Returns the source of current states for punishing actions; nil if no app has a key.
  package static func appleStateSource(_ context: JobContext) -> TransactionStateSource? {
    guard context.settings.apps.contains(where: { $0.api?.keyFile != nil }) else { return nil }
    return TransactionStateSource(context: context) { try storeAccess($0) }
  }

  /// Creates the clients of App Store Connect. `PAYRECON_APPSTORE_URL` overrides Apple's address.
  ///
  /// - Throws: `JobError` for an unreadable key, `SettingsError` for an invalid variable.
  package static func reportAccess(_ context: JobContext) throws -> ReportAccess {
    try ReportAccess(context: context, addresses: storeAddresses(), firstPause: try firstPause())
  }

  private static func storeAddresses() -> APIAddresses {
    let names = ["PAYRECON_APPSTORE_URL", "PAYRECON_APPSTORE_SANDBOX_URL"]
    return APIAddresses(variables: Dictionary(uniqueKeysWithValues: names.map { ($0, value($0) ?? "") }))
  }

  private static func firstPause() throws -> Duration {
    guard let text = value("PAYRECON_APPSTORE_PAUSE_MS") else { return APILimits.firstPauseDefault }
    guard let pause = Int64(text), (1...pauseMillisecondsMax).contains(pause) else {
      throw SettingsError(description: "cannot use PAYRECON_APPSTORE_PAUSE_MS \"\(text)\": it is 1 to \(pauseMillisecondsMax) milliseconds")
    }
    return .milliseconds(pause)
  }

  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

package enum ProgramLocation {
  package static func host() -> String { Machine.hostName }

  /// Ancestor folders that are searched. A checkout's root is at most this far above its build products.
  private static let levelsMax = 6

  static func folders() -> [String] {
    var path = executablePath().split(separator: "/").dropLast().map(String.init)
    var folders: [String] = []
    for _ in 0..<levelsMax {
      folders.append("/" + path.joined(separator: "/"))
      guard !path.isEmpty else { break }
      path.removeLast()
    }
    return folders
  }

  /// Replaces this process with a program, searched for on the path, that inherits the environment. Returns the reason of a failure.
  package static func replaceProcess(by program: String, _ arguments: [String]) -> String {
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    unsafe execvp(program, &words)
    return errnoText()
  }

  package static func executablePath() -> String {
    Folder.target(ofLink: "/proc/self/exe") ?? CommandLine.arguments.first ?? "payrecon"
  }
}

extension Timestamp {
  /// Reads the value of an option, which the parser names in its message.
  package static func option(_ text: String) throws -> Timestamp {
    guard let instant = Timestamp(rfc3339: text) else {
      throw ValidationError("it is not an RFC 3339 instant with offset, such as 2026-05-01T00:00:00Z")
    }
    return instant
  }
}

package struct JobOptions: ParsableArguments {
  @Option(
    name: .customLong("as-of"),
    help: "Business clock: an RFC 3339 instant with offset (default: now; for report, export and rows the latest recorded instant).",
    transform: Timestamp.option)
  package var asOf: Timestamp?

  @Flag(help: "Lets --as-of lie ahead of now; it moves no clock by which success is measured, and nights before it then decide nothing.")
  package var future = false

  package init() {}

  package func clock() throws -> (instant: Timestamp, isGiven: Bool) {
    guard let instant = asOf else { return (WallClock.now(), false) }
    guard future || instant <= WallClock.now() else {
      throw JobError(
        "refused --as-of \(instant.rfc3339): it is later than now (\(WallClock.now().rfc3339))",
        hint: "Correct the instant; or say --future to look ahead. Nothing was changed.", status: .usage)
    }
    return (instant, true)
  }

  /// Returns a job's context. Reads the settings, and starts and migrates the database.
  ///
  /// - Parameters:
  ///   - createsCluster: whether a missing private cluster is created; read-only commands create none.
  ///   - restoring: whether functions that a newer program replaced are recreated.
  package func context(label: String, createsCluster: Bool = true, restoring: Bool = false) async throws -> JobContext {
    let clock = try clock()
    let sql = try Environment.sqlFiles()
    let settings = try Environment.settings(sql)
    let isTerminal = Output.isTerminal
    var log = Logger(label: "payrecon") { _ in StandardErrorLog(isTerminal: isTerminal) }
    log.logLevel = try Environment.logLevel()
    var connection = ConnectionSettings(
      conninfo: try await Environment.conninfo(createsCluster: createsCluster), applicationName: "payrecon \(label) \(Self.process())")
    let missing = try await Migration.run(connection: connection, sql: sql, log: log, restoring: restoring)
    connection.role = missing.contains(.jobs) ? nil : DatabaseRole.jobs.rawValue
    var context = JobContext(
      settings: settings, asOf: clock.instant, isClockGiven: clock.isGiven, codeVersion: Version.text, sql: sql,
      connection: connection, log: log, progress: isTerminal ? TerminalProgress() : NoProgress(),
      rootsDirectory: Environment.value("PAYRECON_APPLE_ROOTS"), appleRootsFolders: Environment.appleRootsFolders())
    context.missingRoles = missing
    context.limits = RunLimits(text: Environment.value(RunLimits.variable) ?? "")
    context.process = Self.process()
    context.isClockAhead = clock.instant > WallClock.now()
    let made = context
    return try await made.transaction(as: .report, .readOnlySnapshot) { tx in try made.withApprovedRules(&tx) }
  }

  /// Returns the context of a job on an existing database, with the id of a kind that a text is or begins.
  package func resolving(_ text: String, _ kind: IDKind, label: String) async throws -> (context: JobContext, id: String) {
    let context = try await context(label: label, createsCluster: false)
    return (context, try await IDResolver(context: context).whole(text, among: [kind]))
  }

  /// Longest host name in a session's name. PostgreSQL truncates the whole name to 63 bytes.
  private static let hostNameMax = 24

  private static func process() -> String { "\(ProgramLocation.host().prefix(hostNameMax)):\(getpid())" }
}

enum Migration {
  /// Migrates the database and returns the roles that the login may not assume.
  static func run(connection: ConnectionSettings, sql: SQLFiles, log: Logger, restoring: Bool) async throws -> Set<DatabaseRole> {
    let session = try await Session.open(connection)
    let applied = try await Migrator(files: sql, hash: { SHA256.hex($0) }).migrate(session, restoring: restoring)
    for name in applied { log.info("migration applied", metadata: ["migration.name": "\(name)"]) }
    let file = try sql(RunsSQL.missingRoles)
    let roles = DatabaseRole.allCases.map(\.rawValue)
    let missing = try await session.rows(file, ["roles": .textArray(roles)])
    await session.close()
    return Set(missing.compactMap(DatabaseRole.init(rawValue:)))
  }
}

extension Environment {
  /// Buffer size for the login's record, in bytes; POSIX sets no limit.
  private static let recordBytes = 16_384

  /// Returns the name of the login that runs this process, or its number.
  package static func account() -> String {
    let uid = getuid()
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: recordBytes) { buffer in
      guard let base = buffer.baseAddress else { return "\(uid)" }
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      let status = unsafe getpwuid_r(uid, &entry, base, buffer.count, &found)
      guard status == 0, unsafe found != nil, let name = unsafe entry.pw_name else { return "\(uid)" }
      return unsafe String(cString: name)
    }
  }
}

internal import AppStoreServer
package import Collect
internal import Domain
internal import Glibc
package import JobCore
internal import Logging
package import Postgres
internal import SystemCalls

/// Environment variables and the configuration derived from them.
package enum Environment {
  package static func value(_ name: String) -> String? { Machine.variable(name) }

  static func logLevel() throws -> Logger.Level {
    guard let name = value("PAYRECON_LOG_LEVEL") else { return .notice }
    guard let level = Logger.Level(rawValue: name) else {
      throw JobError(
        "could not start: PAYRECON_LOG_LEVEL \"\(name)\" is no level",
        hint: "The levels are \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).", status: .usage)
    }
    return level
  }

  /// The settings file: `PAYRECON_CONFIG`, or else `payrecon.yaml` in the working folder; nil if there is neither.
  private static var settingsPath: String? {
    let local = "payrecon.yaml"
    return value("PAYRECON_CONFIG") ?? (exists(local) ? local : nil)
  }

  /// Reads the settings file. Without one, returns the defaults.
  ///
  /// - Parameter sql: files with the shipped rules; nil finds them.
  package static func settings(_ sql: SQLFiles? = nil) throws -> JobSettings {
    let rules = try RuleCatalogue.read(sql ?? SQLFiles(directory: sqlDirectory()))
    guard let path = settingsPath else { return JobSettings(rules: rules) }
    return try SettingsFile.read(path: path, rules: rules)
  }

  /// Refuses a command that must not run with default settings, as in a wrong working folder.
  package static func requireSettings(for command: String) throws {
    guard settingsPath == nil else { return }
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
      if context.settings.file == nil, try await change.hasNamedApps(on: session) { try requireSettings(for: command) }
      try await change.refuseUnnamedApps(accepts: false, on: session)
    }
  }

  /// Warns that a command runs without a settings file, and what follows from that.
  package static func warnWithoutSettings(_ meaning: String, _ context: JobContext) {
    guard context.settings.file == nil else { return }
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

  /// Returns the address of the configured server; nil if `PAYRECON_DATABASE_URL` is unset.
  ///
  /// - Throws: `JobError` if libpq cannot read it; the message quotes nothing of it.
  private static func databaseURL() throws(JobError) -> String? {
    guard let url = value("PAYRECON_DATABASE_URL") else { return nil }
    guard ServerAddress(url) != nil else {
      throw JobError(
        "could not connect to the database: the value of PAYRECON_DATABASE_URL \(ServerAddress.fault)", hint: ServerAddress.cure,
        status: .usage)
    }
    return url
  }

  /// Returns the libpq connection string of the configured server, or else of the private cluster, which is started if necessary.
  /// The private cluster is used as `PAYRECON_ACCOUNT`, or else as its owner.
  ///
  /// - Parameter createsCluster: whether a missing private cluster is created. Read-only commands pass false.
  package static func conninfo(createsCluster: Bool = true) async throws -> String {
    if let url = try databaseURL() { return url }
    let owner = createsCluster ? try await cluster().start() : try await cluster().startExisting()
    // In a connection string, later words override earlier ones. libpq finds the password.
    guard let account = value("PAYRECON_ACCOUNT") else { return owner }
    return owner + " user='\(account.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }

  /// Returns the connection string of the configured server, or else of the private cluster if it runs; nil if neither is there.
  package static func runningConninfo() async throws -> String? {
    if let url = try databaseURL() { return url }
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

  /// Creates the clients of App Store Connect. `PAYRECON_APPSTORECONNECT_URL`, or else `PAYRECON_APPSTORE_URL`, overrides Apple's address.
  ///
  /// - Throws: `JobError` for an unreadable key, `SettingsError` for an invalid variable.
  package static func reportAccess(_ context: JobContext) throws -> ReportAccess {
    try ReportAccess(context: context, addresses: storeAddresses(), firstPause: try firstPause())
  }

  private static func storeAddresses() -> APIAddresses {
    let names = ["PAYRECON_APPSTORE_URL", "PAYRECON_APPSTORE_SANDBOX_URL", "PAYRECON_APPSTORECONNECT_URL"]
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

package import ArgumentParser
internal import Cryptography
package import Domain
internal import Glibc
package import JobCore
internal import Logging
internal import Postgres

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
    let pool = SessionPool(idleMax: Self.idleSessionsMax)
    let missing = try await Self.migrate(connection, sql: sql, log: log, restoring: restoring, pool: pool)
    connection.role = missing.contains(.jobs) ? nil : DatabaseRole.jobs.rawValue
    var context = JobContext(
      settings: settings, asOf: clock.instant, isClockGiven: clock.isGiven, codeVersion: Version.text, sql: sql,
      connection: connection, log: log, progress: isTerminal ? TerminalProgress() : NoProgress(),
      rootsDirectory: Environment.value("PAYRECON_APPLE_ROOTS"), appleRootsFolders: Environment.appleRootsFolders())
    context.missingRoles = missing
    context.limits = RunLimits(text: Environment.value(RunLimits.variable) ?? "")
    context.process = Self.process()
    context.isClockAhead = clock.instant > WallClock.now()
    let made = context.withPool(pool)
    return try await made.transaction(as: .report, .readOnlySnapshot) { tx in try made.withApprovedRules(&tx) }
  }

  /// Migrates the database. Returns the roles that the login may not assume.
  private static func migrate(
    _ connection: ConnectionSettings, sql: SQLFiles, log: Logger, restoring: Bool, pool: SessionPool
  ) async throws -> Set<DatabaseRole> {
    try await pool.use(try await Session.open(connection)) { session in
      let applied = try await Migrator(files: sql, hash: { SHA256.hex($0) }).migrate(session, restoring: restoring)
      for name in applied { log.info("migration applied", metadata: ["migration.name": "\(name)"]) }
      let roles = DatabaseRole.allCases.map(\.rawValue)
      let missing = try await session.rows(sql(RunsSQL.missingRoles), ["roles": .textArray(roles)])
      return Set(missing.compactMap(DatabaseRole.init(rawValue:)))
    }
  }

  /// Maximum number of idle sessions of a command. A job keeps one and reads reports on another.
  private static let idleSessionsMax = 2

  /// Returns the context of a job on an existing database, and the id of a kind that equals a text or begins with it.
  package func resolving(_ text: String, _ kind: IDKind, label: String) async throws -> (context: JobContext, id: String) {
    let context = try await context(label: label, createsCluster: false)
    return (context, try await IDResolver(context: context).completed(text, among: [kind]))
  }

  /// Longest host name in a session's name. PostgreSQL truncates the whole name to 63 bytes.
  private static let hostNameMax = 24

  private static func process() -> String { "\(ProgramLocation.host().prefix(hostNameMax)):\(getpid())" }
}

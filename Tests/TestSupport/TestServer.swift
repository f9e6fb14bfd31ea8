public import Postgres
import Cryptography
import FoundationEssentials
import Glibc
import JobCore
import Repository
import SystemCalls

/// The PostgreSQL server of a test process: one private cluster, with a database for each test cloned from a template.
public actor TestServer {
  public static let shared = TestServer()

  private var admin: Task<Session, any Error>?
  private var baseConninfo = ""
  private var databaseCount = 0

  public static let repository = Repository.root

  /// The shipped SQL files, read once for all tests.
  public static func sql() throws -> SQLFiles { try shipped.get() }
  private static let shipped: Result<SQLFiles, any Error> = Result { try SQLFiles.withTexts(in: "\(repository)/sql") }

  /// Returns the template with the current schema, functions and reference data. A changed file leads to another template.
  private static func template() throws -> String { try templateName.get() }
  private static let templateName: Result<String, any Error> = Result {
    let files = try sql()
    let texts = try files.paths.filter { path in
      ["schema/", "functions/", "reference/"].contains(where: path.hasPrefix)
    }.map { try files.text($0) }
    return "template_\(SHA256.hex(Array(texts.joined().utf8)).prefix(16))"
  }

  /// Strategy for copying a database: file copies take a quarter of the time of logging every page.
  private static let copying = "strategy = file_copy"

  /// Key of the lock under which one process creates the template.
  private static let lockKey: Int64 = 7061

  /// Folder of the cluster, shared by all processes of an account, so that later runs find it running.
  private static let stateDirectory = "\(Temporary.directory)/payrecon-tests-\(getuid())"

  public func database() async throws -> ConnectionSettings { try await create("template \(try Self.template()) \(Self.copying)") }

  public func emptyDatabase() async throws -> ConnectionSettings { try await create("template template0") }

  /// Maximum number of attempts until the backends of ended programs are gone. Each takes milliseconds.
  private static let copiesMax = 200

  /// Returns the connection settings of a copy of a database without connections.
  public func copy(of original: ConnectionSettings) async throws -> ConnectionSettings {
    let origin = "template \(original.conninfo.split(separator: "=").last ?? "") \(Self.copying)"
    for _ in 1..<Self.copiesMax {
      if let copy = try? await create(origin) { return copy }
      try await Task.sleep(for: .milliseconds(20))
    }
    return try await create(origin)
  }

  /// Creates a database, which is dropped after the current test.
  private func create(_ origin: String) async throws -> ConnectionSettings {
    let session = try await administration()
    databaseCount += 1
    let name = "t\(getpid())_\(databaseCount)"
    try await session.executeAlone("drop database if exists \(name)")
    try await session.executeAlone("create database \(name) \(origin)")
    let created = settings(database: name)
    CleanUp.afterTest { await self.drop(created) }
    return created
  }

  /// Returns the same database under the login of one person, created if missing. Two people are two logins.
  ///
  /// - Parameter roles: roles of the login.
  public func login(
    _ person: String, to database: ConnectionSettings, roles: [String] = ["payrecon_review", "payrecon_report"]
  ) async throws -> ConnectionSettings {
    let session = try await administration()
    let name = Self.loginName(person)
    // Another process may be creating it at the same time.
    try? await session.executeAlone("create role \(name) login password 'test'")
    for role in roles { try? await session.executeAlone("grant \(role) to \(name)") }
    var settings = database
    settings.conninfo += " user=\(name) password=test"
    return settings
  }

  public static func loginName(_ person: String) -> String { "test_\(person)" }

  public func drop(_ settings: ConnectionSettings) async {
    guard let name = settings.conninfo.split(separator: "=").last else { return }
    try? await administration().executeAlone("drop database if exists \(name) with (force)")
  }

  private func settings(database: String) -> ConnectionSettings {
    ConnectionSettings(conninfo: "\(baseConninfo) dbname=\(database)", applicationName: "payrecon tests")
  }

  /// Returns the single administrative session. Callers during its creation wait for it.
  private func administration() async throws -> Session {
    if let admin { return try await admin.value }
    let task = Task { try await self.start() }
    admin = task
    return try await task.value
  }

  private func start() async throws -> Session {
    let given = ProcessInfo.processInfo.environment["PAYRECON_TEST_DATABASE_URL"]
    let conninfo: String
    if let given { conninfo = given } else { conninfo = try await Self.cluster() }
    baseConninfo = conninfo.split(separator: " ").filter { !$0.hasPrefix("dbname=") }.joined(separator: " ")
    let session = try await Session.open(ConnectionSettings(conninfo: "\(baseConninfo) dbname=postgres", applicationName: "payrecon tests"))
    if given == nil { try await hurry(session) }
    try await session.executeAlone("set lock_timeout = 0; select pg_advisory_lock(\(Self.lockKey))")
    try await makeTemplate(on: session)
    try await session.executeAlone("select pg_advisory_unlock(\(Self.lockKey))")
    return session
  }

  /// Returns the cluster, which accepts logins with passwords, whichever process started it.
  private static func cluster() async throws -> String {
    let cluster = PrivateCluster(stateDirectory: stateDirectory)
    let conninfo = try await cluster.start()
    try await cluster.admitAccounts()
    return conninfo
  }

  /// Reduces disk writes and background work of the server. Test databases are too short-lived for maintenance.
  private func hurry(_ session: Session) async throws {
    for setting in [
      "fsync = off", "full_page_writes = off", "synchronous_commit = off", "autovacuum = off", "bgwriter_lru_maxpages = 0",
      "bgwriter_delay = '10s'", "wal_writer_delay = '10s'", "checkpoint_timeout = '1h'",
    ] { try await session.executeAlone("alter system set \(setting)") }
    try await session.executeAlone("select pg_reload_conf()")
  }

  private func makeTemplate(on session: Session) async throws {
    let name = try Self.template()
    // Divides by zero if there is no such database.
    if (try? await session.executeAlone("select 1 / count(*) from pg_database where datname = '\(name)'")) != nil { return }
    // Created under another name first, so that a killed process leaves no partial template.
    try await session.executeAlone("drop database if exists \(name)_new with (force)")
    try await session.executeAlone("create database \(name)_new template template0")
    let own = try await Session.open(settings(database: "\(name)_new"))
    _ = try await Migrator(files: try Self.sql(), hash: { SHA256.hex($0) }).migrate(own)
    await own.close()
    try await session.executeAlone("alter database \(name)_new rename to \(name)")
  }
}

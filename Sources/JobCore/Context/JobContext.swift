internal import AppStore
internal import Cryptography
public import Domain
public import Logging
public import Postgres

/// The environment of every job: settings, clock, database, log and progress.
public struct JobContext: Sendable {
  public private(set) var settings: JobSettings
  public private(set) var asOf: Timestamp
  /// Whether the operator gave the clock. Facts ingested at wall-clock time belong to the first run that uses them.
  public private(set) var isClockGiven: Bool
  public let codeVersion: String
  public let sql: SQLFiles
  public let connection: ConnectionSettings
  public let log: Logger
  public let progress: any ProgressSink
  /// Folder of trusted roots; nil for Apple's own.
  public let rootsDirectory: String?
  /// Folders of Apple's own roots, in order of preference.
  public let appleRootsFolders: [String]
  /// Database roles that the login may not act as.
  public var missingRoles: Set<DatabaseRole> = []
  /// Requirements of the job that started the run, besides the settings.
  public var limits = RunLimits()
  /// `HOST:PID` of this process, which is part of its sessions' names.
  public var process = ""
  /// Whether the clock is ahead of the machine's. Such a run does not count as a successful night.
  public var isClockAhead = false
  /// Secret of the acting console session; nil acts as the database login.
  private var sessionSecret: String?
  /// The pool of idle sessions; nil opens and closes a session for each transaction.
  private var pool: SessionPool?

  public init(
    settings: JobSettings, asOf: Timestamp, isClockGiven: Bool, codeVersion: String, sql: SQLFiles,
    connection: ConnectionSettings, log: Logger, progress: any ProgressSink, rootsDirectory: String?,
    appleRootsFolders: [String]
  ) {
    self.settings = settings
    self.asOf = asOf
    self.isClockGiven = isClockGiven
    self.codeVersion = codeVersion
    self.sql = sql
    self.connection = connection
    self.log = log
    self.progress = progress
    self.rootsDirectory = rootsDirectory
    self.appleRootsFolders = appleRootsFolders
  }

  /// SHA-256 of every setting that can change a result.
  public var settingsSHA256: String { SHA256.hex(Array(settings.canonicalText.utf8)) }

  /// SHA-256 of the trusted roots; nil if they are not readable, which a job that needs them reports itself.
  var rootsSHA256: String? { try? TrustAnchors.trusted(in: rootsDirectory, else: appleRootsFolders).sha256 }

  var inputs: InputSettings { limits.lowerMaxAges(of: settings.inputs) }

  /// Returns the id of a run. The same job, clock and settings always give the same id.
  package func runID(job: String) -> String {
    let compact = asOf.rfc3339.filter { $0 != "-" && $0 != ":" }
    return "\(job)-\(compact)-\(settingsSHA256.prefix(8))"
  }

  /// Opens a session with the privileges of a kind of work.
  ///
  /// If the roles do not exist, every session acts as the login.
  package func open(
    as role: DatabaseRole = .jobs, adjusting adjust: (inout ConnectionSettings) -> Void = { _ in }
  ) async throws -> Session {
    var settings = connectionSettings(as: role)
    adjust(&settings)
    let session = try await Session.open(settings)
    guard sessionSecret != nil else { return session }
    do { try await authenticate(session) } catch {
      await session.close()
      throw error
    }
    return session
  }

  package func connectionSettings(as role: DatabaseRole) -> ConnectionSettings {
    var settings = connection
    if settings.role != nil, !missingRoles.contains(role) { settings.role = role.rawValue }
    return settings
  }

  private func authenticate(_ session: Session) async throws {
    let file = try sql(ConsoleSQL.act)
    let secret = sessionSecret ?? ""
    _ = try await session.transaction { tx in try tx.run(file, ["secret": .text(secret)]) }
  }

  /// Returns an idle session that acts for this context, or a new one.
  private func pooledSession(_ role: DatabaseRole, from pool: SessionPool) async throws -> Session {
    while let (session, needsSetUp) = await pool.take(role, secret: sessionSecret) {
      guard needsSetUp else { return session }
      do {
        try await session.setUp(connectionSettings(as: role))
        if sessionSecret != nil { try await authenticate(session) }
        return session
      } catch {
        // The server may have closed the connection. A new session reports any other error.
        await session.close()
      }
    }
    return try await open(as: role)
  }

  private func with(_ change: (inout JobContext) -> Void) -> JobContext {
    var context = self
    change(&context)
    return context
  }

  package func withPool(_ pool: SessionPool) -> JobContext { with { $0.pool = pool } }

  /// Returns a copy at another clock that acts for a console session. The database identifies its user.
  package func withConsoleSession(secret: String?, at clock: Timestamp) -> JobContext {
    with { ($0.asOf, $0.sessionSecret) = (clock, secret) }
  }

  package func withClock(_ clock: Timestamp) -> JobContext { with { $0.asOf = clock } }

  /// Returns a copy at a requested clock.
  package func withGivenClock(_ clock: Timestamp) -> JobContext { with { ($0.asOf, $0.isClockGiven) = (clock, true) } }

  /// Returns a copy with the rules that two reviewers approved by its clock. Every job runs with these rules.
  package func withApprovedRules(_ tx: inout DatabaseTransaction) throws -> JobContext {
    let approved = try ApprovedRule.all(asOf: asOfValue, files: sql, &tx)
    return withSettings { $0.rules.follow(approved) }
  }

  /// Returns a copy with the rules approved by another clock, read in a separate transaction.
  package func withApprovedRules(at clock: Timestamp) async throws -> JobContext {
    let dated = withGivenClock(clock)
    let rules = try await transaction(as: .report, .readOnlySnapshot) { tx in try dated.withApprovedRules(&tx).settings.rules }
    return withSettings { $0.rules = rules }
  }

  package func withSettings(_ change: (inout JobSettings) -> Void) -> JobContext { with { change(&$0.settings) } }

  /// Passes a session to `work`. If there is a pool and the work succeeded, keeps the session. Otherwise closes it, so that a retry need
  /// not wait until the server notices a lost session. An adjusted session is never kept.
  @discardableResult
  package func withSession<Result>(
    as role: DatabaseRole = .jobs, adjusting adjust: ((inout ConnectionSettings) -> Void)? = nil,
    _ work: (Session) async throws -> Result
  ) async throws -> Result {
    guard let pool, adjust == nil else { return try await open(as: role, adjusting: adjust ?? { _ in }).use(work) }
    return try await pool.use(pooledSession(role, from: pool), as: role, secret: sessionSecret, work)
  }

  @discardableResult
  package func transaction<Result: Sendable>(
    as role: DatabaseRole = .jobs, _ mode: TransactionMode = .readWrite,
    _ body: @Sendable (inout DatabaseTransaction) throws -> Result
  ) async throws -> Result {
    try await withSession(as: role) { session in try await session.transaction(mode, body) }
  }

  package var asOfValue: Value { asOf.sqlValue }
}

/// Kinds of work with separate database roles; sql/functions/access/grant_roles.sql grants their privileges.
public enum DatabaseRole: String, Sendable, CaseIterable {
  /// For adding facts and rows derived from them.
  case jobs = "payrecon_jobs"
  case report = "payrecon_report"
  /// For recording decisions of reviewers; it changes no fact.
  case review = "payrecon_review"
  /// For replacing the identifiers of a person who must be erased.
  case erase = "payrecon_erase"
  /// For removing operational rows that are old enough.
  case retain = "payrecon_retain"
  /// The owner of the schema; only migrations use it.
  case migrate = "payrecon_migrate"
}

/// The display of a job's progress: a bar on a terminal, otherwise nothing.
public protocol ProgressSink: Sendable {
  /// - Parameter total: expected number of items; nil if unknown.
  func report(stage: String, done: Int, total: Int?)
  func finish()
}

public struct NoProgress: ProgressSink {
  public init() {}
  public func report(stage: String, done: Int, total: Int?) {}
  public func finish() {}
}

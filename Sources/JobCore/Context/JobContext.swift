internal import AppStore
internal import Cryptography
public import Domain
public import Logging
public import Postgres

/// What every job is given: settings, the clock, the database and where to talk.
public struct JobContext: Sendable {
  public private(set) var settings: JobSettings
  /// Business clock of the run.
  public private(set) var asOf: Timestamp
  /// Whether the operator gave the clock; facts read on the wall clock are adopted by the first run that uses them.
  public private(set) var isClockGiven: Bool
  public let codeVersion: String
  public let sql: SQLFiles
  public let connection: ConnectionSettings
  public let log: Logger
  public let progress: any ProgressSink
  /// Directory of trusted roots; nil for Apple's own.
  public let rootsDirectory: String?
  /// Where Apple's own roots may lie, best first.
  public let appleRootsFolders: [String]
  /// Version of the reading of evidence; another one only where a test plays an older program.
  package var readerVersion = EvidenceReader.version
  /// Roles of the database that the login may not act as.
  public var missingRoles: Set<DatabaseRole> = []
  /// What the job that started the run expects beyond the settings.
  public var limits = RunLimits()
  /// `HOST:PID` of this process, as its sessions name themselves.
  public var process = ""
  /// Whether the clock lies ahead of the machine's: such a run moves no clock by which success is measured.
  public var isClockAhead = false
  /// Secret of the console's session that acts; nil acts as the login of the database.
  private var sessionSecret: String?
  /// Where sessions are kept between transactions; nil opens and closes one for each.
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

  /// SHA-256 of the trusted roots: what evidence is judged by from now on; nil where they cannot be read, which a job that
  /// needs them says itself.
  var rootsSHA256: String? { try? TrustAnchors.trusted(in: rootsDirectory, else: appleRootsFolders).sha256 }

  /// What is expected of the input.
  var inputs: InputSettings { limits.tightening(settings.inputs) }

  /// Name of a run: the same job, clock and settings always give the same one.
  package func runID(job: String) -> String {
    let compact = asOf.rfc3339.filter { $0 != "-" && $0 != ":" }
    return "\(job)-\(compact)-\(settingsSHA256.prefix(8))"
  }

  /// Opens a session that may do what a kind of work needs, and no more.
  ///
  /// Where the roles were never made, everything acts as the login.
  package func open(
    as role: DatabaseRole = .jobs, adjusting adjust: (inout ConnectionSettings) -> Void = { _ in }
  ) async throws -> Session {
    var settings = connection
    adjust(&settings)
    if settings.role != nil, !missingRoles.contains(role) { settings.role = role.rawValue }
    let session = try await Session.open(settings)
    guard sessionSecret != nil else { return session }
    do { try await tell(session) } catch {
      await session.close()
      throw error
    }
    return session
  }

  /// Says to a session who acts.
  private func tell(_ session: Session) async throws {
    let file = try sql(ConsoleSQL.act)
    let secret = sessionSecret ?? ""
    _ = try await session.transaction { tx in try tx.run(file, ["secret": .text(secret)]) }
  }

  /// A session that was kept, acting as whoever this context acts as, or a new one.
  private func lend(_ role: DatabaseRole, from pool: SessionPool) async throws -> Session {
    while let (session, isToBeTold) = await pool.take(role, secret: sessionSecret) {
      guard isToBeTold else { return session }
      do {
        try await tell(session)
        return session
      } catch {
        // The server went away meanwhile, perhaps: whatever it was, a new session says so itself.
        await session.close()
      }
    }
    return try await open(as: role)
  }

  /// The same, keeping its sessions.
  package func pooling(_ pool: SessionPool) -> JobContext {
    var context = self
    context.pool = pool
    return context
  }

  /// The same at another clock, for whoever has a session of the console; the database says who that is.
  package func acting(at clock: Timestamp, secret: String?) -> JobContext {
    var context = self
    context.asOf = clock
    context.sessionSecret = secret
    return context
  }

  /// The same a little later.
  package func moved(to clock: Timestamp) -> JobContext {
    var context = self
    context.asOf = clock
    return context
  }

  /// The same at a clock that somebody asks for.
  package func looking(at clock: Timestamp) -> JobContext {
    var context = self
    context.asOf = clock
    context.isClockGiven = true
    return context
  }

  /// The same with the rules as two people set them at the rule desk by its clock; what every job runs with.
  package func ruled(_ tx: inout DatabaseTransaction) throws -> JobContext {
    let approved = try ApprovedRule.all(asOf: asOfValue, files: sql, &tx)
    return setting { $0.rules.follow(approved) }
  }

  /// The same in a session of its own, as of another clock.
  package func ruled(at clock: Timestamp) async throws -> JobContext {
    let looking = looking(at: clock)
    let rules = try await transaction(as: .report, .readOnlySnapshot) { tx in try looking.ruled(&tx).settings.rules }
    return setting { $0.rules = rules }
  }

  /// The same with other settings, which nobody else sees.
  package func setting(_ change: (inout JobSettings) -> Void) -> JobContext {
    var context = self
    change(&context.settings)
    return context
  }

  /// Lends a session to some work and closes it whatever happens: the next attempt need not wait until the server notices
  /// that this one is gone. Where sessions are kept, one whose work failed is not.
  @discardableResult
  package func withSession<Result>(
    as role: DatabaseRole = .jobs, adjusting adjust: ((inout ConnectionSettings) -> Void)? = nil,
    _ work: (Session) async throws -> Result
  ) async throws -> Result {
    guard let pool, adjust == nil else { return try await open(as: role, adjusting: adjust ?? { _ in }).lent(work) }
    let session = try await lend(role, from: pool)
    let result: Result
    do { result = try await work(session) } catch {
      await session.close()
      throw error
    }
    await pool.put(session, role, secret: sessionSecret)
    return result
  }

  /// Runs one transaction in a session of its own.
  @discardableResult
  package func transaction<Result: Sendable>(
    as role: DatabaseRole = .jobs, _ mode: TransactionMode = .readWrite,
    _ body: @Sendable (inout DatabaseTransaction) throws -> Result
  ) async throws -> Result {
    try await withSession(as: role) { session in try await session.transaction(mode, body) }
  }

  package var asOfValue: Value { .timestamptz(microseconds: asOf.microseconds) }
}

/// Kinds of work that the database tells apart; sql/functions/access/grant_roles.sql says what each may do.
public enum DatabaseRole: String, Sendable, CaseIterable {
  /// Adds facts and what is derived from them.
  case jobs = "payrecon_jobs"
  /// Reads, and writes nothing at all.
  case report = "payrecon_report"
  /// Records what people decide; touches no fact.
  case review = "payrecon_review"
  /// Replaces the names of a person who is to be forgotten.
  case erase = "payrecon_erase"
  /// Removes what is only operational and old enough.
  case retain = "payrecon_retain"
  /// Owns the schema; nothing but migrations acts as it.
  case migrate = "payrecon_migrate"
}

/// Where a job shows how far it is; a terminal draws a bar, anything else nothing.
public protocol ProgressSink: Sendable {
  /// - Parameter total: items expected; nil when nobody can tell.
  func report(stage: String, done: Int, total: Int?)
  func finish()
}

/// Shows nothing.
public struct NoProgress: ProgressSink {
  public init() {}
  public func report(stage: String, done: Int, total: Int?) {}
  public func finish() {}
}

public import Collect
import Cryptography
public import Domain
import FoundationEssentials
public import Ingest
public import JobCore
public import Jobs
import Logging
public import Matching
public import Postgres
public import Reports
internal import Review
public import SimulatedSigning
import SystemCalls
import Testing

/// A small world for tests. Orders and evidence are ingested as files, and lists are exported as by a user.
public struct Scenario: Sendable {
  public var connection: ConnectionSettings { didSet { sessions = SessionPool(idleMax: 1) } }
  public var settings: JobSettings
  /// Open sessions of finished jobs. A new session reads the catalogue again, which takes as long as a small job.
  private var sessions = SessionPool(idleMax: 1)
  /// SQL files of the jobs; nil means those of the repository.
  public var sql: SQLFiles?
  /// Version of the program, as runs and reports record it.
  public var codeVersion = "test"
  /// Folder for the files of this test.
  public let directory: String

  public static let authority = SimulatedAuthority(seed: 7)
  public static let forger = SimulatedAuthority(seed: 7, variant: .otherRoot)

  /// An untrusted root. If it alone is configured, no evidence is genuine.
  public static let stranger = SimulatedAuthority(seed: 8, variant: .otherRoot)

  /// Columns of the orders file, in the order in which `order` writes them.
  public static let orderHeader =
    "order_id,bundle_id,product_id,user_id,status,created_at,updated_at,environment,quantity,price_milliunits,currency,"
    + "storefront,paid_at,delivered_at,refunded_at,entitlement_expires_at,app_account_token,application_username,"
    + "transaction_id,original_transaction_id,web_order_line_item_id,device_id,evidence_sha256,operator_id"

  /// - Parameter original: database without connections whose content the scenario begins with; nil for no content.
  public init(copying original: ConnectionSettings? = nil) async throws {
    connection = if let original { try await TestServer.shared.copy(of: original) } else { try await TestServer.shared.database() }
    directory = try Temporary.makeFolder("payrecon-test")
    var reader = AppSettings(bundleID: "com.acme.reader")
    reader.appleID = 1_500_000_001
    reader.timeZone = "Asia/Shanghai"
    var kids = AppSettings(bundleID: "com.acme.kids")
    kids.appleID = 1_500_000_002
    settings = JobSettings(rules: try RuleCatalogue.read(TestServer.sql()))
    settings.apps = [reader, kids]
    // A scenario contains a part of the facts, sometimes months before the clock. Other tests cover the age of input.
    for kind in InputKind.allCases {
      settings.inputs[kind].maxAgeSeconds = nil
      settings.inputs[kind].rowsMin = 0
      settings.inputs[kind].isNeeded = false
    }
    try trust(Self.authority)
    CleanUp.afterTest { [directory] in try? FileManager.default.removeItem(atPath: directory) }
  }

  /// Returns the same world under a separate login of one person.
  public func login(_ person: String) async throws -> Scenario {
    var scenario = self
    scenario.connection = try await TestServer.shared.login(person, to: connection)
    return scenario
  }

  public func end() async {
    await TestServer.shared.drop(connection)
    try? FileManager.default.removeItem(atPath: directory)
  }

  public func context(asOf: String) throws -> JobContext {
    try Self.context(settings, connection, sql: sql, codeVersion: codeVersion, roots: "\(directory)/roots", asOf: asOf)
  }

  private static func context(
    _ settings: JobSettings, _ connection: ConnectionSettings, sql: SQLFiles?, codeVersion: String, roots: String, asOf: String
  ) throws -> JobContext {
    var connection = connection
    connection.role = "payrecon_jobs"
    var log = Logger(label: "payrecon") { _ in SwiftLogNoOpLogHandler() }
    log.logLevel = .critical
    return JobContext(
      settings: settings, asOf: instant(asOf), isClockGiven: true, codeVersion: codeVersion, sql: try sql ?? TestServer.sql(),
      connection: connection, log: log, progress: NoProgress(), rootsDirectory: roots, appleRootsFolders: [])
  }

  /// Returns the bytes of exported lists of a database, by name. A list depends on no settings.
  public static func exports(
    _ lists: [String], format: String = "csv", from connection: ConnectionSettings, asOf: String
  ) async throws -> [String: [UInt8]] {
    let context = try context(
      JobSettings(rules: RuleCatalogue.read(TestServer.sql())), connection, sql: nil, codeVersion: "test", roots: "", asOf: asOf)
    let job = ExportJob(context: context.withPool(SessionPool(idleMax: 1)))
    var exports: [String: [UInt8]] = [:]
    for name in lists {
      let bytes = ByteCollector()
      let (list, format) = (try #require(ExportList(rawValue: name)), try #require(ExportFormat(rawValue: format)))
      _ = try await job.run(list, format: format) { bytes.append($0) }
      exports[name] = bytes.all
    }
    return exports
  }

  /// Returns rows of NDJSON by column; null is an empty text.
  public static func rows(_ bytes: [UInt8]) throws -> [[String: String]] {
    try bytes.split(separator: 0x0A).map { try JSONDecoder().decode([String: JSONCell].self, from: Data($0)).mapValues(\.text) }
  }

  /// Runs a job on sessions that earlier jobs left open.
  ///
  /// - Parameter locks: whether the job takes locks or leaves temporary tables, which then end with it.
  private func running<Result>(asOf: String, locks: Bool = true, _ job: (JobContext) async throws -> Result) async throws -> Result {
    let context = try context(asOf: asOf).withPool(sessions)
    // A failed job closes its session.
    let result = try await job(context)
    if locks { try await context.withSession { try await $0.executeAlone("select pg_advisory_unlock_all(); discard temp") } }
    return result
  }

  public func trust(_ authority: SimulatedAuthority) throws { try write("roots/root.der", authority.rootDER) }

  /// Verifies again all evidence that is not genuine.
  @discardableResult
  public func judge(asOf: String) async throws -> EvidenceJudge.Outcome {
    try await running(asOf: asOf) { try await EvidenceJudge(context: $0).run() }
  }

  /// Runs a complete night.
  ///
  /// - Parameter inbox: folder of its input; nil for none.
  @discardableResult
  public func night(inbox: String? = nil, asOf: String) async throws -> NightlyJob.Outcome {
    let folder = "\(directory)/night"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await running(asOf: asOf) { try await NightlyJob(context: $0).run(inbox: inbox, reportDirectory: folder) }
  }

  /// Returns the answers of the notification endpoint to some posts.
  public func post(_ bodies: [String], at receivedAt: String) async throws -> [PostQueue.Outcome] {
    let queue = try PostQueue(context: try context(asOf: receivedAt)) { instant(receivedAt) }
    var outcomes: [PostQueue.Outcome] = []
    for body in bodies { outcomes.append(await queue.store(Array(body.utf8))) }
    return outcomes
  }

  /// Returns the faults of the audit chain and of its sealed content.
  public func auditFaults(asOf: String) async throws -> [String] {
    try await running(asOf: asOf, locks: false) {
      try await AuditVerification(context: $0).run().findings.map { "\($0.subject): \($0.text)" }
    }
  }

  // MARK: Input

  /// Writes a file below the scenario's folder, creating its folder if missing. Returns its path.
  @discardableResult
  public func write(_ name: String, _ content: some Sequence<UInt8>) throws -> String {
    let path = "\(directory)/\(name)"
    let folder = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(content).write(to: URL(filePath: path))
    return path
  }

  @discardableResult
  public func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }

  /// Ingests a text as a file of a kind.
  @discardableResult
  public func ingest(_ kind: InputKind, _ text: String, name: String = "input", asOf: String) async throws -> Tally {
    let ending = kind == .apple ? "ndjson" : "csv"
    let outcome = try await ingest(kind, files: [write("\(name).\(ending)", text)], asOf: asOf)
    if let refused = outcome.refusedFiles.first { throw Refused(reason: "\(refused.reason)") }
    return outcome.tally
  }

  /// Ingests files of a kind.
  ///
  /// - Parameter resumes: whether an interrupted file continues after its last complete chunk.
  @discardableResult
  public func ingest(_ kind: InputKind, files: [String], resumes: Bool = false, asOf: String) async throws -> IngestJob.Outcome {
    try await running(asOf: asOf) {
      try await IngestJob(context: $0).run(kind: kind, files: files, format: nil, source: .imported, runID: "test", resumes: resumes)
    }
  }

  public struct Refused: Error { public var reason: String }

  @discardableResult
  public func orders(_ orders: [TestOrder], name: String = "input", asOf: String) async throws -> Tally {
    try await ingest(.orders, TestOrder.file(orders), name: name, asOf: asOf)
  }

  @discardableResult
  public func users(_ lines: [String], asOf: String) async throws -> Tally {
    let header = "user_id,app_account_token,home_storefront,is_tester"
    return try await ingest(.users, ([header] + lines).joined(separator: "\n") + "\n", asOf: asOf)
  }

  @discardableResult
  public func evidence(_ lines: [String], asOf: String) async throws -> Tally {
    try await ingest(.apple, lines.joined(separator: "\n") + "\n", asOf: asOf)
  }

  public static func sign(_ payload: String, by authority: SimulatedAuthority = authority) -> String {
    String(decoding: authority.sign(Array(payload.utf8)), as: UTF8.self)
  }

  public static func sign(_ purchase: ApplePurchase, by authority: SimulatedAuthority = authority) -> String {
    sign(purchase.payload, by: authority)
  }

  /// Returns a wrapper line as our own servers write it for a client's upload.
  public static func upload(
    _ jws: String, user: String? = nil, device: String? = nil, order: String? = nil, at receivedAt: String
  ) -> String {
    var fields = [text("evidence", jws), text("source", "client"), text("received_at", receivedAt)]
    if let user { fields.append(text("user_id", user)) }
    if let device { fields.append(text("device_id", device)) }
    if let order { fields.append(text("order_id", order)) }
    return "{\(fields.joined(separator: ","))}"
  }

  /// Returns a V2 notification body about a transaction.
  ///
  /// - Parameters:
  ///   - reason: customer's reason of a request for consumption information.
  ///   - sealer: signer of the notification; nil means the signer of the transaction.
  public static func notification(
    _ type: String, subtype: String? = nil, uuid: String, _ purchase: ApplePurchase, renewalInfo: String? = nil,
    status: Int? = nil, reason: String? = nil, appleID: Int64? = nil, by authority: SimulatedAuthority = authority,
    sealedBy sealer: SimulatedAuthority? = nil, signedAt: String
  ) -> String {
    let ourID: Int64 = purchase.bundleID == "com.acme.kids" ? 1_500_000_002 : 1_500_000_001
    var data = [
      text("bundleId", purchase.bundleID), text("environment", purchase.environment), "\"appAppleId\":\(appleID ?? ourID)",
      text("signedTransactionInfo", sign(purchase, by: authority)),
    ]
    if let renewalInfo { data.append(text("signedRenewalInfo", sign(renewalInfo, by: authority))) }
    if let status { data.append("\"status\":\(status)") }
    if let reason { data.append(text("consumptionRequestReason", reason)) }
    var fields = [
      text("notificationType", type), text("notificationUUID", uuid), text("version", "2.0"),
      date("signedDate", instant(signedAt)), "\"data\":{\(data.joined(separator: ","))}",
    ]
    if let subtype { fields.append(text("subtype", subtype)) }
    return "{\(text("signedPayload", sign("{\(fields.joined(separator: ","))}", by: sealer ?? authority)))}"
  }

  /// Returns renewal information of a subscription, as Apple would sign it.
  ///
  /// - Parameters:
  ///   - autoRenew: status of the automatic renewal; nil where Apple states none.
  ///   - isRetried: whether Apple tries to bill a failed renewal.
  ///   - graceUntil: end of the grace period; nil where Apple states none.
  ///   - more: additional JSON fields, each preceded by a comma.
  public static func renewalInfo(
    _ original: String, product: String = "vip.month", environment: String = "Production", autoRenew: Int? = 1, signedAt: String,
    renewalDate: String? = nil, isRetried: Bool = false, graceUntil: String? = nil, _ more: String = ""
  ) -> String {
    var fields = [
      text("originalTransactionId", original), text("productId", product), text("environment", environment),
      date("signedDate", instant(signedAt)),
    ]
    if let autoRenew { fields.append("\"autoRenewStatus\":\(autoRenew)") }
    if let renewalDate { fields.append(date("renewalDate", instant(renewalDate))) }
    if isRetried { fields.append("\"isInBillingRetryPeriod\":true") }
    if let graceUntil { fields.append(date("gracePeriodExpiresDate", instant(graceUntil))) }
    return "{\(fields.joined(separator: ","))\(more)}"
  }

  /// Returns the repository's SQL with one changed file.
  public func changedSQL(_ path: String, _ change: (String) -> String) throws -> SQLFiles {
    let folder = "\(directory)/changed-sql"
    try FileManager.default.copyItem(atPath: "\(TestServer.repository)/sql", toPath: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = try TestServer.sql().text(path)
    let changed = change(text)
    #expect(changed != text, "nothing of \(path) changes")
    try write("changed-sql/\(path)", changed)
    return try SQLFiles.withTexts(in: folder)
  }

  // MARK: Results

  /// Migrates the database to SQL files. Returns what was applied.
  @discardableResult
  public func migrate(_ files: SQLFiles) async throws -> [String] {
    try await Session.open(connection).use { try await Migrator(files: files, hash: { SHA256.hex($0) }).migrate($0) }
  }

  public func execute(_ sql: String) async throws {
    try await Session.open(connection).use { try await $0.executeAlone(sql) }
  }

  /// Returns the rows of a query on the stored tables.
  public func query<each Cell: Sendable>(_ text: String, gives columns: repeat Column<each Cell>) async throws -> [(repeat each Cell)] {
    let folder = "query-\(UInt64.random(in: 0 ... .max))"
    try write("\(folder)/query.sql", text)
    let file = try SQLFiles(directory: "\(directory)/\(folder)")(Statement("query.sql", gives: repeat each columns))
    return try await Session.open(connection).use { session in try await session.transaction { tx in try tx.rows(file) } }
  }

  /// Returns the texts of a query's only column.
  public func answers(_ query: String) async throws -> [String] { try await self.query(query, gives: .text) }

  /// Returns the text of a query's first row; empty if there is none.
  public func answer(_ query: String) async throws -> String { try await answers(query).first ?? "" }

  /// Waits until a condition is true.
  ///
  /// - Throws: after two minutes.
  public func wait(until condition: String) async throws {
    for _ in 0..<12_000 {
      if try await answers("select 'true' where \(condition)") == ["true"] { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw JobError("never: \(condition)")
  }

  /// Opens a session in a role, which ends with the test.
  ///
  /// - Parameters:
  ///   - person: whose login it has; nil means that of the tests.
  ///   - role: nil means the login's own rights.
  public func session(_ person: String? = nil, role: String? = "payrecon_review") async throws -> Session {
    var settings = connection
    if let person { settings = try await TestServer.shared.login(person, to: connection) }
    settings.role = role
    let session = try await Session.open(settings)
    CleanUp.afterTest { await session.close() }
    return session
  }

  /// Ingests input on one clock, then runs match and detect.
  ///
  /// - Parameters:
  ///   - isFull: whether everything is evaluated, not only changes.
  ///   - partitioning: the partitions of a full run.
  public func decide(
    users: [String] = [], orders: [TestOrder] = [], evidence: [String] = [], isFull: Bool = false, asOf: String,
    partitioning: Partitioning = Partitioning()
  ) async throws {
    if !users.isEmpty { try await self.users(users, asOf: asOf) }
    if !orders.isEmpty { try await self.orders(orders, asOf: asOf) }
    if !evidence.isEmpty { try await self.evidence(evidence, asOf: asOf) }
    _ = try await running(asOf: asOf) {
      try await DecisionRun(context: $0).match(isFull: isFull, isDryRun: false, partitioning: partitioning)
    }
    _ = try await running(asOf: asOf) { try await DecisionRun(context: $0).detect(isFull: isFull, isDryRun: false) }
  }

  /// Returns the changes that a full match run would make, none if the matches are current.
  public func changesOfFullMatch(asOf: String) async throws -> [String] {
    try await running(asOf: asOf) { try await DecisionRun(context: $0).match(isFull: true, isDryRun: true).changes }
      .map { "\($0.change) \($0.orderID) \($0.chargeID) \($0.rung)" }
  }

  /// Returns the changes that a full detect run would make, none if breaks and signals are current.
  public func changesOfFullDetect(asOf: String) async throws -> [String] {
    try await running(asOf: asOf) { try await DecisionRun(context: $0).detect(isFull: true, isDryRun: true).changes }
      .map { "\($0.change) \($0.name) \($0.orderID ?? "") \($0.chargeID ?? "") \($0.detail)" }
  }

  public func changesOfFullRuns(asOf: String) async throws -> [String] {
    try await changesOfFullMatch(asOf: asOf) + changesOfFullDetect(asOf: asOf)
  }

  public func export(_ list: ExportList, format: ExportFormat = .csv, asOf: String) async throws -> [UInt8] {
    let bytes = ByteCollector()
    _ = try await running(asOf: asOf, locks: false) { try await ExportJob(context: $0).run(list, format: format) { bytes.append($0) } }
    return bytes.all
  }

  /// Returns the files of a report by name, including its manifest.
  ///
  /// - Parameter period: period of a journal; nil for the last one that has ended.
  public func report(
    _ kind: ReportKind, period: String? = nil, formats: Set<ReportFormat> = [.csv, .json, .html], asOf: String
  ) async throws -> [(name: String, text: String)] {
    let folder = "\(directory)/report"
    let files = try await running(asOf: asOf, locks: false) {
      try await ReportJob(context: $0).run(kind: kind, formats: formats, directory: folder, period: period)
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try files.map { (name: $0, text: try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
  }

  /// Returns the rows of an exported list by column name; null is an empty text.
  public func rows(_ list: ExportList, asOf: String) async throws -> [[String: String]] {
    try Self.rows(try await export(list, format: .ndjson, asOf: asOf))
  }

  /// Returns columns of an exported list, as `cells` of its rows.
  public func cells(_ list: ExportList, _ columns: String, asOf: String) async throws -> [String] {
    try await rows(list, asOf: asOf).cells(columns)
  }

  /// Returns the open breaks as `CLASS order`, sorted.
  public func openBreaks(asOf: String) async throws -> [String] {
    try await rows(.breaks, asOf: asOf).filter { $0["status"] != "resolved" }.cells("class order_id")
      .map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }.sorted()
  }

  /// Returns the matches as `order transaction-ids rung`, sorted.
  public func matches(asOf: String) async throws -> [String] {
    try await cells(.matches, "order_id transaction_id rung", asOf: asOf).sorted()
  }
}

public import Collect
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

/// A night told by a test: orders and evidence go in as files, lists come out as a user would export them.
public struct Scenario: Sendable {
  public var connection: ConnectionSettings
  public var settings: JobSettings
  /// SQL that the jobs run; nil for that of the repository.
  public var sql: SQLFiles?
  /// Folder for the files of this test.
  public let directory: String

  public static let authority = SimulatedAuthority(seed: 7)
  public static let forger = SimulatedAuthority(seed: 7, variant: .otherRoot)

  /// Nobody's root: with it alone, nothing in a test is genuine.
  public static let stranger = SimulatedAuthority(seed: 8, variant: .otherRoot)

  /// Columns of the orders file, in the order in which `order` writes them.
  public static let orderHeader =
    "order_id,bundle_id,product_id,user_id,status,created_at,updated_at,environment,quantity,price_milliunits,currency,"
    + "storefront,paid_at,delivered_at,refunded_at,entitlement_expires_at,app_account_token,application_username,"
    + "transaction_id,original_transaction_id,web_order_line_item_id,device_id,evidence_sha256,operator_id"

  public init() async throws {
    connection = try await TestServer.shared.database()
    directory = try Temporary.makeFolder("payrecon-test")
    var reader = AppSettings(bundleID: "com.acme.reader")
    reader.appleID = 1_500_000_001
    reader.timeZone = "Asia/Shanghai"
    var kids = AppSettings(bundleID: "com.acme.kids")
    kids.appleID = 1_500_000_002
    settings = JobSettings(rules: try RuleCatalogue.read(TestServer.sql()))
    settings.apps = [reader, kids]
    // A scenario tells a part of the facts, months before the clock at times: whether input is fresh is another test's.
    settings.inputs = .nothing
    try FileManager.default.createDirectory(atPath: "\(directory)/roots", withIntermediateDirectories: true)
    try Data(Self.authority.rootDER).write(to: URL(filePath: "\(directory)/roots/root.der"))
  }

  /// The same world as one person sees it who has a login of their own.
  public func login(_ person: String) async throws -> Scenario {
    var scenario = self
    scenario.connection = try await TestServer.shared.login(person, to: connection)
    return scenario
  }

  /// Drops the database and the folder.
  public func end() async {
    await TestServer.shared.drop(connection)
    try? FileManager.default.removeItem(atPath: directory)
  }

  public func context(asOf: String) throws -> JobContext {
    var connection = connection
    connection.role = "payrecon_jobs"
    var log = Logger(label: "payrecon") { _ in SwiftLogNoOpLogHandler() }
    log.logLevel = .critical
    return JobContext(
      settings: settings, asOf: instant(asOf), isClockGiven: true, codeVersion: "test", sql: try sql ?? TestServer.sql(),
      connection: connection, log: log, progress: NoProgress(), rootsDirectory: "\(directory)/roots",
      appleRootsFolders: [])
  }

  /// Makes one root the only trusted one.
  public func trust(_ authority: SimulatedAuthority) throws {
    try Data(authority.rootDER).write(to: URL(filePath: "\(directory)/roots/root.der"))
  }

  /// Judges anew what is not genuine.
  @discardableResult
  public func judge(asOf: String) async throws -> EvidenceJudge.Outcome {
    try await EvidenceJudge(context: try context(asOf: asOf)).run()
  }

  /// The whole chain, without an inbox.
  @discardableResult
  public func night(asOf: String) async throws -> NightlyJob.Outcome {
    let folder = "\(directory)/night"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await NightlyJob(context: try context(asOf: asOf)).run(inbox: nil, reportDirectory: folder)
  }

  /// What a webhook that runs with these settings answers to posts.
  public func post(_ bodies: [String], at receivedAt: String) async throws -> [PostQueue.Fate] {
    let queue = try PostQueue(context: try context(asOf: receivedAt)) { instant(receivedAt) }
    var fates: [PostQueue.Fate] = []
    for body in bodies { fates.append(await queue.store(Array(body.utf8))) }
    return fates
  }

  /// What is wrong with the audit chain and what it seals, in words.
  public func auditFaults(asOf: String) async throws -> [String] {
    try await AuditVerification(context: try context(asOf: asOf)).run().findings.map { "\($0.subject): \($0.text)" }
  }

  // MARK: Input

  /// Reads a text as a file of a kind.
  @discardableResult
  public func ingest(_ kind: InputKind, _ text: String, name: String = "input", asOf: String) async throws -> Tally {
    let ending = kind == .apple ? "ndjson" : "csv"
    let path = "\(directory)/\(name).\(ending)"
    try Data(text.utf8).write(to: URL(filePath: path))
    let outcome = try await IngestJob(context: try context(asOf: asOf)).run(
      kind: kind, files: [path], format: nil, source: .imported, runID: "test", resumes: false)
    if let refused = outcome.refusedFiles.first { throw Refused(reason: refused.reason) }
    return outcome.tally
  }

  public struct Refused: Error { public var reason: String }

  @discardableResult
  public func orders(_ orders: [TestOrder], asOf: String) async throws -> Tally {
    try await ingest(
      .orders, ([Self.orderHeader] + orders.map(\.line)).joined(separator: "\n") + "\n", asOf: asOf)
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

  /// A wrapper line, as our own servers write it when a client uploads.
  public static func upload(
    _ jws: String, user: String? = nil, device: String? = nil, order: String? = nil, at receivedAt: String
  ) -> String {
    var fields = [text("evidence", jws), text("source", "client"), text("received_at", receivedAt)]
    if let user { fields.append(text("user_id", user)) }
    if let device { fields.append(text("device_id", device)) }
    if let order { fields.append(text("order_id", order)) }
    return "{\(fields.joined(separator: ","))}"
  }

  /// A V2 notification body about a transaction.
  ///
  /// - Parameter sealer: who signs what is around the transaction; nil for who signs the transaction.
  public static func notification(
    _ type: String, subtype: String? = nil, uuid: String, _ purchase: ApplePurchase, renewalInfo: String? = nil,
    status: Int? = nil, appleID: Int64? = nil, by authority: SimulatedAuthority = authority,
    sealedBy sealer: SimulatedAuthority? = nil, signedAt: String
  ) -> String {
    let ourID: Int64 = purchase.bundleID == "com.acme.kids" ? 1_500_000_002 : 1_500_000_001
    var data = [
      text("bundleId", purchase.bundleID), text("environment", purchase.environment),
      "\"appAppleId\":\(appleID ?? ourID)",
      text("signedTransactionInfo", sign(purchase, by: authority)),
    ]
    if let renewalInfo { data.append(text("signedRenewalInfo", sign(renewalInfo, by: authority))) }
    if let status { data.append("\"status\":\(status)") }
    var fields = [
      text("notificationType", type), text("notificationUUID", uuid), text("version", "2.0"),
      date("signedDate", instant(signedAt)), "\"data\":{\(data.joined(separator: ","))}",
    ]
    if let subtype { fields.append(text("subtype", subtype)) }
    return "{\(text("signedPayload", sign("{\(fields.joined(separator: ","))}", by: sealer ?? authority)))}"
  }

  /// Renewal information of a month of `vip.month`, as Apple would sign it.
  ///
  /// - Parameter more: fields of JSON besides, each with a comma before it.
  public static func renewalInfo(_ original: String, signedAt: String, renewalDate: String? = nil, _ more: String = "") -> String {
    let fields = [
      text("originalTransactionId", original), text("productId", "vip.month"), text("environment", "Production"),
      "\"autoRenewStatus\":1", date("signedDate", instant(signedAt)),
    ] + (renewalDate.map { [date("renewalDate", instant($0))] } ?? [])
    return "{\(fields.joined(separator: ","))\(more)}"
  }

  // MARK: Outcome

  /// Matches and detects.
  ///
  /// - Parameter cut: into which pieces, where everything is decided.
  public func decide(asOf: String, cut: PieceCut = PieceCut()) async throws {
    let run = DecisionRun(context: try context(asOf: asOf))
    _ = try await run.match(isDryRun: false, cut: cut)
    _ = try await run.detect(isDryRun: false, cut: cut)
  }

  /// What matching everything anew would change; nothing, when the matches are current.
  public func changesOfFullMatch(asOf: String) async throws -> [String] {
    try await DecisionRun(context: try context(asOf: asOf)).match(isFull: true, isDryRun: true).changes
      .map { "\($0.change) \($0.orderID) \($0.chargeID) \($0.rung)" }
  }

  /// What looking at everything anew would change; nothing, when the breaks are current.
  public func changesOfFullDetect(asOf: String) async throws -> [String] {
    try await DecisionRun(context: try context(asOf: asOf)).detect(isFull: true, isDryRun: true).changes
      .map { "\($0.isOpen ? "open" : "resolved") \($0.breakClass) \($0.orderID ?? "") \($0.chargeID ?? "") \($0.detail)" }
  }

  /// Bytes of an exported list.
  public func export(_ list: ExportList, format: ExportFormat = .csv, asOf: String) async throws -> [UInt8] {
    let bytes = ByteCollector()
    _ = try await ExportJob(context: try context(asOf: asOf)).run(list, format: format) { bytes.append($0) }
    return bytes.all
  }

  /// Files of a report by name, its manifest included.
  public func report(_ kind: ReportKind, asOf: String) async throws -> [(name: String, text: String)] {
    let folder = "\(directory)/report"
    let files = try await ReportJob(context: try context(asOf: asOf)).run(
      kind: kind, formats: [.csv, .json, .html], directory: folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try files.map { (name: $0, text: try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
  }

  /// Rows of an exported list, by column name; null is empty.
  public func rows(_ list: ExportList, asOf: String) async throws -> [[String: String]] {
    let lines = try await export(list, format: .ndjson, asOf: asOf).split(separator: 0x0A)
    return try lines.map { try JSONDecoder().decode([String: JSONCell].self, from: Data($0)).mapValues(\.text) }
  }

  /// Open breaks as `CLASS order charge-or-transaction`, sorted.
  public func openBreaks(asOf: String) async throws -> [String] {
    try await rows(.breaks, asOf: asOf).filter { $0["status"] != "resolved" }.map { row in
      [row["class"], row["order_id"]].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    }.sorted()
  }

  /// Pairs as `order transaction-ids rung`, sorted.
  public func matches(asOf: String) async throws -> [String] {
    try await rows(.matches, asOf: asOf).map { row in
      "\(row["order_id"] ?? "") \(row["transaction_id"] ?? "") \(row["rung"] ?? "")"
    }.sorted()
  }
}

/// An order row as a test tells it.
public struct TestOrder: Sendable {
  public var orderID: String
  public var userID: String
  public var productID = "coins60"
  public var bundleID = "com.acme.reader"
  public var status = "delivered"
  public var createdAt: String
  public var updatedAt: String?
  public var environment = "Production"
  public var quantity = 1
  public var priceMilliunits: Int64? = 6000
  public var currency: String? = "CNY"
  /// nil: when it was created, where the status says that it was paid; so with the delivery.
  public var paidAt: String?
  public var deliveredAt: String?
  public var refundedAt: String?
  public var entitlementExpiresAt: String?
  public var token: String?
  public var transactionID: String?
  public var originalTransactionID: String?
  public var webOrderLineItemID: String?
  public var deviceID: String?
  public var evidenceSHA256: String?
  public var operatorID: String?

  public init(_ orderID: String, user: String, at createdAt: String, _ change: (inout TestOrder) -> Void = { _ in }) {
    self.orderID = orderID
    userID = user
    self.createdAt = createdAt
    change(&self)
  }

  public var line: String {
    let isPaid = status != "created" && status != "cancelled"
    let fields: [String?] = [
      orderID, bundleID, productID, userID, status, createdAt, updatedAt, environment, "\(quantity)",
      priceMilliunits.map { "\($0)" }, currency, nil,
      paidAt ?? (isPaid ? createdAt : nil),
      deliveredAt ?? (status == "delivered" || status == "refunded" ? createdAt : nil), refundedAt, entitlementExpiresAt, token, nil,
      transactionID, originalTransactionID, webOrderLineItemID, deviceID, evidenceSHA256, operatorID,
    ]
    return fields.map { $0 ?? "" }.joined(separator: ",")
  }
}

private final class ByteCollector: Sendable {
  private let bytes = Lock([UInt8]())
  func append(_ more: [UInt8]) { bytes.with { $0 += more } }
  var all: [UInt8] { bytes.with { $0 } }
}

/// A cell of a row in JSON, of any type, as text; null is empty.
public struct JSONCell: Decodable {
  public var text: String

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      text = ""
    } else if let value = try? container.decode(String.self) {
      text = value
    } else if let value = try? container.decode(Int64.self) {
      text = "\(value)"
    } else {
      text = try container.decode(Bool.self) ? "true" : "false"
    }
  }
}

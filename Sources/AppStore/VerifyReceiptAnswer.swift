public import Domain
internal import JSON

/// An answer of verifyReceipt, of any age; nil where Apple gave nothing.
///
/// - Source: Apple, App Store Receipts, responseBody.
public struct VerifyReceiptAnswer: Sendable {
  public var status: VerifyReceiptStatus
  public var isRetryable: Bool?
  /// From the body, never from the address that was asked; nil when the body names none.
  public var environment: String?
  public var bundleID: String?
  /// Apple's number of the app; nil in the sandbox.
  public var appleID: Int64?
  /// When Apple answered.
  public var requestedAt: Timestamp?
  public var receiptCreatedAt: Timestamp?
  /// `latest_receipt`: a receipt that can be verified by itself, base64.
  public var latestReceipt: String? { latestReceiptText.map { String(decoding: $0, as: UTF8.self) } }
  /// One row per transaction id, in the order in which the ids first appear.
  public var rows: [LegacyRow]

  let latestReceiptText: ArraySlice<UInt8>?
  let rowTexts: [ArraySlice<UInt8>]
  let renewals: [(text: ArraySlice<UInt8>, content: LegacyRenewal)]
  /// Whether there are more rows than `EvidenceReader.nestedMax`, before equal transaction ids are taken together;
  /// then some were not read.
  let hasTooManyRows: Bool

  /// Reads an answer; nil when the text is no JSON object with a status.
  public init?(_ bytes: [UInt8]) {
    guard let object = try? JSONObject(parsing: bytes[...]) else { return nil }
    self.init(object, bundleID: nil)
  }

  /// Reads an answer, or the `unified_receipt` of a V1 notification, which leaves the bundle id to what holds it.
  init?(_ object: JSONObject, bundleID outer: String?) {
    guard let code = LegacyName.integer(object["status"]) else { return nil }
    status = VerifyReceiptStatus(code: Int(clamping: code))
    isRetryable = LegacyName.isSet(object["is_retryable"] ?? object["is-retryable"])
    let receipt = object.object("receipt") ?? JSONObject()
    let latest = object.object("latest_receipt_info") ?? object.object("latest_expired_receipt_info") ?? JSONObject()
    environment = Self.environment(object, receipt: receipt)
    bundleID = [receipt["bundle_id"], receipt["bid"], latest["bid"], latest["bundle_id"]]
      .lazy.compactMap(LegacyName.plainText).first ?? outer
    let number = LegacyName.integer(receipt["adam_id"]) ?? LegacyName.integer(receipt["app_item_id"])
    appleID = number == 0 ? nil : number
    requestedAt = LegacyName.instant("request_date", in: receipt)
    receiptCreatedAt = LegacyName.instant("receipt_creation_date", in: receipt)
    latestReceiptText = object.utf8("latest_receipt")
    let context = LegacyContext(
      bundleID: bundleID ?? "", environment: environment ?? "", statedAt: requestedAt ?? receiptCreatedAt)
    let found = LegacyRows(object, context)
    rows = found.rows.map(\.content)
    rowTexts = found.rows.map(\.text)
    renewals = found.renewals
    hasTooManyRows = found.count > EvidenceReader.nestedMax
  }

  /// The body's word; receipts say `ProductionSandbox`, V1 notifications `PROD`.
  private static func environment(_ object: JSONObject, receipt: JSONObject) -> String? {
    let word = LegacyName.plainText(object["environment"]) ?? LegacyName.plainText(receipt["environment"])
    switch word ?? LegacyName.plainText(receipt["receipt_type"]) {
    case "PROD", "Production", "ProductionVPP": return AppStoreEnvironment.production.rawValue
    case "Sandbox", "ProductionSandbox", "ProductionVPPSandbox": return AppStoreEnvironment.sandbox.rawValue
    case let other: return other
    }
  }

  /// Whether a JSON object is an answer of verifyReceipt.
  static func isAnswer(_ object: JSONObject) -> Bool {
    guard let code = LegacyName.integer(object["status"]) else { return false }
    let names = ["receipt", "latest_receipt_info", "latest_receipt", "latest_expired_receipt_info"]
    return 21000...21199 ~= code || names.contains { object.has($0) }
  }
}

/// Rows of an answer with the bytes they stand in.
private struct LegacyRows {
  var rows: [(text: ArraySlice<UInt8>, content: LegacyRow)] = []
  var renewals: [(text: ArraySlice<UInt8>, content: LegacyRenewal)] = []
  private let context: LegacyContext
  private var places: [String: Int] = [:]
  /// Rows and renewals met so far.
  private(set) var count = 0

  init(_ answer: JSONObject, _ context: LegacyContext) {
    self.context = context
    for (name, value) in answer.members where name.hasPrefix("latest_") && name.hasSuffix("receipt_info") {
      addAll(value)
    }
    if let receipt = answer.object("receipt") {
      if let list = receipt["in_app"] { addAll(list) } else { addFlat(receipt) }
    }
    if case .array(let list)? = answer["pending_renewal_info"] {
      for case .object(let row) in list { addRenewal(row.text, row) }
    }
    addFlatRenewal(answer)
  }

  /// A list of rows, or a single row as iOS 6 style answers have it.
  private mutating func addAll(_ value: JSONValue) {
    switch value {
    case .object(let row): add(row)
    case .array(let list): for case .object(let row) in list { add(row) }
    default: break
    }
  }

  private mutating func addFlat(_ receipt: JSONObject) {
    if receipt.has("transaction_id") { add(receipt) }
  }

  private mutating func add(_ object: JSONObject) {
    count += 1
    guard count <= EvidenceReader.nestedMax else { return }
    let row = LegacyRow(object, in: context)
    guard let id = row.transaction?.transactionID else {
      rows.append((object.text, row))
      return
    }
    guard let place = places[id] else {
      places[id] = rows.count
      rows.append((object.text, row))
      return
    }
    // Two rows of one transaction: the one that knows of a cancellation is the newer one.
    if rows[place].content.transaction?.revokedAt == nil, row.transaction?.revokedAt != nil {
      rows[place] = (object.text, row)
    }
  }

  private mutating func addRenewal(_ text: ArraySlice<UInt8>, _ content: JSONObject) {
    count += 1
    guard count <= EvidenceReader.nestedMax else { return }
    renewals.append((text, LegacyRenewal(content, in: context)))
  }

  /// iOS 6 style: the renewal's members stand beside the status.
  private mutating func addFlatRenewal(_ answer: JSONObject) {
    guard renewals.isEmpty, rows.count == 1, let transaction = rows[0].content.transaction,
      answer.has("auto_renew_status")
    else { return }
    let kept = answer.members.filter { $0.name != "original_transaction_id" && $0.name != "product_id" }
    var object = JSONObject(members: kept)
    object.append("original_transaction_id", .string(transaction.originalTransactionID))
    object.append("product_id", .string(transaction.productID))
    addRenewal(answer.text, object)
  }
}

public import Domain
internal import JSON

/// An answer of verifyReceipt in any of its versions. A property is nil when the answer lacks it.
///
/// - Source: Apple, App Store Receipts, responseBody.
public struct VerifyReceiptAnswer: Sendable {
  public var status: VerifyReceiptStatus
  public var isRetryable: Bool?
  /// Environment from the body, never from the queried address; nil when the body names none.
  public var environment: String?
  /// Type of the receipt if Apple added it later; otherwise nil.
  let unknownReceiptType: String?
  public var bundleID: String?
  /// Apple's number of the app; nil in the sandbox.
  public var appleID: Int64?
  /// Instant of Apple's answer.
  public var requestedAt: Timestamp?
  public var receiptCreatedAt: Timestamp?
  /// `latest_receipt`: a base64 receipt with its own signature.
  let latestReceiptText: ArraySlice<UInt8>?
  /// One row per transaction id, in the order of the first occurrence, with its bytes.
  let rows: [(text: ArraySlice<UInt8>, content: LegacyRow)]
  let renewals: [(text: ArraySlice<UInt8>, content: LegacyRenewal)]
  /// Whether the answer has more than `EvidenceReader.nestedMax` rows, counted before rows of equal ids are merged. Excess rows were not
  /// read.
  let hasTooManyRows: Bool

  public var hasRows: Bool { !rows.isEmpty }

  /// Reads an answer. Returns nil when the text is no JSON object with a status.
  public init?(_ bytes: [UInt8]) {
    guard let object = try? JSONObject(parsing: bytes[...]) else { return nil }
    self.init(object, bundleID: nil)
  }

  /// Reads an answer, or the `unified_receipt` of a V1 notification, which takes its bundle id from the notification.
  init?(_ object: JSONObject, bundleID outer: String?) {
    guard let code = LegacyName.integer(object["status"]) else { return nil }
    status = VerifyReceiptStatus(code: Int(clamping: code))
    isRetryable = LegacyName.isSet(object["is_retryable"] ?? object["is-retryable"])
    let receipt = object.object("receipt") ?? JSONObject()
    let latest = object.object("latest_receipt_info") ?? object.object("latest_expired_receipt_info") ?? JSONObject()
    environment = Self.environment(object, receipt: receipt)
    let type = LegacyName.plainText(receipt["receipt_type"])
    let isKnown = AppReceipt.environment(ofType: type) != nil || type.flatMap(AppStoreEnvironment.init(rawValue:)) != nil
    unknownReceiptType = isKnown ? nil : type
    bundleID =
      [receipt["bundle_id"], receipt["bid"], latest["bid"], latest["bundle_id"]]
      .lazy.compactMap(LegacyName.plainText).first ?? outer
    let number = LegacyName.integer(receipt["adam_id"]) ?? LegacyName.integer(receipt["app_item_id"])
    appleID = number == 0 ? nil : number
    requestedAt = LegacyName.instant("request_date", in: receipt)
    receiptCreatedAt = LegacyName.instant("receipt_creation_date", in: receipt)
    latestReceiptText = object.utf8("latest_receipt")
    let context = LegacyContext(bundleID: bundleID ?? "", environment: environment ?? "", statedAt: requestedAt ?? receiptCreatedAt)
    let found = LegacyRows(object, context)
    rows = found.rows
    renewals = found.renewals
    hasTooManyRows = found.count > EvidenceReader.nestedMax
  }

  /// Returns the environment that the body names; receipts use `ProductionSandbox`, V1 notifications `PROD`.
  private static func environment(_ object: JSONObject, receipt: JSONObject) -> String? {
    let word = LegacyName.plainText(object["environment"]) ?? LegacyName.plainText(receipt["environment"])
    switch word ?? LegacyName.plainText(receipt["receipt_type"]) {
    case "PROD", "Production", "ProductionVPP": return AppStoreEnvironment.production.rawValue
    case "Sandbox", "ProductionSandbox", "ProductionVPPSandbox": return AppStoreEnvironment.sandbox.rawValue
    case let other: return other
    }
  }

  static func isAnswer(_ object: JSONObject) -> Bool {
    guard let code = LegacyName.integer(object["status"]) else { return false }
    let names = ["receipt", "latest_receipt_info", "latest_receipt", "latest_expired_receipt_info"]
    return 21000...21199 ~= code || names.contains { object.has($0) }
  }
}

/// Rows of an answer with the bytes of each.
private struct LegacyRows {
  var rows: [(text: ArraySlice<UInt8>, content: LegacyRow)] = []
  var renewals: [(text: ArraySlice<UInt8>, content: LegacyRenewal)] = []
  private let context: LegacyContext
  private var indices: [String: Int] = [:]
  /// Number of rows and renewals found so far.
  private(set) var count = 0

  init(_ answer: JSONObject, _ context: LegacyContext) {
    self.context = context
    for (name, value) in answer.members where name.hasPrefix("latest_") && name.hasSuffix("receipt_info") {
      addAll(value)
    }
    if let receipt = answer.object("receipt") {
      if let list = receipt["in_app"] { addAll(list) } else if receipt.has("transaction_id") { add(receipt) }
    }
    if case .array(let list)? = answer["pending_renewal_info"] {
      for case .object(let row) in list { addRenewal(row.text, row) }
    }
    addFlatRenewal(answer)
  }

  /// Adds a list of rows, or the single row of an iOS 6 style answer.
  private mutating func addAll(_ value: JSONValue) {
    switch value {
    case .object(let row): add(row)
    case .array(let list): for case .object(let row) in list { add(row) }
    default: break
    }
  }

  private mutating func add(_ object: JSONObject) {
    count += 1
    guard count <= EvidenceReader.nestedMax else { return }
    let row = LegacyRow(object, in: context)
    guard let id = row.transaction?.transactionID, let index = indices[id] else {
      if let id = row.transaction?.transactionID { indices[id] = rows.count }
      rows.append((object.text, row))
      return
    }
    // The row with a cancellation is newer than another row of its transaction.
    if rows[index].content.transaction?.revokedAt == nil, row.transaction?.revokedAt != nil {
      rows[index] = (object.text, row)
    }
  }

  private mutating func addRenewal(_ text: ArraySlice<UInt8>, _ content: JSONObject) {
    count += 1
    guard count <= EvidenceReader.nestedMax else { return }
    renewals.append((text, LegacyRenewal(content, in: context)))
  }

  /// Adds the renewal of an iOS 6 style answer, whose members are beside the status.
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

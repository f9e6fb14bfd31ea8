public import Domain

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
  public var latestReceipt: String?
  /// One row per transaction id, in the order in which the ids first appear.
  public var rows: [LegacyRow]

  let rowTexts: [ArraySlice<UInt8>]
  let renewals: [(text: ArraySlice<UInt8>, content: LegacyRenewal)]

  /// Rows of one answer that are read, before equal transaction ids are taken together.
  public static let rowsMax = 100_000

  /// Reads an answer; nil when the text is no JSON object with a status.
  public init?(_ bytes: [UInt8]) {
    guard let object = try? JSONParser.object(bytes[...]) else { return nil }
    self.init(object, bytes: bytes[...], bundleID: nil)
  }

  /// Reads an answer, or the `unified_receipt` of a V1 notification, which leaves the bundle id to what holds it.
  init?(_ object: JSONObject, bytes: ArraySlice<UInt8>, bundleID outer: String?) {
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
    latestReceipt = object.string("latest_receipt")
    let context = LegacyContext(
      bundleID: bundleID ?? "", environment: environment ?? "", statedAt: requestedAt ?? receiptCreatedAt)
    let found = LegacyRows(bytes, context)
    rows = found.rows.map(\.content)
    rowTexts = found.rows.map(\.text)
    renewals = found.renewals
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
    return 21000...21199 ~= code || names.contains { object[$0] != nil }
  }
}

/// Rows of an answer with the bytes they stand in.
private struct LegacyRows {
  var rows: [(text: ArraySlice<UInt8>, content: LegacyRow)] = []
  var renewals: [(text: ArraySlice<UInt8>, content: LegacyRenewal)] = []
  private let context: LegacyContext
  private var places: [String: Int] = [:]
  private var count = 0

  init(_ bytes: ArraySlice<UInt8>, _ context: LegacyContext) {
    self.context = context
    let members = JSONSpans.members(bytes)
    for (name, value) in members where name.hasPrefix("latest_") && name.hasSuffix("receipt_info") { addAll(value) }
    if let receipt = members.first(where: { $0.name == "receipt" })?.value {
      if let list = JSONSpans.member("in_app", of: receipt) { addAll(list) } else { addFlat(receipt) }
    }
    for (name, value) in members where name == "pending_renewal_info" {
      for text in JSONSpans.elements(value) { addRenewal(text, text) }
    }
    addFlatRenewal(bytes)
  }

  /// A list of rows, or a single row as iOS 6 style answers have it.
  private mutating func addAll(_ value: ArraySlice<UInt8>) {
    if value.first == UInt8(ascii: "{") { return add(value) }
    for text in JSONSpans.elements(value) { add(text) }
  }

  private mutating func addFlat(_ receipt: ArraySlice<UInt8>) {
    guard JSONSpans.member("transaction_id", of: receipt) != nil else { return }
    add(receipt)
  }

  private mutating func add(_ text: ArraySlice<UInt8>) {
    guard count < VerifyReceiptAnswer.rowsMax, let object = try? JSONParser.object(text) else { return }
    count += 1
    let row = LegacyRow(object, in: context)
    guard let id = row.transaction?.transactionID else {
      rows.append((text, row))
      return
    }
    guard let place = places[id] else {
      places[id] = rows.count
      rows.append((text, row))
      return
    }
    // Two rows of one transaction: the one that knows of a cancellation is the newer one.
    if rows[place].content.transaction?.revokedAt == nil, row.transaction?.revokedAt != nil {
      rows[place] = (text, row)
    }
  }

  private mutating func addRenewal(_ text: ArraySlice<UInt8>, _ content: ArraySlice<UInt8>) {
    guard renewals.count < VerifyReceiptAnswer.rowsMax, let object = try? JSONParser.object(content) else { return }
    renewals.append((text, LegacyRenewal(object, in: context)))
  }

  /// iOS 6 style: the renewal's members stand beside the status.
  private mutating func addFlatRenewal(_ bytes: ArraySlice<UInt8>) {
    guard renewals.isEmpty, rows.count == 1, let id = rows[0].content.transaction?.originalTransactionID,
      JSONSpans.member("auto_renew_status", of: bytes) != nil, var object = try? JSONParser.object(bytes)
    else { return }
    object.members.removeAll { $0.name == "original_transaction_id" || $0.name == "product_id" }
    object.members.append(("original_transaction_id", .string(id)))
    if let product = rows[0].content.transaction?.productID { object.members.append(("product_id", .string(product))) }
    renewals.append((bytes, LegacyRenewal(object, in: context)))
  }
}

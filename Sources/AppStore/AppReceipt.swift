internal import Cryptography
public import Domain
internal import JSON

/// The content of an app receipt. A property is nil when Apple's receipt lacks it.
///
/// - Source: Apple, Receipt Validation Programming Guide, "Receipt Fields".
public struct AppReceipt: Sendable {
  /// `Production`, `ProductionVPP`, `ProductionSandbox`, `ProductionVPPSandbox` or `Xcode` (attribute 0).
  public var type: String?
  /// Apple's number of the app; 0 in sandbox receipts (attribute 1).
  public var appleID: Int64?
  public var bundleID: String?
  public var appVersion: String?
  public var createdAt: Timestamp?
  /// First purchase of the app itself (attribute 18).
  public var originalPurchasedAt: Timestamp?
  public var originalAppVersion: String?
  /// Expiry of a receipt of Apple's Volume Purchase Program.
  public var expiresAt: Timestamp?
  public var inApp: [InAppRecord]
  /// Attributes that Apple does not document.
  public var others: [ReceiptAttribute]
  /// Values that cannot be used, under Apple's names.
  public var unrecognized: [UnrecognizedValue]
  /// Purchase records that cannot be read at all.
  let unreadable: [(raw: [UInt8], reason: String)]

  /// Maximum length of a receipt in bytes.
  public static let bytesMax = 32 << 20
  /// Maximum number of OCTET STRINGs nested around the content; Xcode's receipts have one.
  private static let wrappingsMax = 4
  /// Maximum number of elements in the message around the content; Apple's have a few hundred.
  private static let elementsMax = 50_000
  private static let names: [Int64: String] = [
    0: "receipt_type", 1: "app_item_id", 2: "bundle_id", 3: "application_version", 4: "opaque_value", 5: "sha1_hash",
    12: "receipt_creation_date", 18: "original_purchase_date", 19: "original_application_version",
    21: "expiration_date",
  ]
  private static let inAppType: Int64 = 17

  /// Reads the signed content of a receipt.
  init(content: [UInt8]) throws(BERFault) {
    var left = ReceiptAttributes.countMax
    var attributes = try ReceiptAttributes(Self.set(content), names: Self.names, left: &left)
    let typeText = attributes.text(0)
    // An unreadable type differs from a missing type, which means Sandbox.
    type = typeText ?? (attributes.unrecognized.isEmpty ? nil : "")
    appleID = attributes.integer(1)
    bundleID = attributes.text(2)
    appVersion = attributes.text(3)
    createdAt = attributes.instant(12)
    originalPurchasedAt = attributes.instant(18)
    originalAppVersion = attributes.text(19)
    expiresAt = attributes.instant(21)
    unrecognized = attributes.unrecognized
    var inApp: [InAppRecord] = []
    var unreadable: [(raw: [UInt8], reason: String)] = []
    for attribute in attributes.all where attribute.type == Self.inAppType {
      guard inApp.count + unreadable.count < EvidenceReader.nestedMax else { throw BERFault(reason: EvidenceReader.tooMany) }
      do throws(BERFault) {
        inApp.append(try InAppRecord(attribute.value, left: &left))
      } catch {
        if left < 0 { throw error }
        unreadable.append((attribute.value, error.reason))
      }
    }
    self.inApp = inApp
    self.unreadable = unreadable
    others = attributes.others.filter { $0.type != Self.inAppType }
  }

  private static func set(_ content: [UInt8]) throws(BERFault) -> ArraySlice<UInt8> {
    var bytes = content[...]
    for _ in 0...wrappingsMax {
      let element = try BERReader.single(bytes)
      if element.tag == BERElement.set { return element.content }
      bytes = try BERReader.octets(element)
    }
    throw BERFault(reason: "the content is wrapped more than \(wrappingsMax) times")
  }

  /// Reads a receipt, base64 or DER, without verifying its signature. Returns nil when the bytes are no receipt.
  public static func unverified(_ bytes: [UInt8]) -> AppReceipt? {
    guard let der = ReceiptText.der(bytes), let message = message(der) else { return nil }
    return try? AppReceipt(content: message.content)
  }

  /// Reads the signed message of a receipt. Returns nil when the bytes are none.
  ///
  /// OpenSSL needs many times an element's bytes to parse it, so the elements are counted first.
  static func message(_ der: [UInt8]) -> SignedMessage? { isCountable(der) ? SignedMessage(der) : nil }

  /// Whether the bytes are one complete message of at most `elementsMax` elements.
  static func isCountable(_ der: [UInt8]) -> Bool { BERReader.isCountable(der, elementsMax: elementsMax) }

  /// Environment of the purchases, by the receipt's type. A missing type means Sandbox; a type Apple added later gives nil.
  public var environment: AppStoreEnvironment? {
    switch type {
    case "Production", "ProductionVPP": .production
    case "ProductionSandbox", "ProductionVPPSandbox", nil: .sandbox
    case "Xcode": .xcode
    default: nil
    }
  }
}

/// One in-app purchase of a receipt. A property is nil when the record lacks it.
public struct InAppRecord: Sendable {
  public var quantity: Int64?
  public var productID: String?
  public var transactionID: String?
  public var purchasedAt: Timestamp?
  public var originalTransactionID: String?
  public var originalPurchasedAt: Timestamp?
  public var expiresAt: Timestamp?
  /// nil when the attribute is missing or 0.
  public var webOrderLineItemID: Int64?
  /// Instant of a refund, of the end of family sharing, or of an upgrade.
  public var cancelledAt: Timestamp?
  public var isTrialPeriod: Bool?
  public var isIntroductoryOffer: Bool?
  /// Type of the product. Apple does not document the attribute (1707), but receipts contain it.
  public var productType: ProductType?
  /// Attributes that Apple does not document.
  public var others: [ReceiptAttribute]
  /// Values that cannot be used, under Apple's names.
  public var unrecognized: [UnrecognizedValue]
  /// Encoded bytes of the record.
  public var raw: [UInt8]

  private static let names: [Int64: String] = [
    1701: "quantity", 1702: "product_id", 1703: "transaction_id", 1704: "purchase_date",
    1705: "original_transaction_id", 1706: "original_purchase_date", 1708: "expires_date",
    1711: "web_order_line_item_id", 1712: "cancellation_date", 1713: "is_trial_period",
    1719: "is_in_intro_offer_period",
  ]

  /// Reads one record.
  ///
  /// - Parameter left: attributes that the receipt may still contain.
  init(_ bytes: [UInt8], left: inout Int) throws(BERFault) {
    let element = try BERReader.single(bytes[...])
    guard element.tag == BERElement.set else { throw BERFault(reason: "an in-app purchase is no SET") }
    var attributes = try ReceiptAttributes(element.content, names: Self.names, left: &left)
    raw = bytes
    quantity = attributes.integer(1701)
    productID = attributes.text(1702)
    transactionID = attributes.text(1703)
    purchasedAt = attributes.instant(1704)
    originalTransactionID = attributes.text(1705)
    originalPurchasedAt = attributes.instant(1706)
    expiresAt = attributes.instant(1708)
    let lineItem = attributes.integer(1711)
    webOrderLineItemID = lineItem == 0 ? nil : lineItem
    cancelledAt = attributes.instant(1712)
    isTrialPeriod = attributes.integer(1713).map { $0 != 0 }
    isIntroductoryOffer = attributes.integer(1719).map { $0 != 0 }
    productType = Self.productType(attributes.integer(1707))
    others = attributes.others
    unrecognized = attributes.unrecognized
  }

  private static func productType(_ number: Int64?) -> ProductType? {
    switch number {
    case 0: .nonConsumable
    case 1: .consumable
    case 2: .nonRenewing
    case 3: .autoRenewable
    default: nil
    }
  }

  /// The record as a row of a verifyReceipt answer, so that one reader handles both formats.
  var row: JSONObject {
    var members: [(name: String, value: JSONValue)] = []
    func add(_ name: String, _ value: String?) {
      if let value { members.append((name, .string(value))) }
    }
    func add(_ name: String, _ instant: Timestamp?) {
      if let instant { members.append((name + "_ms", .number(String(instant.microseconds / 1000)))) }
    }
    add("quantity", quantity.map { String($0) })
    add("product_id", productID)
    add("transaction_id", transactionID)
    add("original_transaction_id", originalTransactionID)
    add("web_order_line_item_id", webOrderLineItemID.map { String($0) })
    add("purchase_date", purchasedAt)
    add("original_purchase_date", originalPurchasedAt)
    add("expires_date", expiresAt)
    add("cancellation_date", cancelledAt)
    add("is_trial_period", isTrialPeriod.map { String($0) })
    add("is_in_intro_offer_period", isIntroductoryOffer.map { String($0) })
    return JSONObject(members: members)
  }
}

internal import Cryptography
public import Domain
internal import JSON

/// What an app receipt says; nil where Apple gave nothing.
///
/// - Source: Apple, Receipt Validation Programming Guide, "Receipt Fields".
public struct AppReceipt: Sendable {
  /// `Production`, `ProductionVPP`, `ProductionSandbox`, `ProductionVPPSandbox` or `Xcode` (attribute 0).
  public var type: String?
  /// Apple's number of the app; 0 in sandbox receipts (attribute 1).
  public var appleID: Int64?
  public var bundleID: String?
  public var appVersion: String?
  /// Salt of the device hash (attribute 4).
  public var opaque: [UInt8]
  /// SHA-1 of device id, opaque value and bundle id (attribute 5).
  public var deviceHash: [UInt8]
  public var createdAt: Timestamp?
  /// First purchase of the app itself (attribute 18).
  public var originalPurchasedAt: Timestamp?
  public var originalAppVersion: String?
  /// End of a receipt of Apple's Volume Purchase Program.
  public var expiresAt: Timestamp?
  public var inApp: [InAppRecord]
  /// Attributes that Apple does not document.
  public var others: [ReceiptAttribute]
  /// Values that could not be used, under Apple's names.
  public var unrecognized: [UnrecognizedValue]
  /// Records of purchases that could not be read at all.
  let unreadable: [(raw: [UInt8], reason: String)]

  /// Encoded bundle id, which the device hash covers.
  private var bundleIDValue: [UInt8]

  /// Longest receipt in bytes.
  public static let bytesMax = 32 << 20
  /// Wrappings of the content in OCTET STRINGs; Xcode's has one.
  private static let wrappingsMax = 4
  /// Elements of the message around the content; Apple's have a few hundred.
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
    // A type that is odd is not a missing one, which would mean the sandbox.
    type = typeText ?? (attributes.unrecognized.isEmpty ? nil : "")
    appleID = attributes.integer(1)
    bundleID = attributes.text(2)
    bundleIDValue = attributes[2] ?? []
    appVersion = attributes.text(3)
    opaque = attributes[4] ?? []
    deviceHash = attributes[5] ?? []
    createdAt = attributes.instant(12)
    originalPurchasedAt = attributes.instant(18)
    originalAppVersion = attributes.text(19)
    expiresAt = attributes.instant(21)
    unrecognized = attributes.unrecognized
    var inApp: [InAppRecord] = []
    var unreadable: [(raw: [UInt8], reason: String)] = []
    for attribute in attributes.all where attribute.type == Self.inAppType {
      guard inApp.count + unreadable.count < EvidenceReader.nestedMax else {
        throw BERFault(reason: EvidenceReader.tooMany)
      }
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

  /// Reads a receipt, base64 or DER, without any check of its signature; nil when it is none.
  public static func unverified(_ bytes: [UInt8]) -> AppReceipt? {
    guard let der = ReceiptText.der(bytes), let message = message(der) else { return nil }
    return try? AppReceipt(content: message.content)
  }

  /// Reads the signed message of a receipt; nil when the bytes are none.
  ///
  /// What OpenSSL makes of an element takes many times the element's own bytes, so they are counted first.
  static func message(_ der: [UInt8]) -> SignedMessage? {
    isCountable(der) ? SignedMessage(der) : nil
  }

  /// Whether the bytes are one whole message of at most `elementsMax` elements.
  static func isCountable(_ der: [UInt8]) -> Bool { BERReader.isCountable(der, elementsMax: elementsMax) }

  /// Where the purchases were made: by the type, and Sandbox when there is none; nil for a type Apple added later.
  public var environment: AppStoreEnvironment? {
    switch type {
    case "Production", "ProductionVPP": .production
    case "ProductionSandbox", "ProductionVPPSandbox", nil: .sandbox
    case "Xcode": .xcode
    default: nil
    }
  }

  /// Whether the receipt was made for a device.
  ///
  /// - Parameter guid: 16 bytes of `identifierForVendor`, or the hardware address of a Mac.
  public func isBound(toDevice guid: [UInt8]) -> Bool {
    !deviceHash.isEmpty && SHA1.digest(guid + opaque + bundleIDValue) == deviceHash
  }
}

/// One in-app purchase of a receipt; nil where Apple gave nothing.
public struct InAppRecord: Sendable {
  public var quantity: Int64?
  public var productID: String?
  public var transactionID: String?
  public var purchasedAt: Timestamp?
  public var originalTransactionID: String?
  public var originalPurchasedAt: Timestamp?
  public var expiresAt: Timestamp?
  /// nil when Apple gave none, or 0.
  public var webOrderLineItemID: Int64?
  /// Refunded, taken from the family, or upgraded.
  public var cancelledAt: Timestamp?
  public var isTrialPeriod: Bool?
  public var isIntroductoryOffer: Bool?
  /// Apple documents no attribute for it; receipts have it all the same (1707).
  public var productType: ProductType?
  /// Attributes that Apple does not document.
  public var others: [ReceiptAttribute]
  /// Values that could not be used, under Apple's names.
  public var unrecognized: [UnrecognizedValue]
  /// The record as it stands in the receipt.
  public var raw: [UInt8]

  private static let names: [Int64: String] = [
    1701: "quantity", 1702: "product_id", 1703: "transaction_id", 1704: "purchase_date",
    1705: "original_transaction_id", 1706: "original_purchase_date", 1708: "expires_date",
    1711: "web_order_line_item_id", 1712: "cancellation_date", 1713: "is_trial_period",
    1719: "is_in_intro_offer_period",
  ]

  /// - Parameter left: attributes that the receipt may still have.
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

  /// The record in the words of a verifyReceipt row, so that both are read by one piece of code.
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

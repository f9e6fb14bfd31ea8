internal import Cryptography
public import Domain

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

  /// Encoded bundle id, which the device hash covers.
  private var bundleIDValue: [UInt8]

  /// Longest receipt in bytes.
  public static let bytesMax = 32 << 20
  /// Wrappings of the content in OCTET STRINGs; Xcode's has one.
  private static let wrappingsMax = 4
  private static let documented: Set<Int64> = [0, 1, 2, 3, 4, 5, 12, 18, 19, 21]
  private static let inAppType: Int64 = 17

  /// Reads the signed content of a receipt.
  init(content: [UInt8]) throws(BERFault) {
    let attributes = try ReceiptAttributes(Self.set(content), single: Self.documented)
    type = try attributes.text(0)
    appleID = try attributes.integer(1)
    bundleID = try attributes.text(2)
    bundleIDValue = attributes[2] ?? []
    appVersion = try attributes.text(3)
    opaque = attributes[4] ?? []
    deviceHash = attributes[5] ?? []
    createdAt = try attributes.instant(12)
    originalPurchasedAt = try attributes.instant(18)
    originalAppVersion = try attributes.text(19)
    expiresAt = try attributes.instant(21)
    inApp = []
    others = []
    for attribute in attributes.all {
      if attribute.type == Self.inAppType {
        inApp.append(try InAppRecord(attribute.value))
      } else if !Self.documented.contains(attribute.type) {
        others.append(attribute)
      }
    }
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
    guard let der = ReceiptText.der(bytes), let message = SignedMessage(der) else { return nil }
    return try? AppReceipt(content: message.content)
  }

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
  /// Attributes that Apple does not document.
  public var others: [ReceiptAttribute]
  /// The record as it stands in the receipt.
  public var raw: [UInt8]

  private static let documented = Set<Int64>(1701...1706).union([1708, 1711, 1712, 1713, 1719])

  init(_ bytes: [UInt8]) throws(BERFault) {
    let element = try BERReader.single(bytes[...])
    guard element.tag == BERElement.set else { throw BERFault(reason: "an in-app purchase is no SET") }
    let attributes = try ReceiptAttributes(element.content, single: Self.documented)
    raw = bytes
    quantity = try attributes.integer(1701)
    productID = try attributes.text(1702)
    transactionID = try attributes.text(1703)
    purchasedAt = try attributes.instant(1704)
    originalTransactionID = try attributes.text(1705)
    originalPurchasedAt = try attributes.instant(1706)
    expiresAt = try attributes.instant(1708)
    let lineItem = try attributes.integer(1711)
    webOrderLineItemID = lineItem == 0 ? nil : lineItem
    cancelledAt = try attributes.instant(1712)
    isTrialPeriod = try attributes.integer(1713).map { $0 != 0 }
    isIntroductoryOffer = try attributes.integer(1719).map { $0 != 0 }
    others = attributes.all.filter { !Self.documented.contains($0.type) }
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

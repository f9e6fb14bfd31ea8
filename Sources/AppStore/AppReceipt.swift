internal import Cryptography
internal import Domain
internal import JSON
internal import Wording

/// The content of an app receipt. A property is nil when Apple's receipt lacks it.
///
/// - Source: Apple, Receipt Validation Programming Guide, "Receipt Fields".
struct AppReceipt {
  /// `Production`, `ProductionVPP`, `ProductionSandbox`, `ProductionVPPSandbox` or `Xcode` (attribute 0).
  let type: String?
  /// Apple's number of the app; 0 in sandbox receipts (attribute 1).
  let appleID: Int64?
  let bundleID: String?
  let createdAt: Timestamp?
  let inApp: [InAppRecord]
  /// Values that cannot be used, under Apple's names.
  let unrecognized: [UnrecognizedValue]
  /// Purchase records that cannot be read at all.
  let unreadable: [(raw: [UInt8], reason: Phrase)]

  static let bytesMax = 32 << 20
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

  init(content: [UInt8]) throws(BERFault) {
    var left = ReceiptAttributes.countMax
    var attributes = try ReceiptAttributes(Self.set(content), names: Self.names, left: &left)
    let typeText = attributes.text(0)
    // An unreadable type differs from a missing type, which means Sandbox.
    type = typeText ?? (attributes.unrecognized.isEmpty ? nil : "")
    appleID = attributes.integer(1)
    bundleID = attributes.text(2)
    // Attributes without a use are read, too, so that unusable values are noted.
    _ = attributes.text(3)
    createdAt = attributes.instant(12)
    _ = attributes.instant(18)
    _ = attributes.text(19)
    _ = attributes.instant(21)
    unrecognized = attributes.unrecognized
    var inApp: [InAppRecord] = []
    var unreadable: [(raw: [UInt8], reason: Phrase)] = []
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
  }

  private static func set(_ content: [UInt8]) throws(BERFault) -> ArraySlice<UInt8> {
    var bytes = content[...]
    for _ in 0...wrappingsMax {
      let element = try BERReader.single(bytes)
      if element.tag == BERElement.set { return element.content }
      bytes = try BERReader.octets(element)
    }
    throw BERFault(reason: Phrase("receipt.wrapped", ["max": .plain(wrappingsMax)]))
  }

  /// Reads the signed message of a receipt. Returns nil when the bytes are none.
  ///
  /// OpenSSL needs many times an element's bytes to parse it, so the elements are counted first.
  static func message(_ der: [UInt8]) -> SignedMessage? { isCountable(der) ? SignedMessage(der) : nil }

  /// Whether the bytes are one complete message of at most `elementsMax` elements.
  static func isCountable(_ der: [UInt8]) -> Bool { BERReader.isCountable(der, elementsMax: elementsMax) }

  var environment: AppStoreEnvironment? { Self.environment(ofType: type) }

  /// Returns the environment of a receipt's purchases. A missing type means Sandbox; a type Apple added later gives nil.
  static func environment(ofType type: String?) -> AppStoreEnvironment? {
    switch type {
    case "Production", "ProductionVPP": .production
    case "ProductionSandbox", "ProductionVPPSandbox", nil: .sandbox
    case "Xcode": .xcode
    default: nil
    }
  }
}

struct InAppRecord {
  /// Encoded bytes of the record.
  let raw: [UInt8]
  /// The record as a row of a verifyReceipt answer, so that one reader handles both formats.
  let row: JSONObject
  /// Type of the product; nil when the record lacks it.
  let productType: ProductType?
  /// Values that cannot be used, under Apple's names.
  let unrecognized: [UnrecognizedValue]

  private enum Kind { case text, number, flag, instant }

  private static let fields: [(type: Int64, name: String, kind: Kind)] = [
    (1701, "quantity", .number), (1702, "product_id", .text), (1703, "transaction_id", .text), (1704, "purchase_date", .instant),
    (1705, "original_transaction_id", .text), (1706, "original_purchase_date", .instant), (1708, "expires_date", .instant),
    (1711, "web_order_line_item_id", .number), (1712, "cancellation_date", .instant), (1713, "is_trial_period", .flag),
    (1719, "is_in_intro_offer_period", .flag),
  ]
  private static let names = Dictionary(uniqueKeysWithValues: fields.map { ($0.type, $0.name) })
  /// Apple does not document the attribute of the product type, but receipts contain it.
  private static let productTypeNumber: Int64 = 1707
  private static let productTypes: [Int64: ProductType] = [0: .nonConsumable, 1: .consumable, 2: .nonRenewing, 3: .autoRenewable]

  /// Reads one record.
  ///
  /// - Parameter left: attributes that the receipt may still contain.
  init(_ bytes: [UInt8], left: inout Int) throws(BERFault) {
    let element = try BERReader.single(bytes[...])
    guard element.tag == BERElement.set else { throw BERFault(reason: "receipt.no_set") }
    var attributes = try ReceiptAttributes(element.content, names: Self.names, left: &left)
    var members: [JSONObject.Member] = []
    for (type, name, kind) in Self.fields {
      switch kind {
      case .text: if let text = attributes.text(type) { members.append((name, .string(text))) }
      case .number: if let number = attributes.integer(type) { members.append((name, .string(String(number)))) }
      case .flag: if let number = attributes.integer(type) { members.append((name, .bool(number != 0))) }
      case .instant:
        if let instant = attributes.instant(type) { members.append((name + "_ms", .number(String(instant.microseconds / 1000)))) }
      }
    }
    raw = bytes
    row = JSONObject(members: members)
    let number = attributes.integer(Self.productTypeNumber)
    productType = number.flatMap { Self.productTypes[$0] }
    var unrecognized = attributes.unrecognized
    if let number, productType == nil {
      unrecognized.append(UnrecognizedValue(field: "attribute \(Self.productTypeNumber)", value: "\(number)"))
    }
    self.unrecognized = unrecognized
  }
}

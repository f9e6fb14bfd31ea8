internal import Cryptography
internal import Domain
internal import JSON
internal import Wording

/// A transaction receipt in the style of iOS 6: base64 of `{ "key" = "value"; … }`.
///
/// Only verifyReceipt can check its signature, because the receipt lacks the issuer's certificate.
/// - Source: Apple, SKPaymentTransaction.transactionReceipt (deprecated in iOS 7).
public struct TransactionReceipt: Sendable {
  /// Values of the purchase under Apple's names, such as `transaction-id`.
  public var purchase: [String: String]
  /// `Sandbox` or `Production`; nil when the receipt states neither.
  public var environment: String?

  /// Maximum length of the text in bytes; Apple's have about 4 KB.
  public static let bytesMax = 1 << 20

  /// Reads the base64 text. Returns nil when it is no such receipt.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.bytesMax, bytes.first == UInt8(ascii: "e"), CompactJWS.dot(in: bytes[...]) == nil else {
      return nil
    }
    guard let outer = Self.decoded(bytes).flatMap(Self.pairs),
      let inner = outer["purchase-info"].flatMap({ Base64.decodeStandard(Array($0.utf8)[...]) }).flatMap(Self.pairs)
    else { return nil }
    purchase = inner
    environment = outer["environment"]
  }

  /// Returns the decoded pairs; nil when the text is not their base64.
  static func decoded(_ text: [UInt8]) -> [UInt8]? { LoggedText.decodings(text).first { pairs($0) != nil } }

  /// Reads `{ "key" = "value"; … }`. Returns nil for anything else.
  private static func pairs(_ bytes: [UInt8]) -> [String: String]? {
    var rest = bytes[...]
    func skipSpace() { rest = rest.drop(while: JSONScanner.isSpace) }
    func take(_ character: Unicode.Scalar) -> Bool {
      skipSpace()
      guard rest.first == UInt8(ascii: character) else { return false }
      rest = rest.dropFirst()
      return true
    }
    func quoted() -> String? {
      guard take("\""), let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(validating: rest[..<end], as: UTF8.self)
    }
    var found: [String: String] = [:]
    guard take("{") else { return nil }
    while !take("}") {
      guard let key = quoted(), take("="), let value = quoted(), take(";"), found[key] == nil else { return nil }
      found[key] = value
    }
    skipSpace()
    return rest.isEmpty ? found : nil
  }

  /// The purchase as a row of a verifyReceipt answer.
  var row: JSONObject {
    JSONObject(
      members: purchase.sorted { $0.key < $1.key }.map { key, value in
        (String(key.map { $0 == "-" ? "_" : $0 }), .string(value))
      })
  }
}

extension EvidenceReader {
  /// Reads a transaction receipt in the style of iOS 6. Returns nil when the bytes are none.
  ///
  /// The item stays pending until verifyReceipt has confirmed it.
  func readTransactionReceipt(_ bytes: [UInt8]) -> [EvidenceItem]? {
    guard let receipt = TransactionReceipt(bytes) else { return nil }
    var item = EvidenceItem(
      sha256: SHA256.hex(bytes), kind: .receipt, verdict: .pending, reason: .code("needs_verify_receipt"),
      bundleID: Printable.claim(receipt.purchase["bid"]), environment: Printable.claim(receipt.environment), raw: bytes[...])
    let context = LegacyContext(bundleID: item.bundleID, environment: item.environment, statedAt: nil)
    let row = LegacyRow(receipt.row, in: context)
    item.unrecognized = row.unrecognized
    guard let transaction = row.transaction else { return [item] }
    return [item, nested(bytes[...], kind: .transaction, in: item) { nested in nested.transaction = transaction }]
  }
}

/// The identity of a charge. Transactions with equal identities are one charge.
public struct ChargeIdentity: Hashable, Sendable {
  /// Parts in a fixed order. The charge id is the hash of the parts joined by U+001F.
  public let parts: [String]

  /// Builds the identity by type and environment.
  ///
  /// Product and purchase instant identify a renewable charge in every environment. So a Production line item with another product or
  /// purchase instant is another charge (`ID_CONFLICT`).
  ///
  /// - Parameters:
  ///   - purchasedAt: Apple's purchase instant in whole seconds, the precision of receipts.
  ///   - lineItemID: web order line item id; nil if Apple gave none.
  ///   - hasExpiry: whether Apple gave an end. A charge without a type but with an end is a period of a subscription.
  public init(
    environment: String, bundleID: String, type: ProductType?, originalTransactionID: String,
    lineItemID: String?, productID: String, purchasedAt: Timestamp, hasExpiry: Bool = false
  ) {
    var parts = [environment, bundleID, originalTransactionID]
    if type == .autoRenewable || (type == nil && (lineItemID != nil || hasExpiry)) {
      parts += [lineItemID ?? "", productID, String(purchasedAt.wholeSeconds)]
    }
    self.parts = parts
  }

  public var text: String { parts.joined(separator: "\u{1F}") }
}

/// The identity of a charge. Transactions with equal identities are one charge.
public struct ChargeIdentity: Hashable, Sendable {
  /// Parts in a fixed order. The charge id is the hash of the parts joined by U+001F.
  public let parts: [String]

  /// Builds the identity by type and environment.
  ///
  /// Product and purchase instant are part of a renewable charge's identity in every environment. A Production line item with another
  /// product or purchase instant is another charge (`ID_CONFLICT`).
  ///
  /// - Parameter purchasedAt: Apple's purchase instant in whole seconds, the precision of receipts.
  /// - Parameter lineItemID: web order line item id; nil if Apple gave none.
  /// - Parameter hasExpiry: whether Apple gave an end. Without a type, an end also shows a period of a subscription.
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

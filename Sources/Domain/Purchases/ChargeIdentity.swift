/// What makes two transactions one charge.
public struct ChargeIdentity: Hashable, Sendable {
  /// Parts in a fixed order; the charge id is the hash of these joined by U+001F.
  public let parts: [String]

  /// Builds the identity by type and environment.
  ///
  /// A Production line item that comes back with another product or purchase instant is another charge (an
  /// `ID_CONFLICT`), so both belong to the identity of a renewable charge everywhere.
  /// - Parameter purchasedAt: Apple's purchase instant; counted in whole seconds, as receipts tell no finer one.
  /// - Parameter lineItemID: web order line item id; nil when Apple gave none.
  /// - Parameter hasExpiry: whether Apple gave an end; without a type that, too, tells a period of a subscription.
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

import Collect
import Domain
import FoundationEssentials
import JobCore
public import SimulatedSigning

/// Receipts of StoreKit 1 for tests: signed app receipts and answers of verifyReceipt.
extension Scenario {
  /// Returns a line with an app receipt that lists purchases, with the fields of app receipts only.
  public static func receipt(
    _ purchases: [ApplePurchase], createdAt: String, by authority: SimulatedAuthority = authority
  ) -> String {
    let head = [
      attribute(0, utf8("Production")), attribute(1, integer(1_500_000_001)), attribute(2, utf8("com.acme.reader")),
      attribute(12, ia5(createdAt)),
    ]
    let content = set(head + purchases.map { attribute(17, set($0.receiptAttributes)) })
    return Data(authority.signReceipt(content)).base64EncodedString()
  }

  /// Returns an answer of verifyReceipt that lists purchases and, as JSON objects, pending renewals.
  public static func answer(_ purchases: [ApplePurchase], at requestedAt: String, pending: [String] = []) -> String {
    let receipt = """
      {"receipt_type":"Production","bundle_id":"com.acme.reader",\
      "request_date_ms":"\(instant(requestedAt).microseconds / 1000)","in_app":[]}
      """
    return """
      {"status":0,"environment":"Production","receipt":\(receipt),\
      "latest_receipt_info":[\(purchases.map(\.answerRow).joined(separator: ","))],\
      "pending_renewal_info":[\(pending.joined(separator: ","))]}
      """
  }

  /// Stores answers that Apple's server sent to payrecon.
  public func fromApple(_ items: [String], asOf: String) async throws {
    let context = try context(asOf: asOf)
    try await context.withSession { session in
      let sink = try EvidenceSink(context: context, session: session)
      let batchID = try await sink.openBatch("answers", runID: "test")
      _ = try await sink.store(items.map { Array($0.utf8) }, name: "answers", batchID: batchID, isLast: true) { _, _ in }
    }
  }
}

extension ApplePurchase {
  /// The purchase's fields in an app receipt: no token, price or ownership, and never the cancellation of a consumable.
  fileprivate var receiptAttributes: [[UInt8]] {
    var found = [
      attribute(1701, integer(Int64(quantity))), attribute(1702, utf8(productID)), attribute(1703, utf8(transactionID)),
      attribute(1704, ia5(purchasedAt.rfc3339)), attribute(1705, utf8(originalTransactionID)),
      attribute(1706, ia5((originalPurchasedAt ?? purchasedAt).rfc3339)),
    ]
    if let expiresAt { found.append(attribute(1708, ia5(expiresAt.rfc3339))) }
    if let line = webOrderLineItemID.flatMap({ Int64($0) }) { found.append(attribute(1711, integer(line))) }
    if let revokedAt, type != "Consumable" { found.append(attribute(1712, ia5(revokedAt.rfc3339))) }
    return found
  }

  /// The purchase's fields in an answer of verifyReceipt.
  fileprivate var answerRow: String {
    func instant(_ name: String, _ at: Timestamp) -> String { text(name + "_ms", "\(at.microseconds / 1000)") }
    var fields = [
      text("quantity", "\(quantity)"), text("product_id", productID), text("transaction_id", transactionID),
      text("original_transaction_id", originalTransactionID), instant("purchase_date", purchasedAt),
      instant("original_purchase_date", originalPurchasedAt ?? purchasedAt), text("in_app_ownership_type", ownership),
    ]
    if let webOrderLineItemID { fields.append(text("web_order_line_item_id", webOrderLineItemID)) }
    if let expiresAt { fields.append(instant("expires_date", expiresAt)) }
    if isUpgraded { fields.append(text("is_upgraded", "true")) }
    if let token { fields.append(text("app_account_token", token)) }
    if let revokedAt, type != "Consumable" { fields.append(instant("cancellation_date", revokedAt)) }
    return "{\(fields.joined(separator: ","))}"
  }
}

private func integer(_ number: Int64) -> [UInt8] { DER.integer((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }) }
private func utf8(_ text: String) -> [UInt8] { DER.value(0x0C, Array(text.utf8)) }
private func ia5(_ text: String) -> [UInt8] { DER.value(0x16, Array(text.utf8)) }
private func set(_ parts: [[UInt8]]) -> [UInt8] { DER.value(0x31, Array(parts.joined())) }

private func attribute(_ type: Int64, _ content: [UInt8]) -> [UInt8] {
  DER.value(0x30, integer(type) + integer(1) + DER.value(0x04, content))
}

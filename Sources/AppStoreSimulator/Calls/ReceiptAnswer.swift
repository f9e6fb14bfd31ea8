/// The JSON of a verifyReceipt answer.
struct ReceiptAnswer: Sendable {
  let store: StoreState
  let issuedAt: Moment

  private typealias Members = [JSONValue.Member]

  /// Maximum number of purchases in one receipt.
  private static let rowsMax = 10_000

  func app(_ customer: StoreState.Customer, latest: String) -> JSONValue {
    let isProduction = store.environment == .production
    let all = customer.transactions.suffix(Self.rowsMax).compactMap { store.transactions[$0] }
    let atIssue = all.filter { $0.purchasedAt <= issuedAt }
    var receipt: Members = [
      member("receipt_type", isProduction ? "Production" : "ProductionSandbox"),
      number("adam_id", isProduction ? store.app.appleID : 0),
      number("app_item_id", isProduction ? store.app.appleID : 0),
      member("bundle_id", store.app.bundleID),
      member("application_version", isProduction ? store.app.version : "1.0"),
      number("download_id", isProduction ? 500_000_000_001 : 0),
      number("version_external_identifier", isProduction ? 860_000_000 : 0),
    ]
    receipt += dates("receipt_creation_date", issuedAt)
    receipt += dates("request_date", store.now)
    receipt += dates("original_purchase_date", isProduction ? customer.installedAt : Receipts.sandboxInstall)
    receipt += [
      member("original_application_version", isProduction ? store.app.version : "1.0"),
      JSONValue.Member(name: "in_app", value: .array(atIssue.map { .object(row($0)) })),
    ]
    var answer: Members = [
      number("status", 0), member("environment", store.environment.rawValue),
      JSONValue.Member(name: "receipt", value: .object(receipt)),
    ]
    let own = customer.subscriptions.sorted { $0.key < $1.key }.compactMap { store.subscriptions[$0.value] }
    guard !own.isEmpty else { return .object(answer) }
    answer += [
      // Apple guarantees no order; observed answers list the newest first.
      JSONValue.Member(name: "latest_receipt_info", value: .array(all.reversed().map { .object(row($0)) })),
      member("latest_receipt", latest),
      JSONValue.Member(name: "pending_renewal_info", value: .array(own.map { .object(pending($0)) })),
    ]
    return .object(answer)
  }

  private func row(_ transaction: Transaction) -> Members {
    var members: Members = [
      member("quantity", String(transaction.quantity)),
      member("product_id", transaction.productID),
      member("transaction_id", transaction.id),
      member("original_transaction_id", transaction.originalID),
    ]
    members += dates("purchase_date", transaction.purchasedAt)
    members += dates("original_purchase_date", transaction.originallyPurchasedAt)
    if let end = transaction.expiresAt { members += dates("expires_date", end) }
    if let item = transaction.lineItemID { members.append(member("web_order_line_item_id", item)) }
    members.append(member("is_trial_period", "false"))
    if transaction.kind == .autoRenewable { members.append(member("is_in_intro_offer_period", "false")) }
    if transaction.isUpgraded { members.append(member("is_upgraded", "true")) }
    if let revocation = transaction.revocation, transaction.kind != .consumable {
      members += dates("cancellation_date", revocation.at)
      members.append(member("cancellation_reason", "0"))
    }
    members.append(member("in_app_ownership_type", "PURCHASED"))
    if let group = transaction.group { members.append(member("subscription_group_identifier", group)) }
    if let token = transaction.appAccountToken { members.append(member("app_account_token", token)) }
    return members
  }

  private func pending(_ subscription: Subscription) -> Members {
    var members: Members = [
      member("original_transaction_id", subscription.originalID),
      member("product_id", subscription.productID),
      member("auto_renew_product_id", subscription.renewalProductID),
      member("auto_renew_status", subscription.isRenewing ? "1" : "0"),
    ]
    if let intent = subscription.intent {
      members.append(member("expiration_intent", String(intent.rawValue)))
    }
    let isTrying = subscription.status == .billingRetry || subscription.status == .grace
    if isTrying || subscription.intent == .billing {
      members.append(member("is_in_billing_retry_period", isTrying ? "1" : "0"))
    }
    if subscription.status == .grace, let end = subscription.graceEndsAt {
      members += dates("grace_period_expires_date", end)
    }
    if subscription.raisedPrice != nil {
      members += [member("price_consent_status", "0"), member("price_increase_status", "0")]
    }
    return members
  }

  private func member(_ name: String, _ text: String) -> JSONValue.Member {
    JSONValue.Member(name: name, value: .text(text))
  }

  private func number(_ name: String, _ number: Int64) -> JSONValue.Member {
    JSONValue.Member(name: name, value: .integer(number))
  }

  /// Returns a date as text and in milliseconds. Apple's third format, in the time of California, is not simulated.
  private func dates(_ name: String, _ moment: Moment) -> Members {
    let text = Moment(milliseconds: moment.milliseconds / 1000 * 1000).text.replacing("T", with: " ").replacing("Z", with: "")
    return [member(name, "\(text) Etc/GMT"), member("\(name)_ms", String(moment.milliseconds))]
  }
}

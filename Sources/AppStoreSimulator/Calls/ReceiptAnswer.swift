/// The JSON of a verifyReceipt answer.
struct ReceiptAnswer: Sendable {
  let store: StoreState
  let issuedAt: Moment

  private static let rowsMax = 10_000

  func app(_ customer: StoreState.Customer, latest: String) -> JSONValue {
    let isProduction = store.environment == .production
    let all = customer.transactions.suffix(Self.rowsMax).compactMap { store.transactions[$0] }
    let atIssue = all.filter { $0.purchasedAt <= issuedAt }
    let installedAt = isProduction ? customer.installedAt : Receipts.sandboxInstall
    let appleID = JSONValue.integer(isProduction ? store.app.appleID : 0)
    let version = JSONValue.text(isProduction ? store.app.version : "1.0")
    let receipt = JSONValue.members(
      ("receipt_type", .text(isProduction ? "Production" : "ProductionSandbox")),
      ("adam_id", appleID),
      ("app_item_id", appleID),
      ("bundle_id", .text(store.app.bundleID)),
      ("application_version", version),
      ("download_id", isProduction ? 500_000_000_001 : 0),
      ("version_external_identifier", isProduction ? 860_000_000 : 0),
      ("receipt_creation_date", text(issuedAt)), ("receipt_creation_date_ms", milliseconds(issuedAt)),
      ("request_date", text(store.now)), ("request_date_ms", milliseconds(store.now)),
      ("original_purchase_date", text(installedAt)), ("original_purchase_date_ms", milliseconds(installedAt)),
      ("original_application_version", version),
      ("in_app", .array(atIssue.map(row))))
    let own = customer.subscriptions.sorted { $0.key < $1.key }.compactMap { store.subscriptions[$0.value] }
    let hasSubscriptions = !own.isEmpty
    return .members(
      ("status", 0), ("environment", .text(store.environment.rawValue)), ("receipt", receipt),
      // Apple guarantees no order; observed answers list the newest first.
      ("latest_receipt_info", hasSubscriptions ? .array(all.reversed().map(row)) : nil),
      ("latest_receipt", hasSubscriptions ? .text(latest) : nil),
      ("pending_renewal_info", hasSubscriptions ? .array(own.map(pending)) : nil))
  }

  private func row(_ transaction: Transaction) -> JSONValue {
    let refundedAt = transaction.kind == .consumable ? nil : transaction.revocation?.at
    return .members(
      ("quantity", .text(String(transaction.quantity))),
      ("product_id", .text(transaction.productID)),
      ("transaction_id", .text(transaction.id)),
      ("original_transaction_id", .text(transaction.originalID)),
      ("purchase_date", text(transaction.purchasedAt)), ("purchase_date_ms", milliseconds(transaction.purchasedAt)),
      ("original_purchase_date", text(transaction.originallyPurchasedAt)),
      ("original_purchase_date_ms", milliseconds(transaction.originallyPurchasedAt)),
      ("expires_date", transaction.expiresAt.map(text)), ("expires_date_ms", transaction.expiresAt.map(milliseconds)),
      ("web_order_line_item_id", transaction.lineItemID.map { .text($0) }),
      ("is_trial_period", "false"),
      ("is_in_intro_offer_period", transaction.kind == .autoRenewable ? "false" : nil),
      ("is_upgraded", transaction.isUpgraded ? "true" : nil),
      ("cancellation_date", refundedAt.map(text)), ("cancellation_date_ms", refundedAt.map(milliseconds)),
      ("cancellation_reason", refundedAt.map { _ in "0" }),
      ("in_app_ownership_type", "PURCHASED"),
      ("subscription_group_identifier", transaction.group.map { .text($0) }),
      ("app_account_token", transaction.appAccountToken.map { .text($0) }))
  }

  private func pending(_ subscription: Subscription) -> JSONValue {
    let isTrying = subscription.status == .billingRetry || subscription.status == .grace
    let graceEndsAt = subscription.status == .grace ? subscription.graceEndsAt : nil
    return .members(
      ("original_transaction_id", .text(subscription.originalID)),
      ("product_id", .text(subscription.productID)),
      ("auto_renew_product_id", .text(subscription.renewalProductID)),
      ("auto_renew_status", subscription.isRenewing ? "1" : "0"),
      ("expiration_intent", subscription.intent.map { .text(String($0.rawValue)) }),
      ("is_in_billing_retry_period", isTrying ? "1" : subscription.intent == .billing ? "0" : nil),
      ("grace_period_expires_date", graceEndsAt.map(text)), ("grace_period_expires_date_ms", graceEndsAt.map(milliseconds)),
      ("price_consent_status", subscription.raisedPrice.map { _ in "0" }),
      ("price_increase_status", subscription.raisedPrice.map { _ in "0" }))
  }

  /// Returns a date as text. Apple's other format, in the time of California, is not simulated.
  private func text(_ moment: Moment) -> JSONValue {
    let text = Moment(milliseconds: moment.milliseconds / 1000 * 1000).text.replacing("T", with: " ").replacing("Z", with: "")
    return .text("\(text) Etc/GMT")
  }

  private func milliseconds(_ moment: Moment) -> JSONValue { .text(String(moment.milliseconds)) }
}

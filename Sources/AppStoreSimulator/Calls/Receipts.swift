internal import Cryptography

/// Legacy receipts: opaque texts that only this simulator can read, and verifyReceipt's answers to them.
///
/// - Source: App Store receipts, verifyReceipt.
struct Receipts: Sendable {
  let secret: String

  /// 2013-08-01T07:00:00Z, the purchase date of every app in the sandbox.
  static let sandboxInstall = Moment(milliseconds: 1_375_340_400_000)
  /// Maximum number of purchases in one receipt.
  private static let rowsMax = 10_000

  /// The two forms of a receipt.
  enum Form: String, Sendable, CaseIterable {
    case app
    /// A single transaction, as before iOS 7.
    case transaction
  }

  /// Returns the text of a receipt.
  ///
  /// - Parameter subject: a customer, or a transaction for the old form.
  func issue(_ form: Form, for subject: String, in store: StoreState) -> String {
    let parts = ["simulated-receipt", form.rawValue, store.environment.rawValue, subject, String(store.now.milliseconds)]
    let content = parts.joined(separator: "|")
    return Base64.encodeStandard(Array("\(content)|\(seal(content))".utf8))
  }

  private func seal(_ content: String) -> String { String(SHA256.hex(Array("\(secret)\n\(content)".utf8)).prefix(32)) }

  /// The content of a receipt text.
  private struct Content {
    let form: Form
    let environment: StoreEnvironment
    let subject: String
    let issuedAt: Moment
  }

  private func read(_ text: String) -> (content: Content?, status: Int) {
    guard let bytes = Base64.decodeStandard(Array(text.utf8)[...]) else { return (nil, 21002) }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count == 6, parts[0] == "simulated-receipt", let form = Form(rawValue: String(parts[1])),
      let environment = StoreEnvironment(rawValue: String(parts[2])), let issued = Int64(parts[4])
    else { return (nil, 21002) }
    guard seal(parts[0..<5].joined(separator: "|")) == parts[5] else { return (nil, 21003) }
    let content = Content(form: form, environment: environment, subject: String(parts[3]), issuedAt: Moment(milliseconds: issued))
    return (content, 0)
  }

  func verify(_ call: Call, in store: StoreState) -> Draft {
    guard call.request.method == "POST" else { return answer(21000) }
    if case .receiptStatus(let status, let isRetryable)? = call.fault {
      return answer(status, isRetryable: isRetryable)
    }
    guard let body = call.body, let text = body["receipt-data"]?.text else { return answer(21002) }
    let (content, status) = read(text)
    guard let content else { return answer(status) }
    guard content.environment == store.environment else { return answer(content.environment == .sandbox ? 21007 : 21008) }
    guard body["password"]?.text == store.app.sharedSecret else { return answer(21004) }
    let isLatestOnly = body["exclude-old-transactions"]?.bool ?? false
    let issuer = ReceiptAnswer(store: store, issuedAt: content.issuedAt)
    switch content.form {
    case .app:
      guard let customer = store.customers[content.subject] else { return answer(21010) }
      let latest = issue(.app, for: content.subject, in: store)
      let value = issuer.app(customer, latest: latest, isLatestOnly: isLatestOnly, rowsMax: Self.rowsMax)
      return { .json(200, value) }
    case .transaction:
      guard let transaction = store.transactions[content.subject] else { return answer(21010) }
      let value = issuer.transaction(transaction, latest: text)
      return { .json(200, value) }
    }
  }

  private func answer(_ status: Int, isRetryable: Bool? = nil) -> Draft {
    {
      .json(
        200,
        .members(("status", .integer(Int64(status))), ("is-retryable", isRetryable.map { .bool($0) })))
    }
  }
}

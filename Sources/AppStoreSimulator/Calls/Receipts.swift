internal import Cryptography

/// Legacy receipts: opaque texts that only this simulator can read, and verifyReceipt's answers to them.
///
/// - Source: App Store receipts, verifyReceipt.
struct Receipts: Sendable {
  let secret: String

  /// 2013-08-01T07:00:00Z, the purchase date of every app in the sandbox.
  static let sandboxInstall = Moment(milliseconds: 1_375_340_400_000)

  /// Returns the text of a receipt with all of a customer's purchases.
  func issue(for customer: String, in store: StoreState) -> String {
    let parts = ["simulated-receipt", store.environment.rawValue, customer, String(store.now.milliseconds)]
    let content = parts.joined(separator: "|")
    return Base64.encodeStandard(Array("\(content)|\(seal(content))".utf8))
  }

  private func seal(_ content: String) -> String { String(SHA256.hex(Array("\(secret)\n\(content)".utf8)).prefix(32)) }

  private struct Content {
    let environment: StoreEnvironment
    let customer: String
    let issuedAt: Moment
  }

  private func read(_ text: String) -> (content: Content?, status: Int) {
    guard let bytes = Base64.decodeStandard(Array(text.utf8)[...]) else { return (nil, 21002) }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "simulated-receipt", let environment = StoreEnvironment(rawValue: String(parts[1])),
      let issued = Int64(parts[3])
    else { return (nil, 21002) }
    guard seal(parts[0..<4].joined(separator: "|")) == parts[4] else { return (nil, 21003) }
    return (Content(environment: environment, customer: String(parts[2]), issuedAt: Moment(milliseconds: issued)), 0)
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
    guard let customer = store.customers[content.customer] else { return answer(21010) }
    let latest = issue(for: content.customer, in: store)
    let value = ReceiptAnswer(store: store, issuedAt: content.issuedAt).app(customer, latest: latest)
    return { .json(200, value) }
  }

  private func answer(_ status: Int, isRetryable: Bool? = nil) -> Draft {
    { .ok(("status", .integer(Int64(status))), ("is-retryable", isRetryable.map { .bool($0) })) }
  }
}

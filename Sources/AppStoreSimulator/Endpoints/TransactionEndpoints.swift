/// Endpoints about one transaction or order.
enum TransactionEndpoints {
  static let missingTransaction = APIFailure(4_040_010, "Transaction id not found.")
  static let missingOriginal = APIFailure(4_040_005, "Original transaction id not found.")
  static let invalidTransaction = APIFailure(4_000_006, "Invalid transaction id.")
  static let appTransactionHere = APIFailure(4_000_048, "Invalid request. App transaction id is not supported.")
  /// Maximum length of an identifier.
  private static let identifierMax = 64

  static func check(_ id: String) throws(APIFailure) {
    guard (1...identifierMax).contains(id.utf8.count), id.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else {
      throw invalidTransaction
    }
  }

  static func find(_ id: String, in store: StoreState) throws(APIFailure) -> Transaction {
    try check(id)
    if let transaction = store.transactions[id] { return transaction }
    throw store.appTransactions[id] == nil ? missingTransaction : appTransactionHere
  }

  /// Returns the customer that any identifier belongs to.
  static func owner(_ id: String, in store: StoreState) throws(APIFailure) -> StoreState.Customer {
    try check(id)
    guard let owner = store.owner(ofAny: id) else { throw missingTransaction }
    return owner
  }

  static func info(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let transaction = try find(call.argument, in: store)
    let now = store.now
    return { .json(200, .members(("signedTransactionInfo", call.signer.sign(transaction, at: now)))) }
  }

  /// Looks up an order. Answers 200 whether or not the order exists; the sandbox lacks the endpoint.
  static func order(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    guard store.environment == .production else { return { .text(404, "Not Found\n") } }
    let transactions = store.order(call.argument)
    let now = store.now
    return {
      let signed = transactions.map { call.signer.sign($0, at: now) }
      return .json(
        200,
        .members(("status", transactions.isEmpty ? 1 : 0), ("signedTransactions", .array(Page.arrange(signed, call.fault)))))
    }
  }

  static func appTransaction(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let owner = try owner(call.argument, in: store)
    let now = store.now
    return { .json(200, .members(("signedAppTransactionInfo", call.signer.sign(owner, at: now)))) }
  }

  static func finish(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let transaction = try find(call.argument, in: store)
    if !transaction.isFinished { store.change(transaction.id) { $0.isFinished = true } }
    return { .empty(200) }
  }

  static func appAccountToken(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let id = call.argument
    try check(id)
    guard store.appTransactions[id] == nil else { throw appTransactionHere }
    guard let transaction = store.transactions[id] else { throw missingOriginal }
    guard transaction.originalID == id else {
      throw APIFailure(4_000_187, "Invalid request. The transaction id is not an original transaction id.")
    }
    guard !transaction.isFamilyShared else {
      throw APIFailure(4_000_185, "Invalid request. Family transactions aren't supported by this endpoint.")
    }
    guard let token = call.body?["appAccountToken"]?.text, isUUID(token) else {
      throw APIFailure(4_000_183, "Invalid request. The app account token field must be a valid UUID.")
    }
    store.setAppAccountToken(id, token)
    return { .empty(200) }
  }

  /// Returns whether a text is a UUID.
  ///
  /// - Source: RFC 9562, 4.
  static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36 else { return false }
    return bytes.indices.allSatisfy { place in
      if [8, 13, 18, 23].contains(place) { return bytes[place] == 0x2D }
      switch bytes[place] {
      case 0x30...0x39, 0x41...0x46, 0x61...0x66: return true
      default: return false
      }
    }
  }
}

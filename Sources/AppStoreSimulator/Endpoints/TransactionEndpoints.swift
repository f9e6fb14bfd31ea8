/// Endpoints about one transaction or order.
enum TransactionEndpoints {
  static let missingTransaction = APIFailure(4_040_010, "Transaction id not found.")
  static let invalidTransaction = APIFailure(4_000_006, "Invalid transaction id.")
  private static let identifierMax = 64

  static func find(_ id: String, in store: StoreState) throws(APIFailure) -> Transaction {
    guard (1...identifierMax).contains(id.utf8.count), id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw invalidTransaction }
    guard let transaction = store.transactions[id] else { throw missingTransaction }
    return transaction
  }

  static func owner(_ id: String, in store: StoreState) throws(APIFailure) -> StoreState.Customer {
    guard let owner = store.customers[try find(id, in: store).customer] else { throw missingTransaction }
    return owner
  }

  static func info(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let transaction = try find(call.argument, in: store)
    let now = store.now
    return { .ok(("signedTransactionInfo", call.signer.sign(transaction, at: now))) }
  }

  /// Looks up an order. Answers 200 whether or not the order exists; the sandbox lacks the endpoint.
  static func order(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    guard store.environment == .production else { return { .text(404, "Not Found\n") } }
    let transactions = (store.orders[call.argument] ?? []).compactMap { store.transactions[$0] }
    let now = store.now
    return {
      let signed = transactions.map { call.signer.sign($0, at: now) }
      return .ok(("status", transactions.isEmpty ? 1 : 0), ("signedTransactions", .array(Page.arrange(signed, call.fault))))
    }
  }
}

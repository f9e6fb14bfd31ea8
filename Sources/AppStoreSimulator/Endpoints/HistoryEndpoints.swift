/// Transaction history and refund history.
enum HistoryEndpoints {
  /// Returns a page of a customer's transactions in the order of their last changes. Apple's filters and other order are not simulated.
  ///
  /// - Source: App Store Server API, Get Transaction History.
  static func history(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let hasFilter = call.request.query.contains { $0.name != "revision" && !($0.name == "sort" && $0.value == "ASCENDING") }
    guard !hasFilter else { throw .badRequest }
    return try page(call, store) { $0.sequence }
  }

  /// Returns a page of a customer's refunds in order of date.
  static func refunds(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    try page(call, store) { $0.revocation?.sequence }
  }

  /// Returns the page after the request's revision.
  ///
  /// - Parameter rank: position of a transaction in the list; nil if the list does not contain it.
  private static func page(_ call: Call, _ store: StoreState, rank: (Transaction) -> Int?) throws(APIFailure) -> Draft {
    let owner = try TransactionEndpoints.owner(call.argument, in: store)
    let scope = "\(store.environment.rawValue)\n\(owner.id)\n\(call.route.endpoint.rawValue)"
    let last = try lastRank(call, scope: scope)
    let rows = owner.transactions.compactMap { id in store.transactions[id].flatMap { row in rank(row).map { (row, rank: Int64($0)) } } }
      .sorted { $0.rank < $1.rank }
    let next = rows.firstIndex { $0.rank > last } ?? rows.count
    let start = max(0, next - Page.overlap(call.fault))
    let page = rows[start..<min(start + PageTokens.pageMax, rows.count)]
    let revision = call.tokens.make(page.last?.rank ?? last, scope: scope)
    let hasMore = page.endIndex < rows.count
    let transactions = page.map(\.0)
    let isRefunds = call.route.endpoint == .refundHistory
    let environment = store.environment
    let app = store.app
    let now = store.now
    return {
      let signed = Page.arrange(transactions.map { call.signer.sign($0, at: now) }, call.fault)
      return .ok(
        ("revision", .text(revision)),
        ("bundleId", isRefunds ? nil : .text(app.bundleID)),
        ("appAppleId", isRefunds || environment == .sandbox ? nil : .integer(app.appleID)),
        ("environment", isRefunds ? nil : .text(environment.rawValue)),
        ("hasMore", .bool(hasMore)),
        ("signedTransactions", .array(signed)))
    }
  }

  /// Returns the rank after which a request's revision continues; 0 for the first page.
  private static func lastRank(_ call: Call, scope: String) throws(APIFailure) -> Int64 {
    guard let revision = call.request.value("revision") else { return 0 }
    if case .refusedRevision? = call.fault { throw .invalidRevision }
    guard let token = call.tokens.read(revision, scope: scope) else { throw .invalidRevision }
    return token.place
  }
}

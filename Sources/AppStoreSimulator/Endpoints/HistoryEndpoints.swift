/// Transaction history and refund history.
enum HistoryEndpoints {
  static let invalidRevision = APIFailure(4_000_005, "Invalid revision.")

  /// Returns a page of a customer's transactions.
  ///
  /// - Source: App Store Server API, Get Transaction History.
  static func history(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let owner = try TransactionEndpoints.owner(call.argument, in: store)
    let filter = try HistoryFilter(call.request, leavesOutFinished: call.route.endpoint == .historyV1)
    let scope = "\(store.environment.rawValue)\n\(owner.id)\n\(filter.scope)"
    let after = try place(call, scope: scope)
    var rows = owner.transactions.compactMap { store.transactions[$0] }.filter(filter.takes)
    let isDescending = filter.isDescending
    rows.sort { isDescending ? $0.sequence > $1.sequence : $0.sequence < $1.sequence }
    let from = rows.firstIndex { row in after.map { isDescending ? row.sequence < $0 : row.sequence > $0 } ?? true }
    return page(rows, from: from ?? rows.count, last: after, call: call, store: store, scope: scope) {
      Int64($0.sequence)
    }
  }

  /// Returns a page of a customer's granted refunds in order of date.
  static func refunds(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let owner = try TransactionEndpoints.owner(call.argument, in: store)
    let scope = "\(store.environment.rawValue)\n\(owner.id)\nrefunds"
    let after = try place(call, scope: scope)
    func rank(_ row: Transaction) -> Int64 { Int64(row.revocation?.sequence ?? 0) }
    var rows = owner.transactions.compactMap { store.transactions[$0] }
    rows = rows.filter { $0.revocation.map { $0.kind != .family } ?? false }
    rows.sort { rank($0) < rank($1) }
    let from = rows.firstIndex { row in after.map { rank(row) > $0 } ?? true }
    return page(rows, from: from ?? rows.count, last: after, call: call, store: store, scope: scope, rank: rank)
  }

  /// Returns the position after which a request's revision continues; nil for the first page.
  private static func place(_ call: Call, scope: String) throws(APIFailure) -> Int64? {
    guard let revision = call.request.value("revision") else { return nil }
    if case .refusedRevision? = call.fault { throw invalidRevision }
    guard let token = call.tokens.read(revision, scope: scope) else { throw invalidRevision }
    return token.place
  }

  private static func page(
    _ rows: [Transaction], from: Int, last: Int64?, call: Call, store: StoreState, scope: String,
    rank: (Transaction) -> Int64
  ) -> Draft {
    let start = max(0, from - Page.overlap(call.fault))
    let page = Array(rows[start..<min(start + PageTokens.pageMax, rows.count)])
    let place = page.last.map(rank) ?? last ?? 0
    let hasMore = start + page.count < rows.count
    let revision = call.tokens.make(place, scope: scope)
    let isRefunds = call.route.endpoint == .refundHistory
    let environment = store.environment
    let app = store.app
    let now = store.now
    return {
      let signed = Page.arrange(page.map { call.signer.sign($0, at: now) }, call.fault)
      return .json(
        200,
        .members(
          ("revision", .text(revision)),
          ("bundleId", isRefunds ? nil : .text(app.bundleID)),
          ("appAppleId", isRefunds || environment == .sandbox ? nil : .integer(app.appleID)),
          ("environment", isRefunds ? nil : .text(environment.rawValue)),
          ("hasMore", .bool(hasMore)),
          ("signedTransactions", .array(signed))))
    }
  }
}

/// The filter of a history request.
struct HistoryFilter: Sendable {
  private var start: Int64?
  private var end: Int64?
  private var products: Set<String> = []
  private var kinds: Set<String> = []
  private var groups: Set<String> = []
  private var isRevoked: Bool?
  private var ownership: String?
  private let leavesOutFinished: Bool
  var isDescending = false
  /// The whole filter as one text; a revision is valid only for the same filter.
  let scope: String

  init(_ request: StoreRequest, leavesOutFinished: Bool) throws(APIFailure) {
    self.leavesOutFinished = leavesOutFinished
    let parts = request.query.filter { $0.name != "revision" }.map { "\($0.name)=\($0.value)" }
    scope = "\(leavesOutFinished)&" + parts.sorted().joined(separator: "&")
    start = try Self.instant(request.value("startDate"), code: 4_000_015, name: "startDate")
    end = try Self.instant(request.value("endDate"), code: 4_000_016, name: "endDate")
    if let start, let end, start >= end {
      throw APIFailure(4_000_013, "Invalid request. The end date must be after the start date.")
    }
    products = Set(request.values("productId"))
    guard !products.contains("") else { throw APIFailure(4_000_023, "Invalid request. The product id parameter is invalid.") }
    groups = Set(request.values("subscriptionGroupIdentifier"))
    guard groups.allSatisfy({ Int64($0) != nil }) else {
      throw APIFailure(4_000_024, "Invalid request. The subscription group identifier parameter is invalid.")
    }
    kinds = Set(request.values("productType"))
    guard kinds.isSubset(of: Product.Kind.allCases.map(\.queryName)) else {
      throw APIFailure(4_000_022, "Invalid request. The product type parameter is invalid.")
    }
    switch request.value("sort") {
    case nil, "ASCENDING"?: isDescending = false
    case "DESCENDING"?: isDescending = true
    case _?: throw APIFailure(4_000_021, "Invalid request. The sort parameter is invalid.")
    }
    switch request.value("revoked")?.lowercased() {
    case nil: isRevoked = nil
    case "true"?: isRevoked = true
    case "false"?: isRevoked = false
    case _?: throw APIFailure(4_000_030, "Invalid request. The revoked parameter is invalid.")
    }
    ownership = request.value("inAppOwnershipType")
    if let ownership, ownership != "PURCHASED", ownership != "FAMILY_SHARED" {
      throw APIFailure(4_000_026, "Invalid request. The in-app ownership type parameter is invalid.")
    }
  }

  private static func instant(_ text: String?, code: Int, name: String) throws(APIFailure) -> Int64? {
    guard let text else { return nil }
    guard let instant = Int64(text), instant >= 0 else {
      throw APIFailure(code, "Invalid request. The \(name) parameter is not in milliseconds.")
    }
    return instant
  }

  func takes(_ transaction: Transaction) -> Bool {
    let purchased = transaction.purchasedAt.milliseconds
    if let start, purchased < start { return false }
    if let end, purchased >= end { return false }
    if !products.isEmpty, !products.contains(transaction.productID) { return false }
    if !kinds.isEmpty, !kinds.contains(transaction.kind.queryName) { return false }
    if !groups.isEmpty, !groups.contains(transaction.group ?? "") { return false }
    if let isRevoked, isRevoked != (transaction.revocation != nil) { return false }
    if let ownership, (ownership == "FAMILY_SHARED") != transaction.isFamilyShared { return false }
    return !(leavesOutFinished && transaction.kind == .consumable && transaction.isFinished)
  }
}

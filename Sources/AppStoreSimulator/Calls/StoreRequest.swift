public struct StoreRequest: Sendable {
  public var method: String
  /// Path without the query, percent-decoded.
  public var path: String
  public var query: [(name: String, value: String)]
  /// Value of the Authorization header; nil when it is missing.
  public var authorization: String?
  public var body: [UInt8]

  public init(method: String, path: String, query: [(name: String, value: String)] = [], authorization: String? = nil, body: [UInt8] = []) {
    self.method = method
    self.path = path
    self.query = query
    self.authorization = authorization
    self.body = body
  }

  func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// The simulator's response, and the pace at which its bytes are sent.
public struct StoreResponse: Sendable {
  public enum Pace: Sendable, Hashable {
    case whole
    /// Pieces of this many bytes with a pause in milliseconds before each.
    case slow(bytes: Int, pause: Int)
    /// The connection closes after this many bytes of the body.
    case cut(after: Int)
  }

  public var status: Int
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]
  public var pace = Pace.whole

  static func json(_ status: Int, _ value: JSONValue) -> StoreResponse {
    StoreResponse(status: status, headers: [("Content-Type", "application/json")], body: value.bytes)
  }

  /// Returns a response with status 200 and an object without the members whose value is nil.
  static func ok(_ members: (String, JSONValue?)...) -> StoreResponse { json(200, .members(members)) }

  static func empty(_ status: Int) -> StoreResponse { StoreResponse(status: status, headers: [], body: []) }

  static func text(_ status: Int, _ text: String) -> StoreResponse {
    StoreResponse(status: status, headers: [("Content-Type", "text/plain")], body: Array(text.utf8))
  }

  /// Apple's 401, which is plain text.
  static let unauthenticated = text(401, "Unauthenticated\n\nRequest ID: SIMULATED.0.0\n")

  static func failure(_ failure: APIFailure) -> StoreResponse {
    json(failure.status, .members(("errorCode", .integer(Int64(failure.code))), ("errorMessage", .text(failure.message))))
  }

  static func rateLimited(until milliseconds: Int64) -> StoreResponse {
    var response = failure(APIFailure(4_290_000, "Rate limit exceeded."))
    response.headers.append(("Retry-After", String(milliseconds)))
    return response
  }
}

/// The endpoints, under the names that faults, limits and counters use.
public enum Endpoint: String, Sendable, CaseIterable {
  case transactionInfo, history, statuses, consumption, notificationHistory, refundHistory, orderLookup
  case verifyReceipt, salesReports, financeReports

  /// Calls per second that Apple allows an app in production, counted over an hour; the sandbox allows a tenth.
  ///
  /// - Source: App Store Server API, rate limits; App Store Connect API, rate limits. Apple states none for verifyReceipt.
  public var perSecond: Int? {
    switch self {
    case .transactionInfo, .history, .statuses, .consumption, .notificationHistory: 50
    case .refundHistory, .orderLookup: 10
    case .salesReports, .financeReports: 1
    case .verifyReceipt: nil
    }
  }
}

struct Route: Sendable {
  let endpoint: Endpoint
  let environment: StoreEnvironment
  /// The identifier at the end of the path; empty where it has none.
  let argument: String

  /// Routes of the server API below `/inApps`; a final `*` is an identifier.
  private static let table: [(method: String, path: String, endpoint: Endpoint)] = [
    ("PUT", "v2/transactions/consumption/*", .consumption),
    ("GET", "v1/transactions/*", .transactionInfo),
    ("GET", "v2/history/*", .history),
    ("GET", "v1/subscriptions/*", .statuses),
    ("GET", "v2/refund/lookup/*", .refundHistory),
    ("GET", "v1/lookup/*", .orderLookup),
    ("POST", "v1/notifications/history", .notificationHistory),
  ]

  /// Endpoints of App Store Connect.
  private static let reports: [String: Endpoint] = ["v1/salesReports": .salesReports, "v1/financeReports": .financeReports]

  /// Whether the endpoint belongs to App Store Connect.
  var isReport: Bool { Self.reports.values.contains(endpoint) }

  /// Finds the endpoint. Paths begin with `/production` or `/sandbox`; a path without either means production.
  init?(_ request: StoreRequest) {
    var parts = request.path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    var named = StoreEnvironment.production
    if let first = parts.first, let match = StoreEnvironment.allCases.first(where: { $0.rawValue.lowercased() == first }) {
      named = match
      parts.removeFirst()
    }
    environment = named
    if parts == ["verifyReceipt"] {
      endpoint = .verifyReceipt
      argument = ""
      return
    }
    if request.method == "GET", let report = Self.reports[parts.joined(separator: "/")] {
      endpoint = report
      argument = ""
      return
    }
    guard parts.first == "inApps" else { return nil }
    parts.removeFirst()
    for entry in Self.table where entry.method == request.method {
      let pattern = entry.path.split(separator: "/")
      guard pattern.count == parts.count, zip(pattern, parts).allSatisfy({ $0 == "*" || $0 == $1 }) else { continue }
      endpoint = entry.endpoint
      argument = pattern.last == "*" ? parts[parts.count - 1] : ""
      return
    }
    return nil
  }
}

public import Domain

/// The two App Stores of the server API.
public enum APIEnvironment: String, Sendable, CaseIterable {
  case production
  case sandbox

  /// The environment's name in Apple's payloads.
  public var appStoreEnvironment: AppStoreEnvironment { self == .production ? .production : .sandbox }

  public var other: APIEnvironment { self == .production ? .sandbox : .production }
}

/// An endpoint of the App Store Server API; each has a separate budget.
public enum APIEndpoint: String, Sendable, CaseIterable {
  case transactionInfo = "transaction info"
  case transactionHistory = "transaction history"
  case subscriptionStatuses = "subscription statuses"
  case refundHistory = "refund history"
  case orderLookup = "order lookup"
  case notificationHistory = "notification history"
  case consumption = "consumption information"
  /// All reports of App Store Connect, whose limits count per key, not per app.
  case reports = "reports of App Store Connect"

  /// Requests per second that Apple allows one app in production; the sandbox allows a tenth.
  ///
  /// - Source: App Store Server API, "Identifying rate limits". App Store Connect API, "Identifying rate limits": about 3,500 an hour.
  public var requestsPerSecond: Int {
    switch self {
    case .transactionInfo, .transactionHistory, .subscriptionStatuses, .notificationHistory, .consumption: 50
    case .refundHistory, .orderLookup: 10
    case .reports: 1
    }
  }
}

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
  case appTransactionInfo = "app transaction info"
  case notificationHistory = "notification history"
  case testNotification = "test notification"
  case testNotificationStatus = "test notification status"
  case consumption = "consumption information"
  case consumptionV1 = "consumption information v1"
  case renewalExtension = "renewal extension"
  case massExtension = "mass renewal extension"
  case massExtensionStatus = "mass renewal extension status"
  case appAccountToken = "app account token"
  /// All reports of App Store Connect, whose limits count per key, not per app.
  case reports = "reports of App Store Connect"

  /// Requests per second that Apple allows one app in production; the sandbox allows a tenth.
  ///
  /// - Source: App Store Server API, "Identifying rate limits"; the status of a mass extension is not listed there, so it gets the slowest
  ///   rate. App Store Connect API, "Identifying rate limits": about 3,500 an hour.
  public var requestsPerSecond: Int {
    switch self {
    case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo,
      .notificationHistory,
      .consumption, .consumptionV1:
      50
    case .renewalExtension, .appAccountToken: 20
    case .refundHistory, .orderLookup: 10
    case .testNotification, .testNotificationStatus, .massExtension, .massExtensionStatus: 1
    case .reports: 1
    }
  }

  /// Whether sending a request twice has the same effect as sending it once.
  ///
  /// A second extension would consume one of the two that a subscription may have in a year.
  public var isRepeatable: Bool { self != .renewalExtension && self != .massExtension }
}

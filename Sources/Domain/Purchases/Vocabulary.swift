public enum AppStoreEnvironment: String, Sendable, CaseIterable {
  case production = "Production"
  case sandbox = "Sandbox"
  case xcode = "Xcode"
  case localTesting = "LocalTesting"

  /// Every spelling in Apple's texts.
  public static let names = Set(allCases.map(\.rawValue))

  /// Whether payrecon books transactions of this environment. Apple does not sign Xcode's transactions.
  public var isBookable: Bool { self == .production || self == .sandbox }
}

/// Kind of product; the raw value is the spelling in files and tables.
public enum ProductType: String, Sendable, CaseIterable {
  case consumable
  case nonConsumable = "non_consumable"
  case autoRenewable = "auto_renewable"
  case nonRenewing = "non_renewing"

  /// Translates Apple's `type`; nil for an unknown value.
  ///
  /// - Source: App Store Server API, JWSTransactionDecodedPayload.type.
  public init?(apple: String) {
    switch apple {
    case "Consumable": self = .consumable
    case "Non-Consumable": self = .nonConsumable
    case "Auto-Renewable Subscription": self = .autoRenewable
    case "Non-Renewing Subscription": self = .nonRenewing
    default: return nil
    }
  }
}

/// Status of an order as its service reports it.
public enum OrderStatus: String, Sendable, CaseIterable {
  case created, paid, delivered, cancelled, refunded, revoked
}

public enum EvidenceSource: String, Sendable, CaseIterable {
  case client, notification, api
  case imported = "import"
}

public enum EvidenceKind: String, Sendable, CaseIterable {
  case transaction
  case renewalInfo = "renewal_info"
  case notification
  case appTransaction = "app_transaction"
  case receipt
  case verifyReceipt = "verify_receipt"
  case apiAnswer = "api_answer"
  /// Signed by Apple but of a kind that this version does not read. It is stored and counted without any effect.
  case other
}

public enum EvidenceVerdict: String, Sendable, CaseIterable {
  /// Signed under a configured root, for one of our apps, in a bookable environment.
  case genuine
  /// Well formed, but with an invalid signature or certificate chain.
  case forged
  /// Not readable as its claimed kind.
  case malformed
  /// Genuine, but of another app, Apple app id or environment.
  case foreign
  /// Not verifiable yet, or without the field that identifies its app.
  case pending
}

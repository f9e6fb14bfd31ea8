/// Where Apple says a transaction happened.
public enum AppStoreEnvironment: String, Sendable, CaseIterable {
  case production = "Production"
  case sandbox = "Sandbox"
  case xcode = "Xcode"
  case localTesting = "LocalTesting"

  /// Whether payrecon books transactions of this environment; Xcode's are signed by nobody.
  public var isBookable: Bool { self == .production || self == .sandbox }
}

/// Kind of goods; the raw value is the word of our files and tables.
public enum ProductType: String, Sendable, CaseIterable {
  case consumable
  case nonConsumable = "non_consumable"
  case autoRenewable = "auto_renewable"
  case nonRenewing = "non_renewing"

  /// Translates Apple's `type`; nil for a value Apple added later.
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

/// Life of an order as its service reports it.
public enum OrderStatus: String, Sendable, CaseIterable {
  case created, paid, delivered, cancelled, refunded, revoked
}

/// Who handed a piece of evidence to us.
public enum EvidenceSource: String, Sendable, CaseIterable {
  case client, notification, api
  case imported = "import"
}

/// What a piece of evidence is.
public enum EvidenceKind: String, Sendable, CaseIterable {
  case transaction
  case renewalInfo = "renewal_info"
  case notification
  case appTransaction = "app_transaction"
  case receipt
  case verifyReceipt = "verify_receipt"
  case apiAnswer = "api_answer"
  /// Signed by Apple and of no kind that this version reads: it is stored and counted, and changes nothing.
  case other
}

/// Whether evidence may count.
public enum EvidenceVerdict: String, Sendable, CaseIterable {
  /// Signed by a configured root, for one of our apps, in an environment we book.
  case genuine
  /// Well formed, but its signature or chain does not hold.
  case forged
  /// Not readable as what it claims to be.
  case malformed
  /// Genuine, but of another app, app id or environment.
  case foreign
  /// Could not be checked yet, or lacks the field that says whose it is.
  case pending
}

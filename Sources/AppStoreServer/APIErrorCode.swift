/// Error codes of the endpoints that payrecon calls. Any other code is unrecognized.
///
/// - Source: App Store Server API, "Error codes".
public enum APIErrorCode: Int64, Error, Sendable, CaseIterable {
  case generalRequest = 4_000_000
  case appIdentifier = 4_000_002
  case requestRevision = 4_000_005
  case transactionID = 4_000_006
  case originalTransactionID = 4_000_008
  case startDateTooFarInPast = 4_000_012
  case startDateAfterEndDate = 4_000_013
  case paginationToken = 4_000_014
  case startDate = 4_000_015
  case endDate = 4_000_016
  case paginationTokenExpired = 4_000_017
  case sort = 4_000_021
  case customerConsented = 4_000_035
  case deliveryStatus = 4_000_036
  case sampleContentProvided = 4_000_041
  case notConsumable = 4_000_043
  case refundPreference = 4_000_044
  case transactionTypeNotSupported = 4_000_047
  case appTransactionIDNotSupported = 4_000_048
  case accountNotFound = 4_040_001
  case accountNotFoundRetryable = 4_040_002
  case appNotFound = 4_040_003
  case appNotFoundRetryable = 4_040_004
  case originalTransactionIDNotFound = 4_040_005
  case originalTransactionIDNotFoundRetryable = 4_040_006
  case transactionIDNotFound = 4_040_010
  case rateLimitExceeded = 4_290_000
  case internalError = 5_000_000
  case internalErrorRetryable = 5_000_001

  /// The case's name in words for messages: `transaction id not found`.
  public var words: String {
    let letters = Array("\(self)")
    var words = ""
    for (index, letter) in letters.enumerated() {
      // A capital starts a word after a small letter, and before one after `ID`.
      let isAfterSmall = index > 0 && letters[index - 1].isLowercase
      let isBeforeSmall = index > 0 && index + 1 < letters.count && letters[index + 1].isLowercase
      if letter.isUppercase, isAfterSmall || isBeforeSmall { words.append(" ") }
      words += letter.lowercased()
    }
    return words
  }

  /// Whether the code marks the failure as temporary.
  public var isTemporary: Bool {
    switch self {
    case .accountNotFoundRetryable, .appNotFoundRetryable, .originalTransactionIDNotFoundRetryable,
      .internalError, .internalErrorRetryable:
      true
    default: false
    }
  }
}

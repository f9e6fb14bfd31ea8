/// Error codes of the App Store Server API.
///
/// - Source: App Store Server API, "Error codes".
public enum APIErrorCode: Int64, Error, Sendable, CaseIterable {
  case generalRequest = 4_000_000
  case appIdentifier = 4_000_002
  case requestRevision = 4_000_005
  case transactionID = 4_000_006
  case originalTransactionID = 4_000_008
  case extendByDays = 4_000_009
  case extendReasonCode = 4_000_010
  case requestIdentifier = 4_000_011
  case startDateTooFarInPast = 4_000_012
  case startDateAfterEndDate = 4_000_013
  case paginationToken = 4_000_014
  case startDate = 4_000_015
  case endDate = 4_000_016
  case paginationTokenExpired = 4_000_017
  case notificationType = 4_000_018
  case severalFilters = 4_000_019
  case testNotificationToken = 4_000_020
  case sort = 4_000_021
  case productType = 4_000_022
  case productID = 4_000_023
  case subscriptionGroupID = 4_000_024
  case excludeRevoked = 4_000_025
  case ownershipType = 4_000_026
  case emptyStorefrontList = 4_000_027
  case storefrontCode = 4_000_028
  case revoked = 4_000_030
  case status = 4_000_031
  case accountTenure = 4_000_032
  case appAccountToken = 4_000_033
  case consumptionStatus = 4_000_034
  case customerConsented = 4_000_035
  case deliveryStatus = 4_000_036
  case lifetimeDollarsPurchased = 4_000_037
  case lifetimeDollarsRefunded = 4_000_038
  case platform = 4_000_039
  case playTime = 4_000_040
  case sampleContentProvided = 4_000_041
  case userStatus = 4_000_042
  case notConsumable = 4_000_043
  case refundPreference = 4_000_044
  case transactionTypeNotSupported = 4_000_047
  case appTransactionIDNotSupported = 4_000_048
  case image = 4_000_161
  case headerTooLong = 4_000_162
  case bodyTooLong = 4_000_163
  case locale = 4_000_164
  case alternativeTextTooLong = 4_000_175
  case appAccountTokenNotUUID = 4_000_183
  case familyTransactionNotSupported = 4_000_185
  case notOriginalTransactionID = 4_000_187
  case performanceTestRequest = 4_000_211
  case performanceTestRequestID = 4_000_212
  case performanceTestRunning = 4_000_213
  case realtimeURL = 4_000_215
  case imageSize = 4_000_216
  case tooManyBulletPoints = 4_000_218
  case bulletPointTooLong = 4_000_219
  case headerPositionNeedsImage = 4_000_224
  case extensionIneligible = 4_030_004
  case extensionMaximumReached = 4_030_005
  case extensionFamilyShared = 4_030_007
  case imageQuota = 4_030_014
  case messageQuota = 4_030_016
  case messageNotApproved = 4_030_017
  case imageNotApproved = 4_030_018
  case imageInUse = 4_030_019
  case performanceTestNotPassed = 4_030_026
  case accountNotFound = 4_040_001
  case accountNotFoundRetryable = 4_040_002
  case appNotFound = 4_040_003
  case appNotFoundRetryable = 4_040_004
  case originalTransactionIDNotFound = 4_040_005
  case originalTransactionIDNotFoundRetryable = 4_040_006
  case notificationURLNotFound = 4_040_007
  case testNotificationNotFound = 4_040_008
  case extensionRequestNotFound = 4_040_009
  case transactionIDNotFound = 4_040_010
  case imageNotFound = 4_040_014
  case messageNotFound = 4_040_015
  case performanceTestNotFound = 4_040_018
  case appTransactionNotFound = 4_040_019
  case defaultMessageNotFound = 4_040_020
  case realtimeURLNotFound = 4_040_021
  case imageExists = 4_090_000
  case messageExists = 4_090_001
  case rateLimitExceeded = 4_290_000
  case internalError = 5_000_000
  case internalErrorRetryable = 5_000_001

  /// The case's name in words for messages: `transaction id not found`.
  public var words: String {
    let letters = Array("\(self)")
    var words = ""
    for (index, letter) in letters.enumerated() {
      // A capital starts a word after a small letter, and before one after `ID` or `URL`.
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

/// Send Consumption Information, both versions.
///
/// - Source: App Store Server API, ConsumptionRequest.
enum ConsumptionEndpoint {
  private static let deliveries: Set<String> = [
    "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER",
  ]
  private static let preferences: Set<String> = ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"]
  /// Numeric fields of version 1 with their maximum and error code.
  private static let numbered: [(name: String, last: Int64, code: Int)] = [
    ("accountTenure", 7, 4_000_032), ("consumptionStatus", 3, 4_000_034), ("deliveryStatus", 5, 4_000_036),
    ("lifetimeDollarsPurchased", 7, 4_000_037), ("lifetimeDollarsRefunded", 7, 4_000_038),
    ("platform", 2, 4_000_039), ("playTime", 7, 4_000_040), ("userStatus", 4, 4_000_042),
    ("refundPreference", 3, 4_000_044),
  ]

  static func report(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let transaction = try TransactionEndpoints.find(call.argument, in: store)
    guard let body = call.body else { throw APIFailure(4_000_000, "Bad request.") }
    guard body["customerConsented"]?.bool == true else { throw invalid("customer consented", 4_000_035) }
    guard body["sampleContentProvided"]?.bool != nil else { throw invalid("sample content provided", 4_000_041) }
    if call.route.endpoint == .consumption {
      try checkSecond(body, transaction)
    } else {
      try checkFirst(body)
    }
    let answer = String(decoding: body.bytes, as: UTF8.self)
    store.transactions[transaction.id]?.consumptionReports += 1
    if !transaction.consumptionAnswers.contains(answer) { store.transactions[transaction.id]?.consumptionAnswers.append(answer) }
    return { .empty(202) }
  }

  private static func invalid(_ field: String, _ code: Int) -> APIFailure {
    APIFailure(code, "Invalid request. The \(field) field is invalid.")
  }

  private static func checkSecond(_ body: JSONValue, _ transaction: Transaction) throws(APIFailure) {
    guard let delivery = body["deliveryStatus"]?.text, deliveries.contains(delivery) else {
      throw invalid("delivery status", 4_000_036)
    }
    if let preference = body["refundPreference"], preference != .null {
      guard preferences.contains(preference.text ?? "") else { throw invalid("refund preference", 4_000_044) }
    }
    let isProrated = body["refundPreference"]?.text == "GRANT_PRORATED"
    guard let percentage = body["consumptionPercentage"], percentage != .null else {
      guard !isProrated || transaction.kind == .autoRenewable else { throw invalid("consumption percentage", 4_000_000) }
      return
    }
    guard let share = percentage.integer, (0...StoreState.fullPercentage).contains(share),
      share == 0 || delivery == "DELIVERED", transaction.kind != .autoRenewable,
      !isProrated || (1..<StoreState.fullPercentage).contains(share)
    else { throw invalid("consumption percentage", 4_000_000) }
  }

  private static func checkFirst(_ body: JSONValue) throws(APIFailure) {
    for field in numbered {
      guard let value = body[field.name], value != .null else { continue }
      guard let number = value.integer, (0...field.last).contains(number) else { throw invalid(field.name, field.code) }
    }
    if let token = body["appAccountToken"]?.text, !token.isEmpty, !TransactionEndpoints.isUUID(token) {
      throw invalid("app account token", 4_000_033)
    }
  }
}

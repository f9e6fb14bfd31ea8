/// Send Consumption Information, version 2.
///
/// - Source: App Store Server API, ConsumptionRequest.
enum ConsumptionEndpoint {
  private static let deliveries: Set<String> = [
    "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER",
  ]
  private static let preferences: Set<String> = ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"]

  /// The whole price, in thousandths of a percent.
  private static let fullPercentage: Int64 = 100_000

  static func report(_ call: Call, _ store: inout StoreState) throws(APIFailure) -> Draft {
    let transaction = try TransactionEndpoints.find(call.argument, in: store)
    guard let body = call.body else { throw .badRequest }
    guard body["customerConsented"]?.bool == true else { throw invalid("customer consented", 4_000_035) }
    guard body["sampleContentProvided"]?.bool != nil else { throw invalid("sample content provided", 4_000_041) }
    try check(body, transaction)
    let answer = String(decoding: body.bytes, as: UTF8.self)
    store.transactions[transaction.id]?.consumptionReports += 1
    if !transaction.consumptionAnswers.contains(answer) { store.transactions[transaction.id]?.consumptionAnswers.append(answer) }
    return { .empty(202) }
  }

  private static func invalid(_ field: String, _ code: Int) -> APIFailure {
    APIFailure(code, "Invalid request. The \(field) field is invalid.")
  }

  private static func check(_ body: JSONValue, _ transaction: Transaction) throws(APIFailure) {
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
    guard let share = percentage.integer, (0...fullPercentage).contains(share),
      share == 0 || delivery == "DELIVERED", transaction.kind != .autoRenewable,
      !isProrated || (1..<fullPercentage).contains(share)
    else { throw invalid("consumption percentage", 4_000_000) }
  }
}

/// The simulator refuses answers about consumption as Apple does.
struct ConsumptionTests {
  /// An answer about coins, and Apple's error code; nil is accepted.
  private static let answers: [(fields: String, code: Int64?)] = [
    (#""customerConsented":true,"sampleContentProvided":false,"deliveryStatus":"DELIVERED""#, nil),
    (#""customerConsented":false,"sampleContentProvided":false,"deliveryStatus":"DELIVERED""#, 4_000_035),
    (#""sampleContentProvided":false,"deliveryStatus":"DELIVERED""#, 4_000_035),
    (#""customerConsented":true,"deliveryStatus":"DELIVERED""#, 4_000_041),
    (#""customerConsented":true,"sampleContentProvided":true,"deliveryStatus":"LOST""#, 4_000_036),
    (#""customerConsented":true,"sampleContentProvided":true,"deliveryStatus":"DELIVERED","refundPreference":"MAYBE""#, 4_000_044),
    (#""customerConsented":true,"sampleContentProvided":true,"deliveryStatus":"DELIVERED","consumptionPercentage":100001"#, 4_000_000),
    (#""customerConsented":true,"sampleContentProvided":true,"deliveryStatus":"UNDELIVERED_OTHER","consumptionPercentage":1"#, 4_000_000),
    (#""customerConsented":true,"sampleContentProvided":true,"deliveryStatus":"UNDELIVERED_OTHER","consumptionPercentage":0"#, nil),
    (
      #""customerConsented":true,"sampleContentProvided":true,"deliveryStatus":"DELIVERED","refundPreference":"GRANT_PRORATED","#
        + #""consumptionPercentage":100000"#, 4_000_000
    ),
    (
      #""customerConsented":true,"sampleContentProvided":true,"deliveryStatus":"DELIVERED","refundPreference":"GRANT_PRORATED","#
        + #""consumptionPercentage":25000"#, nil
    ),
  ]

  @Test func answersAreChecked() async throws {
    try await withSimulator { simulator in
      let (coins, gold) = try simulator.change(.production) {
        (try $0.buy(Sample.coins, for: "anna"), try $0.buy(Sample.gold, for: "anna"))
      }
      func send(_ fields: String, about id: String) -> StoreResponse {
        simulator.respond(
          to: StoreRequest(method: "PUT", path: "/production/inApps/v2/transactions/consumption/\(id)", body: Array("{\(fields)}".utf8)))
      }
      for answer in Self.answers {
        let response = send(answer.fields, about: coins)
        #expect(response.status == (answer.code == nil ? 202 : 400), "\(answer.fields)")
        #expect(JSONValue.parse(response.body)?["errorCode"]?.integer == answer.code, "\(answer.fields)")
      }
      // Apple computes the share of a subscription itself.
      let plain = Self.answers[0].fields
      #expect(send(plain + #","consumptionPercentage":0"#, about: gold).status == 400)
      #expect(send(plain + #","refundPreference":"GRANT_PRORATED""#, about: gold).status == 202)
      // A repeated answer changes nothing.
      #expect(send(plain, about: coins).status == 202)
      let sent = simulator.change(.production) { $0.transaction(coins) }
      #expect(sent?.consumptionReports == 4 && sent?.consumptionAnswers.count == 3)
    }
  }
}

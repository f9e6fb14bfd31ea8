import HTTP

struct WireTests {
  /// Runs `body` with a simulator that has 45 purchases of one customer, and with a client.
  private func withHistory(_ body: (AppStoreSimulator, HTTPClient, _ path: String) async throws -> Void) async throws {
    try await withSimulator { simulator in
      let id = try simulator.change(.production) { store in
        try (0..<45).map { _ in try store.buy(Sample.coins, for: "anna") }[0]
      }
      try await body(simulator, HTTPClient(connections: 1), "\(simulator.url(.production))/inApps/v2/history/\(id)")
    }
  }

  private func get(_ client: HTTPClient, _ url: String) async throws -> HTTPResponse {
    try await client.send(HTTPRequest(.get, url, deadline: .seconds(20), connectTimeout: .seconds(5), bodyLimit: 8 << 20))
  }

  private func ids(_ response: HTTPResponse) throws -> [String?] {
    let signed = try #require(JSONValue.parse(response.body)?["signedTransactions"]?.array)
    return try signed.map { try payload($0)["transactionId"]?.text }
  }

  @Test(arguments: [
    (Fault.Kind.status(503), 503, ""), (.status(500), 500, ""),
    (.unauthenticated, 401, "Unauthenticated\n\nRequest ID: SIMULATED.0.0\n"),
    (.failure(code: 5_000_001), 500, #"{"errorCode":5000001,"errorMessage":"Scripted failure."}"#),
    (.failure(code: 4_040_010), 404, #"{"errorCode":4040010,"errorMessage":"Scripted failure."}"#),
  ])
  func `A refusal comes once, after the calls that pass`(kind: Fault.Kind, status: Int, body: String) async throws {
    try await withHistory { simulator, client, url in
      simulator.script(Fault(kind, endpoint: .history, after: 1))
      #expect(try await get(client, url).status == 200)
      let refused = try await get(client, url)
      #expect(refused.status == status)
      #expect(String(decoding: refused.body, as: UTF8.self) == body)
      #expect(try await get(client, url).status == 200)
    }
  }

  @Test(arguments: [("2026-11-31", true), ("2026-02-29", true), ("2026-02-28", false), ("2028-02-29", false)])
  func `A report date is a day of the calendar`(day: String, isRefused: Bool) async throws {
    try await withSimulator { simulator in
      simulator.changeReports { $0.vendors = ["85000000"] }
      let filters = ["frequency=DAILY", "reportDate=\(day)", "reportSubType=SUMMARY", "reportType=SALES", "vendorNumber=85000000"]
      let query = filters.map { "filter%5B" + $0.replacing("=", with: "%5D=") }.joined(separator: "&")
      let response = try await get(HTTPClient(connections: 1), "\(simulator.url(.production))/v1/salesReports?\(query)")
      #expect((response.status == 400) == isRefused)
    }
  }

  @Test func `A rate limit states when to come again`() async throws {
    try await withHistory { simulator, client, url in
      simulator.script(Fault(.rateLimited(milliseconds: 250)))
      let before = AppStoreSimulator.realTime()
      let refused = try await get(client, url)
      let until = try #require(refused.headers["Retry-After"].flatMap { Int64($0) })
      #expect(refused.status == 429)
      #expect(until >= before + 250 && until <= AppStoreSimulator.realTime() + 250)
    }
  }

  @Test func `A connection is cut within the body`() async throws {
    try await withHistory { simulator, client, url in
      simulator.script(Fault(.cutConnection(after: 1000), endpoint: .history))
      await #expect(throws: HTTPError.self) { try await get(client, url) }
      let next = try await get(client, url)
      #expect(next.status == 200)
    }
  }

  @Test func `A slow body arrives whole in the end`() async throws {
    try await withHistory { simulator, client, url in
      simulator.script(Fault(.slowBody(bytes: 20_000, pause: 1), endpoint: .history))
      let response = try await get(client, url)
      #expect(try ids(response).count == 20)
    }
  }

  @Test func `Half a body is no JSON`() async throws {
    try await withHistory { simulator, client, url in
      simulator.script(Fault(.malformedJSON, endpoint: .history))
      let response = try await get(client, url)
      #expect(response.status == 200)
      #expect(JSONValue.parse(response.body) == nil)
    }
  }

  @Test func `A page can overlap, repeat or turn around`() async throws {
    try await withHistory { simulator, client, url in
      let first = try await get(client, url)
      let revision = try #require(JSONValue.parse(first.body)?["revision"]?.text)
      let plain = try ids(first)
      simulator.script(Fault(.pageOverlap(items: 5), endpoint: .history))
      let next = try ids(try await get(client, "\(url)?revision=\(revision)"))
      #expect(Array(next.prefix(5)) == plain.suffix(5))
      simulator.script(Fault(.duplicated, endpoint: .history))
      #expect(try ids(try await get(client, url)) == plain.prefix(1) + plain)
      simulator.script(Fault(.reordered, endpoint: .history))
      #expect(try ids(try await get(client, url)) == plain.reversed())
      simulator.script(Fault(.refusedRevision, endpoint: .history))
      let refused = try await get(client, "\(url)?revision=\(revision)")
      #expect(JSONValue.parse(refused.body)?["errorCode"]?.integer == 4_000_005)
    }
  }

  @Test func `Values that nobody has heard of stay within the signature`() async throws {
    try await withHistory { simulator, client, url in
      simulator.script(Fault(.unrecognizedValues, endpoint: .history))
      let body = try #require(JSONValue.parse(try await get(client, url).body))
      #expect(body["futureMember"]?["code"]?.integer == 7)
      let transaction = try payload(body["signedTransactions"]?.array?.first)
      #expect(transaction["transactionReason"]?.text == "GIFT")
      #expect(transaction["futureMember"] != nil)
    }
  }

  @Test func `Scripts drive the store`() async throws {
    try await withSimulator { simulator in
      let client = HTTPClient(connections: 1)
      func control(_ name: String, _ body: String?) async throws -> (Int, JSONValue) {
        let response = try await client.send(
          HTTPRequest(
            body == nil ? .get : .post, "http://127.0.0.1:\(simulator.port)/control/\(name)",
            body: body.map { Array($0.utf8) }, deadline: .seconds(20), connectTimeout: .seconds(5),
            bodyLimit: 1 << 20))
        return (response.status, try #require(JSONValue.parse(response.body)))
      }
      #expect(try await control("customer", #"{"customer":"bill","storefront":"JPN"}"#).0 == 200)
      let bought = try await control("purchase", #"{"customer":"bill","product":"\#(Sample.silver)"}"#).1
      let id = try #require(bought["transactionId"]?.text)
      #expect(try await control("clock", #"{"to":"2026-12-05T00:00:00Z"}"#).1["now"]?.text == "2026-12-05T00:00:00Z")
      #expect(try await control("refund", #"{"transaction":"\#(id)"}"#).0 == 200)
      #expect(simulator.change(.production) { $0.notified } == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "REFUND"])
      #expect(try await control("fault", #"{"fault":"status","status":503,"endpoint":"history"}"#).0 == 200)
      let answer = try await get(client, "\(simulator.url(.production))/inApps/v2/history/\(id)")
      #expect(answer.status == 503)
      #expect(try await control("refund", #"{"transaction":"1"}"#).0 == 400)
      #expect(try await control("nonsense", "{}").0 == 400)
      #expect(try await control("fault", "{").0 == 400)
    }
  }
}

@Suite("Endpoints") struct EndpointTests {
  private static let start = Timestamp(milliseconds: 123)
  private static let end = Timestamp(milliseconds: 456_789)
  private static let signedBody = #"{"signedTransactionInfo":"t"}"#

  /// Runs one call against one scripted answer. Returns the request as `METHOD target` and its body.
  private func request<Content>(
    _ environment: APIEnvironment = .production, _ body: String = "", status: Int = 200,
    _ call: (AppStoreServerClient) async throws -> Content
  ) async throws -> (line: String, body: String, content: Content) {
    let bench = try Bench()
    try await bench.script(environment, Scripted(status: status, body: body))
    let content = try await call(bench.client)
    let log = try await bench.log(environment)
    let recorded = try #require(log.first)
    #expect(log.count == 1)
    #expect(try await bench.log(environment.other).isEmpty)
    #expect(recorded.headers["accept"] == "application/json")
    #expect(recorded.headers["authorization"]?.hasPrefix("Bearer ") == true)
    #expect(recorded.headers["content-type"] == (recorded.body.isEmpty ? nil : "application/json"))
    return ("\(recorded.method) \(recorded.target)", recorded.body, content)
  }

  @Test func `transaction info`() async throws {
    let sent = try await request(.sandbox, Self.signedBody) { try await $0.transactionInfo("2000000335310644", in: .sandbox) }
    #expect(sent.line == "GET /inApps/v1/transactions/2000000335310644")
    #expect(sent.body.isEmpty)
    #expect(sent.content.signedTransaction.text == "t")
  }

  @Test func `transaction history`() async throws {
    let page = #"{"revision":"r","hasMore":false,"signedTransactions":["a","b"]}"#
    let first = try await request(.production, page) { try await $0.transactionHistory(of: "1", in: .production) }
    #expect(first.line == "GET /inApps/v2/history/1?sort=ASCENDING")
    #expect(first.content.signedTransactions.map(\.text) == ["a", "b"])
    #expect(first.content.revision == "r")
    #expect(first.content.hasMore == false)
    let next = try await request(.production, page) { try await $0.transactionHistory(of: "1", revision: "re+v/=", in: .production) }
    #expect(next.line == "GET /inApps/v2/history/1?revision=re%2Bv%2F%3D&sort=ASCENDING")
  }

  @Test func `subscription statuses`() async throws {
    let sent = try await request(.production, #"{"data":[]}"#) { try await $0.subscriptionStatuses(of: "4321", in: .production) }
    #expect(sent.line == "GET /inApps/v1/subscriptions/4321")
    #expect(sent.content.lastTransactions.isEmpty)
  }

  @Test func `refund history`() async throws {
    let page = #"{"hasMore":false,"signedTransactions":[],"revision":""}"#
    let first = try await request(.production, page) { try await $0.refundHistory(of: "555555", in: .production) }
    #expect(first.line == "GET /inApps/v2/refund/lookup/555555")
    let next = try await request(.sandbox, page) { try await $0.refundHistory(of: "555555", revision: "rev", in: .sandbox) }
    #expect(next.line == "GET /inApps/v2/refund/lookup/555555?revision=rev")
  }

  @Test func `order lookup: the id is brought into form`() async throws {
    let found = try await request(.production, #"{"status":0,"signedTransactions":["a"]}"#) { try await $0.lookUpOrder(" mk5tt8xyz1 ") }
    #expect(found.line == "GET /inApps/v1/lookup/MK5TT8XYZ1")
    #expect(found.content.isFound == true)
    #expect(found.content.signedTransactions.map(\.text) == ["a"])
    let missing = try await request(.production, #"{"status":1}"#) { try await $0.lookUpOrder("X") }
    #expect(missing.content.isFound == false)
  }

  @Test func `notification history`() async throws {
    let page = #"{"hasMore":false,"notificationHistory":[]}"#
    let query = NotificationHistoryQuery(from: Self.start, to: Self.end)
    let first = try await request(.production, page) { try await $0.notificationHistory(query, in: .production) }
    #expect(first.line == "POST /inApps/v1/notifications/history")
    #expect(first.body == #"{"startDate":123,"endDate":456789}"#)
    let next = try await request(.sandbox, page) { try await $0.notificationHistory(query, paginationToken: "a-b=", in: .sandbox) }
    #expect(next.line == "POST /inApps/v1/notifications/history?paginationToken=a-b%3D")
    #expect(next.body == first.body)
  }

  @Test(
    "the history begins as Apple counts it: from the request, unless the run is of the past",
    arguments: [
      ("2026-11-21T00:00:00Z", "2026-11-20T23:59:00Z", "2026-05-25T01:00:00Z"),
      ("2026-11-21T00:00:00Z", "2026-11-21T05:00:00Z", "2026-05-25T06:00:00Z"),
      ("2026-11-21T00:00:00Z", "2027-03-01T00:00:00Z", "2026-05-25T01:00:00Z"),
    ]) func historyStart(asOf: String, now: String, start: String) throws
  {
    let (asOf, now) = (try #require(Timestamp(rfc3339: asOf)), try #require(Timestamp(rfc3339: now)))
    #expect(NotificationHistoryQuery.historyStart(.production, asOf: asOf, now: now).rfc3339 == start)
    #expect(NotificationHistoryQuery.historyStart(.sandbox, asOf: asOf, now: now).advanced(bySeconds: -150 * 86_400).rfc3339 == start)
    let open = NotificationHistoryQuery.historyStart(.production, asOf: asOf, now: now, isOpen: true)
    #expect(open.advanced(bySeconds: 3600).rfc3339 == start)
  }

  @Test(arguments: [200, 204, 207]) func `only the status 202 says that Apple took consumption information`(status: Int) async throws {
    let bench = try await Bench(Array(repeating: Scripted(status: status, body: "<html>sign in</html>"), count: 10))
    let refusal = await fault { try await bench.client.sendConsumption(body: [], for: "1", in: .production) }
    #expect(refusal?.retry == .retry)
    #expect(refusal?.status == status)
  }

  @Test func `consumption information; what comes back is ignored`() async throws {
    var current = ConsumptionInformation(delivery: .delivered, isSampleProvided: false)
    current.consumptionPercentage = 50000
    current.refundPreference = .grantProrated
    let sent = try await request(.production, "words", status: 202) { [current] in
      try await $0.sendConsumption(body: current.body, for: "49571273", in: .production)
    }
    #expect(sent.line == "PUT /inApps/v2/transactions/consumption/49571273")
    #expect(
      sent.body == #"{"customerConsented":true,"consumptionPercentage":50000,"deliveryStatus":"DELIVERED","#
        + #""refundPreference":"GRANT_PRORATED","sampleContentProvided":false}"#)
  }

  @Test(arguments: ["", ".", "..", String(repeating: "1", count: 256)]) func `an id cannot lead to another path`(id: String) async throws {
    let bench = try Bench()
    let refusal = await fault { try await bench.client.transactionInfo(id, in: .production) }
    #expect(refusal?.retry == .final)
    #expect(refusal?.attempts == 0)
    #expect(try await bench.log().isEmpty)
    try await bench.script(.production, .ok(Self.signedBody))
    _ = try await bench.client.transactionInfo("../../a?b#c%", in: .production)
    #expect(try await bench.log().first?.target == "/inApps/v1/transactions/..%2F..%2Fa%3Fb%23c%25")
  }

  @Test func `what Apple would refuse is not sent`() async throws {
    var undelivered = ConsumptionInformation(delivery: .wrongItem, isSampleProvided: true)
    undelivered.consumptionPercentage = 1
    #expect(undelivered.refusal != nil)
    var prorated = ConsumptionInformation(delivery: .delivered, isSampleProvided: true)
    (prorated.consumptionPercentage, prorated.refundPreference) = (100_000, .grantProrated)
    #expect(prorated.refusal != nil)
    let bench = try Bench()
    let backwards = NotificationHistoryQuery(from: Self.end, to: Self.start)
    let fault = await fault { try await bench.client.notificationHistory(backwards, in: .production) }
    guard case .refusedArgument? = fault?.cause else {
      Issue.record("\(String(describing: fault)) is no refused argument")
      return
    }
    #expect(fault?.retry == .final)
    #expect(try await bench.log().isEmpty)
  }
}

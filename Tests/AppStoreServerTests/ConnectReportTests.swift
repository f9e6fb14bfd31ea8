import Foundation

@Suite("Reports of App Store Connect") struct ConnectReportTests {
  private static let sales = ConnectQuery(.sales, vendor: "85000000", period: "2026-11-21")
  private let team: Team
  init() throws { team = try Team() }

  /// A client of one team whose server answers from a script.
  private struct Team {
    let client: ConnectReportClient
    let time = ManualClock()
    let bench: Bench

    init(attemptsMax: Int = 1) throws {
      bench = try Bench(time: time)
      var limits = ConnectReportClient.limitsDefault
      limits.attemptsMax = attemptsMax
      client = ConnectReportClient(
        try TestKeys.credentials(), http: HTTPClient(connections: 1),
        limiter: RateLimiter(clock: time.clock, shared: ScriptedBudget(time).shared), addresses: bench.addresses, limits: limits,
        clock: time.clock)
    }

    func fault() async -> APIFault? {
      await AppStoreServerTests.fault { try await client.download(ConnectReportTests.sales) }
    }
  }

  private static func refusal(_ status: Int, _ code: String, _ detail: String) -> Scripted {
    Scripted(status: status, body: #"{"errors":[{"status":"\#(status)","code":"\#(code)","title":"t","detail":"\#(detail)"}]}"#)
  }

  @Test(
    "six answers are distinguished by status and words",
    arguments: [
      (404, "NOT_FOUND", "There were no sales for the date specified.", ConnectOutcome.noSales),
      (404, "NOT_FOUND", "Report is not available yet. Daily reports for the Americas are available by 5 am Pacific Time.", .notReady),
      (404, "NOT_FOUND", "The report you requested is not available yet. Try again later.", .notReady),
      (410, "GONE", "Report is no longer available. Daily reports are only available for past 365 days.", .outsideRetention),
      (400, "PARAMETER_ERROR", "Daily reports are only available for past 365 days, please enter a new date.", .outsideRetention),
      (403, "FORBIDDEN_ERROR", "The API key in use does not allow this request", .forbidden),
      (403, "FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED", "A required agreement is missing or has expired.", .forbidden),
      (400, "PARAMETER_ERROR.INVALID", "Invalid vendor number specified.", .wrongVendor),
      (403, "FORBIDDEN_ERROR", "The vendor number you specified is not valid for this account", .wrongVendor),
    ]) func outcomes(status: Int, code: String, detail: String, outcome: ConnectOutcome) async throws
  {
    try await team.bench.script(.production, Self.refusal(status, code, detail))
    let answer = try await team.client.download(Self.sales)
    #expect(answer.outcome == outcome)
    #expect(answer.words.contains(detail) && answer.words.contains(code) && answer.body.isEmpty)
  }

  @Test(
    "what nobody knows is a fault with Apple's words, never an empty report",
    arguments: [
      (Scripted(status: 404, body: ""), RetryClass.final, "status 404"), (refusal(409, "STATE", "odd"), .final, "odd"),
      (refusal(404, "NOT_FOUND", "The path provided does not match a defined resource type."), .final, "path provided"),
      (Scripted(status: 503, body: "<html>"), .retry, "status 503"), (.ok(""), .retry, "empty"),
      (.ok("\n<!doctype html>"), .retry, "HTML page"), (Scripted(headers: ["Content-Type": "text/html"], body: "x"), .retry, "HTML page"),
      (Scripted(status: 401, body: "NOT_AUTHORIZED"), .configurationAlarm(.keyRefused), "issuer id"),
    ]) func faults(answer: Scripted, retry: RetryClass, words: String) async throws
  {
    try await team.bench.script(.production, answer)
    let fault = try #require(await team.fault())
    #expect(fault.retry == retry)
    #expect("\(fault)".contains(words), "\(fault)")
    #expect(!"\(fault)".contains("85000000"))
  }

  @Test func `a limit that names seconds is kept, and one that names nothing lasts a minute`() async throws {
    try await team.bench.script(
      .production, Scripted(status: 429, headers: ["Retry-After": "20"], body: "{}"), Scripted(status: 429, body: "{}"))
    #expect(await team.fault()?.retry == .retryAt(team.time.now.advanced(bySeconds: 20)))
    team.time.advance(seconds: 21)
    #expect(await team.fault()?.retry == .retryAt(team.time.now.advanced(bySeconds: 60)))
  }

  @Test func `a report comes byte for byte as it was sent, whatever its coding`() async throws {
    // The body is not compressed, so a client that decompresses it fails.
    try await team.bench.script(.production, Scripted(headers: ["Content-Encoding": "gzip"], body: "Provider\tSKU\n"))
    let answer = try await team.client.download(Self.sales)
    #expect(answer.outcome == .report && answer.body == Array("Provider\tSKU\n".utf8))
  }

  @Test func `each report is asked for by Apple's parameters, with a token of a team that lives 20 minutes at most`() async throws {
    let queries = [
      Self.sales, ConnectQuery(.subscriber, vendor: "85000000", period: "2026-11-21"),
      ConnectQuery(.subscriptionEvent, vendor: "85000000", period: "2026-11-21"),
      ConnectQuery(.financial, vendor: "85000000", period: "2026-P11"),
      ConnectQuery(.financeDetail, vendor: "85000000", period: "2026-P11"),
    ]
    try await team.bench.script(.production, queries.map { _ in .ok("x") })
    for query in queries { _ = try await team.client.download(query) }
    let log = try await team.bench.log()
    #expect(
      log.map { $0.target.replacing("filter%5B", with: "").replacing("%5D", with: "") } == [
        "/v1/salesReports?frequency=DAILY&reportDate=2026-11-21&reportSubType=SUMMARY&reportType=SALES&vendorNumber=85000000"
          + "&version=1_0",
        "/v1/salesReports?frequency=DAILY&reportDate=2026-11-21&reportSubType=DETAILED&reportType=SUBSCRIBER&vendorNumber=85000000"
          + "&version=1_3",
        "/v1/salesReports?frequency=DAILY&reportDate=2026-11-21&reportSubType=SUMMARY&reportType=SUBSCRIPTION_EVENT"
          + "&vendorNumber=85000000&version=1_3",
        "/v1/financeReports?regionCode=ZZ&reportDate=2026-11&reportType=FINANCIAL&vendorNumber=85000000",
        "/v1/financeReports?regionCode=Z1&reportDate=2026-11&reportType=FINANCE_DETAIL&vendorNumber=85000000",
      ])
    #expect(Set(log.map { $0.headers["accept"] }) == ["application/a-gzip"])
    let token = try #require(log.first?.headers["authorization"]?.split(separator: " ").last)
    let claims = try #require(Self.claims(token))
    #expect(claims["aud"] as? String == "appstoreconnect-v1" && claims["bid"] == nil)
    let (from, to) = (try #require(claims["iat"] as? Int), try #require(claims["exp"] as? Int))
    #expect((1...1200).contains(to - from))
  }

  private static func claims(_ token: Substring) -> [String: Any]? {
    (try? JSONSerialization.jsonObject(with: Data(base64URL(token.split(separator: ".")[1])))) as? [String: Any]
  }

  @Test func `a form that is no longer made is asked for as Apple names it`() async throws {
    let team = try Team(attemptsMax: 4)
    let words = "The version parameter you have specified is invalid. The latest version for this report is 1_1."
    try await team.bench.script(.production, Self.refusal(400, "PARAMETER_ERROR.INVALID", words), .ok("x"))
    #expect(try await team.client.download(Self.sales).outcome == .report)
    #expect(try await team.bench.log().map { $0.target.suffix(3) } == ["1_0", "1_1"])
    // The server names another version every time. The client must stop following it.
    try await team.bench.script(
      .production, (2...9).map { Self.refusal(400, "X", "The latest version for this report is 1_\($0). Mind the version.") })
    #expect(await team.fault()?.attempts == 4)
  }
}

@Suite("Faults") struct FaultTests {
  private static let found = Scripted.ok(#"{"signedTransactionInfo":"t"}"#)

  /// The codes by which Apple states that it does not know the id. The codes for unknown accounts and unknown apps are not among
  /// them.
  private static let aboutTheID: Set<APIErrorCode> = [
    .transactionID, .originalTransactionID, .transactionIDNotFound, .originalTransactionIDNotFound,
  ]

  private func ask(_ bench: Bench, _ environment: APIEnvironment = .production) async -> APIFault? {
    await fault { try await bench.client.transactionInfo("77", in: environment) }
  }

  @Test func `every code of Apple's has its class`() async throws {
    let bench = try await Bench(limits: .single, APIErrorCode.allCases.map { .fault(Int($0.rawValue)) })
    let temporary: Set<APIErrorCode> = [
      .accountNotFoundRetryable, .appNotFoundRetryable, .originalTransactionIDNotFoundRetryable, .internalError, .internalErrorRetryable,
    ]
    for code in APIErrorCode.allCases {
      let fault = try #require(await ask(bench))
      #expect(fault.code == code)
      #expect(fault.status == Int(code.rawValue / 10000))
      #expect(fault.attempts == 1)
      switch code {
      case .rateLimitExceeded:
        #expect(fault.retry == .retryAt(bench.time.now.advanced(bySeconds: 60)))
        // Advances the clock so that the next code is not delayed by the rate limit.
        bench.time.advance(seconds: 61)
      case .transactionIDNotFound, .originalTransactionIDNotFound: #expect(fault.retry == .otherEnvironment)
      default: #expect(fault.retry == (temporary.contains(code) ? .retry : .final), "\(code)")
      }
      #expect(fault.isAboutTheID == Self.aboutTheID.contains(code), "\(code)")
      #expect(fault.isOfThisIDAlone == (Self.aboutTheID.contains(code) || code == .accountNotFound), "\(code)")
      #expect(!"\(fault)".contains("77"))
      #expect("\(fault)".contains("\(code.rawValue), \(code.words)"))
    }
    #expect(APIErrorCode.transactionIDNotFound.words == "transaction id not found")
  }

  @Test(arguments: [(400, RetryClass.final), (403, .final), (404, .final), (500, .retry), (503, .retry)])
  func `a code that is not recognized goes by the status`(status: Int, retry: RetryClass) async throws {
    let bench = try await Bench(
      limits: .single,
      [Scripted(status: status, body: #"{"errorCode":9990000,"errorMessage":"x"}"#), Scripted(status: status, body: "<html>")])
    let fault = try #require(await ask(bench))
    #expect(fault.cause == .unrecognizedCode(9_990_000))
    #expect(fault.code == nil)
    #expect(fault.retry == retry)
    let plain = try #require(await ask(bench))
    #expect(plain.cause == .status)
    #expect(plain.retry == retry)
    #expect(plain.status == status)
  }

  @Test func `401 is an alarm about the key, or about the clock when the dates differ; the token is created again`() async throws {
    func answer(_ date: String?) -> Scripted {
      Scripted(status: 401, headers: date.map { ["Date": $0] } ?? [:], body: "Unauthenticated\n")
    }
    // The manual clock shows 2025-12-31T23:50:00Z.
    let bench = try await Bench([
      answer(nil), answer("Wed, 31 Dec 2025 23:50:59 GMT"), answer("Wed, 31 Dec 2025 23:40:00 GMT"),
      answer("Thu, 01 Jan 2026 00:00:00 GMT"), answer("yesterday"), answer("Sun, 31 Nov 2025 00:00:00 GMT"), Self.found,
    ])
    let alarms: [ConfigurationAlarm] = [
      .keyRefused, .keyRefused, .clockSkew(seconds: 600), .clockSkew(seconds: -600), .keyRefused, .keyRefused,
    ]
    for alarm in alarms {
      let fault = try #require(await ask(bench))
      #expect(fault.retry == .configurationAlarm(alarm))
      #expect(fault.attempts == 1)
    }
    #expect(await ask(bench) == nil)
    #expect(Set(try await bench.log().map { $0.headers["authorization"] }).count == 7)
  }

  @Test func `429 pauses only its bucket, until Apple's instant in milliseconds`() async throws {
    let end = Timestamp(milliseconds: 1_767_225_600_000)
    let bench = try await Bench([.fault(4_290_000, headers: ["Retry-After": "1767225600000"]), .ok(#"{"data":[]}"#), Self.found])
    let fault = try #require(await ask(bench))
    // 600 seconds are longer than the call may take.
    #expect(fault.retry == .retryAt(end))
    #expect(fault.status == 429)
    let again = try #require(await ask(bench))
    #expect(again.cause == .budgetSpent)
    #expect(again.retry == .retryAt(end))
    #expect(again.attempts == 0)
    _ = try await bench.client.subscriptionStatuses(of: "77", in: .production)
    try await bench.script(.sandbox, Self.found)
    #expect(await ask(bench, .sandbox) == nil)
    #expect(bench.time.slept.isEmpty)
    bench.time.advance(seconds: 599)
    #expect(await ask(bench) == nil)
    #expect(bench.time.slept == [1_000_000])
    #expect(try await bench.log().count == 3)
  }

  @Test func `a short 429 is waited for within the call`() async throws {
    let bench = try await Bench([.fault(4_290_000, headers: ["Retry-After": "1767225030000"]), Self.found])
    _ = try await bench.client.transactionInfo("77", in: .production)
    #expect(try await bench.log().count == 2)
    #expect(bench.time.slept == [30_000_000])
  }

  @Test(
    "a Retry-After that is no such instant is not believed",
    arguments: [
      ("1767225600", 60), ("30", 60), ("Wed, 31 Dec 2025 23:59:00 GMT", 60), ("-1", 60), ("", 60),
      ("9223372036854775807", 7200), ("1767224000000", 1),
    ] as [(String, Int64)])
  func strangeRetryAfter(header: String, seconds: Int64) async throws {
    let bench = try await Bench(limits: .single, [Scripted(status: 429, headers: ["Retry-After": header], body: "slow down")])
    let fault = try #require(await ask(bench))
    #expect(fault.retry == .retryAt(bench.time.now.advanced(bySeconds: seconds)))
  }

  @Test func `temporary failures are tried again with growing pauses, as often as allowed`() async throws {
    let bench = try await Bench([
      .fault(5_000_000), Scripted(status: 503, body: "busy"), Scripted(body: #"{"signed"#, isCut: true), Self.found,
    ])
    _ = try await bench.client.transactionInfo("77", in: .production)
    #expect(try await bench.log().count == 4)
    let slept = bench.time.slept
    try #require(slept.count == 3)
    #expect((250_000...500_000).contains(slept[0]))
    #expect((500_000...1_000_000).contains(slept[1]))
    #expect((1_000_000...2_000_000).contains(slept[2]))
    let other = try await Bench((1...5).map { _ in .fault(5_000_001) })
    let fault = try #require(await ask(other))
    #expect(fault.attempts == 4)
    #expect(fault.retry == .retry)
    #expect(other.time.slept.count == 3)
    #expect(try await other.log().count == 4)
  }

  @Test func `the total deadline ends the repetitions`() async throws {
    var limits = APILimits()
    limits.attemptsMax = 100
    limits.totalDeadline = .seconds(5)
    let bench = try await Bench(limits: limits, (1...20).map { _ in .fault(5_000_000) })
    let start = bench.time.now
    let fault = try #require(await ask(bench))
    #expect(fault.code == .internalError)
    #expect(fault.attempts < 8)
    #expect(bench.time.now < start.advanced(bySeconds: 5))
  }

  @Test(arguments: [
    "", "[]", "{", "{}", #"{"hasMore":true}"#, #"{"signedTransactions":"x"}"#,
    #"{"hasMore":false,"signedTransactions":["a",null]}"#, #"{"hasMore":false,"revision":"r"}"#,
    #"{"hasMore":false,"signedTransactions":null}"#, #"{"bundleId":"com.example"}"#, "\u{FF}",
  ]) func `a success that is no such answer is a fault, not an empty answer`(body: String) async throws {
    let bench = try await Bench(limits: .single, [.ok(body)])
    let failure = await fault { try await bench.client.transactionHistory(of: "1", in: .production) }
    guard case .malformedAnswer? = failure?.cause else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(failure?.retry == .retry)
    // No such body is an answer about subscriptions either.
    try await bench.script(.production, .ok(body))
    let statuses = await fault { try await bench.client.subscriptionStatuses(of: "1", in: .production) }
    #expect(statuses?.retry == .retry)
  }

  @Test func `a body over the limit, and an address that must not be called, are final`() async throws {
    var limits = APILimits.single
    limits.bodyBytesMax = 10
    let bench = try await Bench(limits: limits, [Self.found])
    let large = try #require(await ask(bench))
    #expect(large.cause == .transport(.tooLarge(limit: 10)))
    #expect(large.retry == .final)
    for (address, retry) in [("http://example.com", RetryClass.final), ("http://127.0.0.1:1", .retry)] {
      let time = ManualClock()
      let client = AppStoreServerClient(
        try TestKeys.credentials(), bundleID: "com.example", http: HTTPClient(connections: 1),
        limiter: RateLimiter(clock: time.clock, shared: ScriptedBudget(time).shared),
        addresses: APIAddresses(variables: ["PAYRECON_APPSTORE_URL": address]), limits: .single, clock: time.clock)
      let fault = await fault { try await client.transactionInfo("1", in: .production) }
      #expect(fault?.retry == retry, "\(address)")
    }
  }

  @Test func `a cancelled call ends as cancelled`() async throws {
    let bench = try await Bench((1...9).map { _ in .fault(5_000_000) })
    let call = Task { await ask(bench) }
    call.cancel()
    let fault = await call.value
    #expect(fault?.cause == .cancelled)
  }

  @Test func `production first; the sandbox only for an id that production does not know or refuses`() async throws {
    let bench = try await Bench([.fault(4_040_010), .fault(4_040_010), Self.found, .fault(4_000_006), .fault(4_040_001)])
    try await bench.script(.sandbox, Self.found, .fault(4_040_010), .fault(4_000_006))
    #expect(try await bench.client.findTransaction("1") != nil)
    #expect(try await bench.log(.sandbox).count == 1)
    #expect(try await bench.client.findTransaction("2") == nil)
    #expect(try await bench.client.findTransaction("3") != nil)
    #expect(try await bench.log(.sandbox).count == 2)
    #expect(try await bench.client.findTransaction("4") == nil)
    await #expect { _ = try await bench.client.findTransaction("4") } throws: {
      ($0 as? APIFault)?.code == .accountNotFound
    }
    #expect(try await bench.log().count == 5)
    #expect(try await bench.log(.sandbox).count == 3)
  }
}

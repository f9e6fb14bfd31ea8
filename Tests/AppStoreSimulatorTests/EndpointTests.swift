import Cryptography
import SimulatedSigning

struct EndpointTests {
  private let history = "/production/inApps/v2/history/"

  /// Reads all pages from a revision on. Returns the transaction ids in order and the last revision.
  private func pages(
    _ simulator: AppStoreSimulator, _ id: String, from revision: String? = nil
  ) throws -> (ids: [String], revision: String, sizes: [Int]) {
    var ids: [String] = []
    var sizes: [Int] = []
    var token = revision
    while true {
      let page = try simulator.get(history + id, [("sort", "ASCENDING")] + (token.map { [("revision", $0)] } ?? []))
      let signed = try #require(page["signedTransactions"]?.array)
      sizes.append(signed.count)
      for text in signed { ids.append(try #require(try payload(text)["transactionId"]?.text)) }
      token = page["revision"]?.text
      if page["hasMore"]?.bool == false { return (ids, try #require(token), sizes) }
    }
  }

  @Test func `History comes in pages of 20 and continues from a stored revision`() async throws {
    try await withSimulator { simulator in
      let bought = try simulator.change(.production) { store in
        try (0..<45).map { _ in try store.buy(Sample.coins, for: "anna") }
      }
      let first = try pages(simulator, bought[0])
      #expect(first.ids == bought && first.sizes == [20, 20, 5])
      // First nothing is new. Then a refund moves an old transaction to the end.
      #expect(try pages(simulator, bought[0], from: first.revision).ids.isEmpty)
      try simulator.change(.production) { try $0.refund(bought[7]) }
      #expect(try pages(simulator, bought[0], from: first.revision).ids == [bought[7]])
      // A revision is valid only in the list that produced it, and filters are not simulated.
      let refunds = try simulator.get("/production/inApps/v2/refund/lookup/" + bought[0], [("revision", first.revision)], status: 400)
      #expect(refunds["errorCode"]?.integer == 4_000_005)
      let filtered = try simulator.get(history + bought[0], [("revoked", "true")], status: 400)
      #expect(filtered["errorCode"]?.integer == 4_000_000)
    }
  }

  @Test(arguments: [
    ("/production/inApps/v1/transactions/12345", 404, 4_040_010),
    ("/production/inApps/v1/transactions/x", 400, 4_000_006),
    ("/sandbox/inApps/v2/history/12345", 404, 4_040_010),
    ("/production/inApps/v1/subscriptions/12345", 404, 4_040_010),
    ("/production/inApps/v2/refund/lookup/12345", 404, 4_040_010),
  ])
  func `Refusals carry Apple's numbers`(path: String, status: Int, code: Int64) async throws {
    try await withSimulator { simulator in
      let refused = try simulator.get(path, status: status)
      #expect(refused["errorCode"]?.integer == code)
    }
  }

  @Test func `An order lists its transactions, in production only`() async throws {
    try await withSimulator { simulator in
      let order = try simulator.change(.production) { store in
        let first = try store.buy(Sample.coins, for: "anna")
        let order = store.transaction(first)?.orderID
        try store.buy(Sample.lifetime, for: "anna", StoreState.Terms(order: order))
        return order ?? ""
      }
      let found = try simulator.get("/production/inApps/v1/lookup/\(order)")
      #expect(found["status"]?.integer == 0 && found["signedTransactions"]?.array?.count == 2)
      let missing = try simulator.get("/production/inApps/v1/lookup/MNONE")
      #expect(missing["status"]?.integer == 1 && missing["signedTransactions"]?.array?.isEmpty == true)
      let sandbox = simulator.respond(to: StoreRequest(method: "GET", path: "/sandbox/inApps/v1/lookup/\(order)"))
      #expect(sandbox.status == 404)
    }
  }

  @Test func `Calls beyond the quota are refused until the window is over`() async throws {
    let configuration = AppStoreSimulator.Configuration(wallClock: { 1_800_000_000_000 })
    try await withSimulator(configuration) { simulator in
      simulator.limit(.orderLookup, to: 2)
      let request = StoreRequest(method: "GET", path: "/inApps/v1/lookup/M1")
      #expect((0..<2).map { _ in simulator.respond(to: request).status } == [200, 200])
      let refused = simulator.respond(to: request)
      #expect(refused.status == 429)
      #expect(refused.headers.first { $0.name == "Retry-After" }?.value == "1800003600000")
      #expect(JSONValue.parse(refused.body)?["errorCode"]?.integer == 4_290_000)
      #expect(simulator.counters == ["Production orderLookup": 3, "Production orderLookup refused": 1])
    }
  }
}

struct TokenTests {
  private static let now: Int64 = 1_800_000_000

  private static func claims(
    issuer: String = "issuer", bundle: String = "com.example.reader", audience: String = "appstoreconnect-v1",
    issued: Int64? = now, end: Int64 = now + 300
  ) -> String {
    let start = issued.map { #""iat":\#($0),"# } ?? ""
    return #"{"iss":"\#(issuer)","bid":"\#(bundle)","aud":"\#(audience)",\#(start)"exp":\#(end)}"#
  }

  @Test(arguments: [
    (claims(), 404), (claims(issued: nil), 404), (claims(end: now + 3600), 404),
    (claims(issued: now + 30), 404),
    (claims(issuer: "other"), 401), (claims(bundle: "com.example.other"), 401), (claims(audience: "x"), 401),
    (claims(end: now), 401), (claims(end: now + 3601), 401), (claims(issued: now + 120), 401),
  ])
  func `Tokens are checked claim by claim`(claims: String, status: Int) async throws {
    let signer = SimulatedAuthority(seed: 5)
    let key = try #require(Certificate(der: signer.chain[0])?.es256PublicKey)
    let configuration = AppStoreSimulator.Configuration(keys: [AppKey(id: nil, issuer: "issuer", key: key)], wallClock: { Self.now * 1000 })
    try await withSimulator(configuration) { simulator in
      func ask(_ token: [UInt8]?) -> StoreResponse {
        let header = token.map { "Bearer \(String(decoding: $0, as: UTF8.self))" }
        return simulator.respond(to: StoreRequest(method: "GET", path: "/inApps/v1/transactions/1", authorization: header))
      }
      #expect(ask(signer.sign(Array(claims.utf8))).status == status)
      // A token signed with another key, then no token at all.
      #expect(ask(SimulatedAuthority(seed: 6).sign(Array(claims.utf8))).status == 401)
      let missing = ask(nil)
      #expect(missing.status == 401)
      #expect(String(decoding: missing.body, as: UTF8.self).hasPrefix("Unauthenticated"))
    }
  }
}

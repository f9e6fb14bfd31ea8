struct NotificationTests {
  private let path = "/production/inApps/v1/notifications/history"

  private func range(_ from: String, _ to: String) throws -> String {
    #"{"startDate":\#(try moment(from).milliseconds),"endDate":\#(try moment(to).milliseconds)}"#
  }

  private func history(_ simulator: AppStoreSimulator, _ body: String) throws -> [JSONValue] {
    var found: [JSONValue] = []
    var token: String?
    repeat {
      let page = try simulator.post(path, body, token.map { [(name: "paginationToken", value: $0)] } ?? [])
      found += try #require(page["notificationHistory"]?.array, "\(page)")
      #expect((page["hasMore"]?.bool == true) == (page["paginationToken"] != nil))
      token = page["paginationToken"]?.text
    } while token != nil
    return found
  }

  @Test func `History pages through a range once`() async throws {
    try await withSimulator { simulator in
      try simulator.change(.production) { try $0.populate(purchases: 130, customers: 7, spacing: .seconds(60)) }
      let all = try history(simulator, try range("2026-11-02T00:00:00Z", "2026-11-03T00:00:00Z"))
      let uuids = try all.map { try payload($0["signedPayload"])["notificationUUID"]?.text }
      #expect(all.count == 130 && Set(uuids).count == 130)
      // Ten minutes contain ten notifications. The end of a range is exclusive.
      #expect(try history(simulator, try range("2026-11-02T00:30:00Z", "2026-11-02T00:40:00Z")).count == 10)
    }
  }

  @Test(arguments: [
    (#"{"endDate":5}"#, 4_000_015), (#"{"startDate":1793577600000,"endDate":"x"}"#, 4_000_016),
    (#"{"startDate":1793577600000,"endDate":1793577600000}"#, 4_000_013),
    (#"{"startDate":1600000000000,"endDate":1793577600001}"#, 4_000_012),
    (#"{"startDate":1793577600000,"endDate":1793577600001,"notificationType":"REFUND"}"#, 4_000_000),
  ])
  func `Requests for history are checked`(body: String, code: Int64) async throws {
    try await withSimulator { simulator in
      let refused = try simulator.post(path, body)
      #expect(refused["errorCode"]?.integer == code)
    }
  }

  @Test func `A pagination token holds for its query and a day`() async throws {
    try await withSimulator { simulator in
      try simulator.change(.production) { try $0.populate(purchases: 30, customers: 1, spacing: .seconds(1)) }
      let body = try range("2026-11-02T00:00:00Z", "2026-11-03T00:00:00Z")
      let token = try #require(try simulator.post(path, body)["paginationToken"]?.text)
      let query = [(name: "paginationToken", value: token)]
      let other = try range("2026-11-02T00:00:00Z", "2026-11-04T00:00:00Z")
      #expect(try simulator.post(path, other, query)["errorCode"]?.integer == 4_000_014)
      #expect(try simulator.post(path, body, query)["notificationHistory"]?.array?.count == 10)
      await simulator.advance(to: try moment("2026-11-04T00:00:00Z"))
      #expect(try simulator.post(path, body, query)["errorCode"]?.integer == 4_000_017)
    }
  }

  @Test func `A failed delivery is listed`() async throws {
    let configuration = AppStoreSimulator.Configuration { _, _ in false }
    try await withSimulator(configuration) { simulator in
      _ = try simulator.change(.production) { try $0.buy(Sample.coins, for: "anna") }
      await simulator.deliver()
      let listed = try history(simulator, try range("2026-11-02T00:00:00Z", "2026-11-03T00:00:00Z"))
      #expect(listed.map { $0["sendAttempts"]?.array?.first?["sendAttemptResult"]?.text } == ["TIMED_OUT"])
    }
  }
}

struct ReceiptTests {
  private let secret = "0123456789abcdef0123456789abcdef"

  private func ask(_ simulator: AppStoreSimulator, _ host: String, _ receipt: String, _ secret: String) throws -> JSONValue {
    try simulator.post("/\(host)/verifyReceipt", #"{"receipt-data":"\#(receipt)","password":"\#(secret)"}"#)
  }

  @Test func `A sandbox receipt is sent to the sandbox`() async throws {
    try await withSimulator { simulator in
      let id = try simulator.change(.sandbox) { try $0.buy(Sample.silver, for: "anna") }
      let receipt = simulator.receipt(of: "anna", .sandbox)
      #expect(try ask(simulator, "production", receipt, secret)["status"]?.integer == 21007)
      #expect(try ask(simulator, "sandbox", receipt, "x")["status"]?.integer == 21004)
      #expect(try ask(simulator, "sandbox", "!", secret)["status"]?.integer == 21002)
      let answer = try ask(simulator, "sandbox", receipt, secret)
      #expect(answer["status"]?.integer == 0 && answer["environment"]?.text == "Sandbox")
      let row = try #require(answer["receipt"]?["in_app"]?.array?.first)
      #expect(row["transaction_id"]?.text == id)
      #expect(row["expires_date"]?.text == "2026-11-02 00:05:00 Etc/GMT")
      #expect(row["expires_date_ms"]?.text == "1793577900000")
      #expect(answer["pending_renewal_info"]?.array?.first?["auto_renew_status"]?.text == "1")
    }
  }
}

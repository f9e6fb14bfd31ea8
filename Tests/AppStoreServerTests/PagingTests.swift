@Suite("Paging") struct PagingTests {
  private let query = NotificationHistoryQuery(from: Timestamp(milliseconds: 1), to: Timestamp(milliseconds: 2))

  private func page(_ texts: [String], _ token: String, more: String) -> Scripted {
    let list = texts.map { #"{"signedPayload":"\#($0)"}"# }.joined(separator: ",")
    return .ok(#"{"paginationToken":"\#(token)","hasMore":\#(more),"notificationHistory":[\#(list)]}"#)
  }

  @Test func `pages follow the token with the same body, and end with hasMore`() async throws {
    let bench = try await Bench([page(["a", "b"], "p 1", more: "true"), page(["c"], "p2", more: "true"), page([], "p3", more: "false")])
    var payloads: [String?] = []
    var tokens: [String?] = []
    var list = bench.client.notificationHistoryPages(query, from: "p0", in: .production)
    while let page = try await list.next() {
      payloads += page.notifications.map { $0.signedPayload?.text }
      tokens.append(page.paginationToken)
    }
    #expect(payloads == ["a", "b", "c"])
    #expect(tokens == ["p 1", "p2", "p3"])
    let log = try await bench.log()
    #expect(log.map(\.target) == ["p0", "p%201", "p2"].map { "/inApps/v1/notifications/history?paginationToken=\($0)" })
    #expect(Set(log.map(\.body)) == [#"{"startDate":1,"endDate":2}"#])
  }

  @Test("a list that leads back to an earlier page, or never ends, is given up", arguments: [["r1", "r1"], ["r1", "r2", "r1"]])
  func endless(_ tokens: [String]) async throws {
    let bench = try await Bench(tokens.map { page(["a"], $0, more: "true") })
    var count = 0
    var list = bench.client.notificationHistoryPages(query, in: .production)
    do throws(APIFault) {
      while let page = try await list.next() { count += page.notifications.count }
      Issue.record("the list ended")
    } catch { #expect(error.cause == .endlessPaging(pages: tokens.count)) }
    #expect(count == tokens.count, "what was read before is kept")
    try await bench.script(.production, (1...5).map { page(["a"], "s\($0)", more: "true") })
    await #expect {
      var list = bench.client.notificationHistoryPages(query, in: .production, pagesMax: 3)
      while try await list.next() != nil {}
    } throws: { ($0 as? APIFault)?.cause == .endlessPaging(pages: 3) }
  }

  @Test func `where hasMore cannot be read, a full page has a next one`() async throws {
    let bench = try Bench()
    let full = (1...20).map(String.init)
    try await bench.script(.production, page(full, "r1", more: "\"yes\""), page(["z"], "r2", more: "\"no\""))
    var count = 0
    var list = bench.client.notificationHistoryPages(query, in: .production)
    while let page = try await list.next() { count += page.notifications.count }
    #expect(count == 21)
  }

  @Test func `a refused revision and an expired token say what to drop`() async throws {
    let bench = try await Bench([.fault(4_000_005), .fault(4_000_017), .fault(4_000_014), .fault(4_000_012)])
    let revision = await fault { try await bench.client.transactionHistory(of: "7", revision: "old", in: .production) }
    #expect(revision?.code == .requestRevision)
    #expect(revision?.retry == .final)
    #expect(revision?.remedy == .dropRevision)
    for remedy in [CursorRemedy.restartWindow, .restartWindow, nil] {
      let token = await fault { try await bench.client.notificationHistory(query, paginationToken: "old", in: .production) }
      #expect(token?.retry == .final)
      #expect(token?.remedy == remedy)
    }
  }
}

import AppStoreServer
import Domain
import Testing

@Suite("Paging")
struct PagingTests {
  private func page(_ texts: [String], _ revision: String, more: String) -> Scripted {
    let list = texts.map { "\"\($0)\"" }.joined(separator: ",")
    return .ok(#"{"revision":"\#(revision)","hasMore":\#(more),"signedTransactions":[\#(list)]}"#)
  }

  @Test("history pages follow the revision with the same filters, and end with hasMore")
  func history() async throws {
    let bench = try Bench()
    try await bench.script(
      .production, page(["a", "b"], "r1", more: "true"), page(["c"], "r2", more: "true"),
      page([], "r3", more: "false"))
    var query = TransactionHistoryQuery()
    query.isRevoked = true
    var texts: [String] = []
    var cursors: [String?] = []
    for try await answer in bench.client.transactionHistoryPages(of: "7", query, from: "r0", in: .production)
    {
      texts += answer.content.signedTransactions.map(\.text)
      cursors.append(answer.content.cursor)
    }
    #expect(texts == ["a", "b", "c"])
    #expect(cursors == ["r1", "r2", "r3"])
    #expect(
      try await bench.log().map(\.target) == [
        "/inApps/v2/history/7?revision=r0&sort=ASCENDING&revoked=true",
        "/inApps/v2/history/7?revision=r1&sort=ASCENDING&revoked=true",
        "/inApps/v2/history/7?revision=r2&sort=ASCENDING&revoked=true",
      ])
  }

  @Test("refund and notification pages follow theirs; the body of a notification page stays the same")
  func others() async throws {
    let bench = try Bench()
    try await bench.script(.sandbox, page(["a"], "r1", more: "true"), page(["b"], "r1", more: "false"))
    var count = 0
    for try await answer in bench.client.refundHistoryPages(of: "7", in: .sandbox) {
      count += answer.content.count
    }
    #expect(count == 2)
    try await bench.script(
      .production,
      .ok(#"{"hasMore":true,"paginationToken":"p 1","notificationHistory":[{"signedPayload":"x"}]}"#),
      .ok(#"{"hasMore":false,"notificationHistory":[{"signedPayload":"y"}]}"#))
    let query = NotificationHistoryQuery(
      from: Timestamp(milliseconds: 1), to: Timestamp(milliseconds: 2))
    var payloads: [String?] = []
    for try await answer in bench.client.notificationHistoryPages(query, in: .production) {
      payloads += answer.content.notifications.map { $0.signedPayload?.text }
    }
    #expect(payloads == ["x", "y"])
    let log = try await bench.log()
    #expect(
      log.map(\.target) == [
        "/inApps/v1/notifications/history", "/inApps/v1/notifications/history?paginationToken=p%201",
      ])
    #expect(Set(log.map(\.body)) == [#"{"startDate":1,"endDate":2}"#])
  }

  @Test("a list that leads back to itself, or never ends, is given up")
  func endless() async throws {
    let bench = try Bench()
    try await bench.script(.production, page(["a"], "r1", more: "true"), page(["b"], "r1", more: "true"))
    var texts: [String] = []
    do throws(APIFault) {
      for try await answer in bench.client.refundHistoryPages(of: "7", in: .production) {
        texts += answer.content.signedTransactions.map(\.text)
      }
      Issue.record("the list ended")
    } catch { #expect(error.cause == .endlessPaging(pages: 2)) }
    #expect(texts == ["a", "b"], "what was read before is kept")
    try await bench.script(.production, (1...5).map { page(["a"], "s\($0)", more: "true") })
    await #expect {
      for try await _ in bench.client.refundHistoryPages(of: "7", in: .production, pagesMax: 3) {}
    } throws: { ($0 as? APIFault)?.cause == .endlessPaging(pages: 3) }
  }

  @Test("where hasMore cannot be read, a full page has a next one")
  func unreadableEnd() async throws {
    let bench = try Bench()
    let full = (1...20).map(String.init)
    try await bench.script(
      .production, page(full, "r1", more: "\"yes\""), page(["z"], "r2", more: "\"no\""))
    var count = 0
    for try await answer in bench.client.transactionHistoryPages(of: "7", in: .production) {
      count += answer.content.count
      #expect(answer.unread.map(\.path) == ["hasMore"])
    }
    #expect(count == 21)
  }

  @Test("a refused revision and an expired token say what to drop")
  func refusedCursors() async throws {
    let bench = try Bench()
    try await bench.script(
      .production, .fault(4_000_005), .fault(4_000_017), .fault(4_000_014), .fault(4_000_012))
    let revision = await fault { () throws(APIFault) in
      try await bench.client.transactionHistory(of: "7", revision: "old", in: .production)
    }
    #expect(revision?.code == .requestRevision)
    #expect(revision?.retry == .final)
    #expect(revision?.remedy == .dropRevision)
    let query = NotificationHistoryQuery(from: Timestamp(milliseconds: 1), to: Timestamp(milliseconds: 2))
    for remedy in [CursorRemedy.restartWindow, .restartWindow, nil] {
      let token = await fault { () throws(APIFault) in
        try await bench.client.notificationHistory(query, paginationToken: "old", in: .production)
      }
      #expect(token?.retry == .final)
      #expect(token?.remedy == remedy)
    }
  }
}

import AppStoreSimulator
import Dice
import Domain
import FoundationEssentials
import Glibc
import SystemCalls
import Testing
import TestSupport

/// Answers to consumption requests by a program that is killed at any point, or started twice: each request is answered by one text.
@Suite(.cleansUp) struct ConsumptionKillTests {
  private static let requests = 60
  private static let kills = 8
  /// Seed of the kill points: `PAYRECON_TEST_SEED`, else a constant.
  private static let seed = Program.variable("PAYRECON_TEST_SEED").flatMap(UInt64.init) ?? 20_261_128

  @Test func killsAndConcurrentStartsSendOneText() async throws {
    var desk = try await Desk()
    // Apple's time for an answer is the machine's.
    let start = Moment(milliseconds: Machine.microseconds / 1000 - 3_600_000)
    let store = try await desk.openAppStore(start: start)
    let ids = try await Self.prepare(desk, store)
    var dice = Dice(seed: Self.seed)
    var points: [Int] = []
    for turn in 0..<Self.kills {
      let point = Int.random(in: 1...(turn % 2 == 0 ? 120 : 500), using: &dice)
      let run = try await Self.send(desk, kill: .at(point: point))
      points.append(point)
      #expect(run.signal == SIGKILL || run.status == 0, "seed \(Self.seed), point \(point): \(run.complaint)")
    }
    let program = desk.program
    async let one = program("consumption", "send")
    async let two = program("consumption", "send")
    let both = try await [one, two]
    #expect(both.allSatisfy { $0.status == 0 || $0.status == 4 }, "\(both.map(\.complaint))")
    let last = try await Self.send(desk)
    #expect(last.status == 0 && last.text.hasPrefix("consumption send: 0 sent, 0 refused; 20 open"), "\(last.text)\(last.complaint)")
    for (place, id) in ids.enumerated() {
      let answers = store.change(.production) { $0.transaction(id)?.consumptionAnswers ?? [] }
      #expect(answers.count == (place % 3 == 0 ? 0 : 1), "seed \(Self.seed), points \(points), request \(place)")
    }
    let counts = try await desk.query(
      """
      select (select count(*) from payrecon.consumption_intents)
        || ' ' || (select string_agg(distinct outcome, ' ') || ' ' || count(*) from payrecon.consumption_outcomes)
        || ' ' || (select count(*) from payrecon.audit_log where act = 'consumption_ended')
      """)
    #expect(counts == "40 sent 40 40", "seed \(Self.seed), points \(points)")
    let plan = try await program("consumption", "plan", "--format", "csv")
    #expect(plan.text.split(separator: "\n").count == 21 && !plan.text.contains(",send,"), "\(plan.text)\(plan.complaint)")
    await store.stop()
  }

  private static func send(_ desk: Desk, kill: Program.Kill = .never) async throws -> Execution {
    try await desk.patiently { try await desk.program.run([Program.path, "consumption", "send"], kill: kill) }
  }

  /// Ingests requests, a third of them without consent, and returns their transactions.
  private static func prepare(_ desk: Desk, _ store: AppStoreSimulator) async throws -> [String] {
    let ids = try store.change(.production) { store in
      let name = try store.addCustomer("anna")
      let ids = try (0..<requests).map { _ in try store.buy("com.example.reader.coins.100", for: name) }
      for id in ids { try store.requestRefund(of: id) }
      return ids
    }
    let old = String(decoding: try Desk.bytes("\(desk.directory)/payrecon.yaml"), as: UTF8.self)
    try desk.write("payrecon.yaml", old + "consumption: {send: true}\n")
    let letters = store.change(.production) { $0.notifications }.map { String(decoding: store.body(of: $0, .production), as: UTF8.self) }
    try desk.write("posts.ndjson", letters.joined(separator: "\n") + "\n")
    let header = "order_id,bundle_id,product_id,user_id,status,created_at,transaction_id,consumption_consent,consumption_millipercent"
    let at = store.now.text
    let rows = ids.enumerated().map { place, id in
      "O\(place),com.example.reader,com.example.reader.coins.100,U\(place),delivered,\(at),\(id),"
        + "\(place % 3 == 0 ? "" : "true"),\(place * 1000)"
    }
    try desk.write("orders.csv", ([header] + rows).joined(separator: "\n") + "\n")
    for words in [["ingest", "apple", "posts.ndjson"], ["ingest", "orders", "orders.csv"], ["match"]] {
      let done = try await desk.program.run([Program.path] + words)
      try #require(done.status == 0, "\(words): \(done.complaint)")
    }
    return ids
  }
}

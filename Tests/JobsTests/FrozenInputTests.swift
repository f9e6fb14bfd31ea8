import Domain
import JobCore
import Jobs
import Matching
import Postgres
import Testing
import TestSupport

/// A run decides on one snapshot of all inputs, regardless of concurrent ingestion.
@Suite(.cleansUp) struct FrozenInputTests {
  private static let asOf = "2026-05-12T12:00:00Z"

  /// Statements that fail if the next statement could see more than the previous one.
  private static let guardText = """

    do $$
    begin
        if current_setting('transaction_isolation') <> 'repeatable read' then
            raise exception 'the input moves';
        end if;
    end
    $$;
    """

  @Test(arguments: ["match/work_tables.sql", "detect/00_work_tables.sql", "rules/00_work_tables.sql"])
  func everyStatementSeesOneState(_ path: String) async throws {
    var scenario = try await Scenario()
    scenario.sql = try scenario.changedSQL(path) { $0 + Self.guardText }
    try await scenario.decide(asOf: Self.asOf)
  }

  @Test func matchDuringIngest() async throws {
    let scenario = try await Scenario()
    let count = 240
    func second(_ number: Int) -> String { instant("2026-05-10T00:00:00Z").advanced(bySeconds: Int64(number * 60)).rfc3339 }
    func token(_ number: Int) -> String { "a1000000-0000-4000-8000-\(String(100_000_000_000 + number))" }
    try await scenario.orders(
      (0..<count).map { number in
        TestOrder("PO-\(1000 + number)", user: "U\(number)", at: second(number), names: "\(47000 + number)") { $0.token = token(number) }
      }, asOf: Self.asOf)
    let lines = (0..<count).map { ApplePurchase("\(47000 + $0)", at: second($0), token: token($0)).jws }
    async let reading: Void = { () async throws -> Void in
      for start in stride(from: 0, to: count, by: 20) {
        try await scenario.ingest(
          .apple, lines[start..<start + 20].joined(separator: "\n") + "\n", name: "part\(start)", asOf: Self.asOf)
      }
    }()
    let run = DecisionRun(context: try scenario.context(asOf: Self.asOf))
    for number in 0..<8 {
      let partitioning = number.isMultiple(of: 2) ? Partitioning() : Partitioning(partitions: 3, workers: 2)
      _ = try await run.match(isFull: true, isDryRun: false, partitioning: partitioning)
    }
    try await reading
    _ = try await run.match(isFull: true, isDryRun: false)
    let rungs = try await scenario.rows(.matches, asOf: Self.asOf).cells("rung")
    #expect(rungs == Array(repeating: "M1", count: count))
    // Every decision was right the first time: no match was closed and created again on another rung.
    for found in [
      "select charge_id from payrecon.ended_matches", "select job from payrecon.runs where job = 'match' and last_batch_id is null",
    ] {
      #expect(try await scenario.answers(found) == [])
    }
  }
}

import Simulation
import Testing

@Suite("A simulated world of Apple's money") struct MoneyWorldTests {
  static let causes = (1...18).map { "T\($0)" } + ["unknown"]

  @Test func `the same seed gives the same bytes, another seed others`() async throws {
    let (first, again, other) = (Scratch(), Scratch(), Scratch())
    _ = try await World.writeMoney(seed: 11, charges: 600, directory: first.path)
    _ = try await World.writeMoney(seed: 11, charges: 600, directory: again.path)
    _ = try await World.writeMoney(seed: 12, charges: 600, directory: other.path)
    for file in [
      "inbox/orders.csv", "inbox/apple.ndjson", "finance/85000000_2026-11_Z1.txt", "finance/85000000_2026-12_WW.txt",
      "finance/S_D_1_85000000_20260715.txt", "finance/Subscriber_85000000_20260715.txt",
      "finance/Subscription_Event_85000000_20260715.txt", "finance/financial_report_2026-P11.csv", "bank/credits.csv",
      "truth/cells.csv", "truth/payments.csv", "truth/duplicates.csv",
    ] { #expect(try first.bytes(file) == again.bytes(file), "\(file)") }
    #expect(try first.bytes("truth/cells.csv") != other.bytes("truth/cells.csv"))
  }

  @Test func `every cause is planted in every period, in the smallest world too`() async throws {
    let scratch = Scratch()
    _ = try await World.writeMoney(seed: 5, charges: World.leastMoneyCharges, directory: scratch.path)
    let rows = try scratch.rows("truth/cells.csv") + scratch.rows("truth/payments.csv")
    for period in ["2026-P10", "2026-P11", "2026-P12"] {
      let planted = Set(rows.filter { $0["fiscal_period"] == period }.compactMap { $0["cause"] })
      // A balance below the threshold is paid a period later.
      let expected = period == "2026-P12" ? Self.causes.filter { $0 != "T10" } : Self.causes
      #expect(planted == Set(expected), "\(period)")
    }
  }

  @Test func `the regions' files and the detail state the same money, and the credits what is paid`() async throws {
    let scratch = Scratch()
    let summary = try await World.writeMoney(seed: 6, charges: 800, directory: scratch.path)
    var lineCount = 0
    for period in 10...12 {
      let detail = try scratch.lines("finance/85000000_2026-\(period)_Z1.txt").map {
        $0.split(separator: "\t", omittingEmptySubsequences: false)
      }
      let rows = detail.filter { $0.count == 18 }.dropFirst()
      lineCount += rows.count
      for region in ["CN", "US", "JP", "EU", "WW"] {
        let parts = try scratch.lines("finance/85000000_2026-\(period)_\(region).txt").map { $0.split(separator: "\t") }
        let total = parts.first { $0.first == "Total_Units" }?.last.flatMap { Int($0) }
        let units = rows.filter { $0[17] == region }.compactMap { Int($0[8]) }
        #expect(total == units.reduce(0, +), "\(period) \(region)")
        #expect(units.count > 10)
      }
    }
    #expect(summary.lines == lineCount)
    #expect(try scratch.rows("bank/credits.csv").filter { $0["reference"]?.hasPrefix("APPLE") == true }.count == 6)
  }

  @Test func `a size out of range is refused in words`() async throws {
    let scratch = Scratch()
    let error = await #expect(throws: SimulationError.self) {
      _ = try await World.writeMoney(seed: 1, charges: 10, directory: scratch.path)
    }
    #expect(error?.description.contains("cannot make a money world of 10 charges: it takes 500") == true)
  }
}

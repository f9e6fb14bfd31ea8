import Domain
import Foundation
import Simulation
import Testing

/// A world in a separate folder, removed with the value.
final class Scratch {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("payrecon-world-\(UUID().uuidString)").path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func bytes(_ file: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file)")) }

  func lines(_ file: String) throws -> [String] {
    String(decoding: try bytes(file), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Returns the rows of a CSV file by column. Our test data contains no quotes.
  func rows(_ file: String) throws -> [[String: String]] {
    let lines = try lines(file)
    let names = try #require(lines.first).split(separator: ",").map(String.init)
    return try lines.dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == names.count, "\(file): \(line)")
      return Dictionary(uniqueKeysWithValues: zip(names, fields))
    }
  }
}

@Suite("A simulated world") struct WorldTests {
  static let files = [
    "inbox/orders.csv", "inbox/users.csv", "inbox/catalogue.csv", "inbox/apple.ndjson", "roots/simulated-root.der",
    "payrecon.yaml", "truth/matches.csv", "truth/breaks.csv", "truth/pending.csv", "truth/summary.json",
  ]

  /// Classes that a world without Apple's answers and money reports may contain.
  static let classes: Set<String> = [
    "AMBIGUOUS_MATCH", "AMOUNT_DIFF", "APP_ID_DIFF", "BUNDLE_DIFF", "CURRENCY_DIFF", "DUP_CHARGE", "DUP_DELIVERY",
    "ENTITLEMENT_OVERRUN", "ENTITLEMENT_SHORT", "FAMILY_NOT_SHAREABLE", "FORGED_SIGNATURE", "ID_CONFLICT",
    "LATE_VERIFICATION", "ORDER_NO_TX", "PAID_NOT_DELIVERED", "PRICE_OFF_CATALOG", "PRODUCT_DIFF", "PROD_IN_SANDBOX",
    "QUANTITY_DIFF", "REFUND_NOT_APPLIED", "REFUND_NO_ORDER", "REFUND_ONLY_OURS", "REFUND_REVERSED_NOT_APPLIED",
    "RENEWAL_MISSING", "RENEWAL_NO_ORDER", "REPLAY_MULTI_USER", "SANDBOX_IN_PROD", "TX_NO_ORDER", "UNRECOGNIZED_VALUE", "USER_DIFF",
  ]

  @Test func `the same seed gives the same bytes, another seed others`() async throws {
    let (first, again, other) = (Scratch(), Scratch(), Scratch())
    _ = try await World.write(seed: 11, orders: 1500, directory: first.path)
    _ = try await World.write(seed: 11, orders: 1500, directory: again.path)
    _ = try await World.write(seed: 12, orders: 1500, directory: other.path)
    for file in Self.files { #expect(try first.bytes(file) == again.bytes(file), "\(file)") }
    #expect(try first.bytes("inbox/apple.ndjson") != other.bytes("inbox/apple.ndjson"))
    #expect(try first.bytes("roots/simulated-root.der") != other.bytes("roots/simulated-root.der"))
  }

  @Test(arguments: [400, 3000]) func `every class and rung is planted, in the smallest world too`(orders: Int) async throws {
    let scratch = Scratch()
    let counts = try await World.write(seed: 5, orders: orders, directory: scratch.path).counts
    #expect(Set(counts.breaks.keys) == Self.classes)
    for (name, count) in counts.breaks {
      #expect(name == "UNRECOGNIZED_VALUE" ? count == 1 : count >= 3, "\(name): \(count)")
    }
    #expect(Set(counts.rungs.keys) == ["M1", "M2", "M3", "M4", "M5", "M6"])
    #expect(counts.pending.count == 10)
    #expect(counts.orders == orders)
    #expect(try scratch.rows("inbox/orders.csv").count == orders)
    #expect(try scratch.lines("inbox/apple.ndjson").count == counts.evidence)
    let written = Dictionary(grouping: try scratch.rows("truth/breaks.csv")) { $0["class"] ?? "" }
    #expect(written.mapValues(\.count) == counts.breaks)
  }

  @Test func `the truth names each order and each charge at most once, and only orders that exist`() async throws {
    let scratch = Scratch()
    _ = try await World.write(seed: 3, orders: 2000, directory: scratch.path)
    let orders = Set(try scratch.rows("inbox/orders.csv").compactMap { $0["order_id"] })
    #expect(orders.count == 2000)
    let matches = try scratch.rows("truth/matches.csv")
    let matched = matches.compactMap { $0["order_id"] }
    #expect(Set(matched).count == matches.count)
    #expect(Set(matches.compactMap { $0["transaction_id"] }).count == matches.count)
    #expect(orders.isSuperset(of: matched))
    for file in ["truth/breaks.csv", "truth/pending.csv"] {
      let rows = try scratch.rows(file)
      #expect(Set(rows).count == rows.count, "\(file) says something twice")
      for row in rows {
        let order = row["order_id"] ?? ""
        #expect(order.isEmpty || orders.contains(order))
        #expect(!order.isEmpty || row["transaction_id"] != "" || row["evidence_sha256"] != "")
      }
    }
  }

  @Test func `nothing is known after the as-of`() async throws {
    let scratch = Scratch()
    _ = try await World.write(seed: 4, orders: 4000, directory: scratch.path)
    for row in try scratch.rows("inbox/orders.csv") {
      let updated = try #require(Timestamp(rfc3339: row["updated_at"] ?? ""))
      #expect(updated <= World.asOf)
    }
    for line in try scratch.lines("inbox/apple.ndjson") where line.hasPrefix("{") {
      guard let start = line.range(of: "\"received_at\":\"")?.upperBound else { continue }
      let received = try #require(Timestamp(rfc3339: String(line[start...].prefix(24))))
      #expect(received <= World.asOf)
    }
  }

  @Test func `a size out of range and a folder that cannot be made are refused in words`() async {
    await #expect(throws: SimulationError.self) {
      _ = try await World.write(seed: 1, orders: 10, directory: "/nonexistent")
    }
    let failure = await #expect(throws: SimulationError.self) {
      _ = try await World.write(seed: 1, orders: 400, directory: "/proc/payrecon")
    }
    #expect(failure?.description.hasPrefix("could not create folder \"/proc/payrecon\"") == true)
  }

  @Test func `the bench holds one order and one bare signed transaction for each charge`() async throws {
    let scratch = Scratch()
    try await World.writeBench(seed: 2, charges: 1500, directory: scratch.path)
    #expect(try scratch.rows("inbox/orders.csv").count == 1500)
    let lines = try scratch.lines("inbox/apple.ndjson")
    #expect(lines.count == 1500)
    #expect(lines.allSatisfy { (4000...5200).contains($0.utf8.count) && $0.split(separator: ".").count == 3 })
  }
}

@Suite("Noise") struct NoiseTests {
  @Test func `adds what goes wrong, and the same seed gives the same bytes`() async throws {
    let (plain, noisy, again) = (Scratch(), Scratch(), Scratch())
    let without = try await World.write(seed: 11, orders: 3000, directory: plain.path).counts
    let with = try await World.write(seed: 11, orders: 3000, directory: noisy.path, noise: .usual).counts
    _ = try await World.write(seed: 11, orders: 3000, directory: again.path, noise: .usual)
    for file in WorldTests.files { #expect(try noisy.bytes(file) == again.bytes(file), "\(file)") }
    #expect(with.orders == without.orders)
    #expect(with.evidence < without.evidence)
    #expect((with.rungs["M6"] ?? 0) > (without.rungs["M6"] ?? 0))
    #expect((with.breaks["ORDER_NO_TX"] ?? 0) > (without.breaks["ORDER_NO_TX"] ?? 0))
    let devices = try noisy.rows("inbox/orders.csv").compactMap { $0["device_id"] }.filter { $0.hasPrefix("shared-") }
    #expect(devices.count > Set(devices).count)
    for row in try noisy.rows("inbox/orders.csv") {
      #expect(try #require(Timestamp(rfc3339: row["updated_at"] ?? "")) <= World.asOf)
    }
  }
}

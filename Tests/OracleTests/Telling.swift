import Cryptography
import Domain
import Jobs
import TestSupport

/// Tells a world to payrecon in a random order and reads what it decides.
///
/// It decides again and again while the world is being told, so that each decision but the first is about what changed.
struct Telling {
  let world: World

  func outcomes(at instants: [Second]) async throws -> [[String]] {
    var dice = Dice(state: world.seed &+ OracleTests.shuffle)
    var scenario = try await Scenario()
    for index in scenario.settings.apps.indices { scenario.settings.apps[index].testers = World.testers }
    let parts = batches(&dice)
    for (index, part) in parts.enumerated() {
      let asOf = rfc(instants[0] - 600 + Second(index) * 10)
      try await scenario.ingest(part.kind, part.text, name: "part\(index)", asOf: asOf)
      if dice.chance(40) { try await scenario.decide(asOf: asOf) }
    }
    var outcomes: [[String]] = []
    for instant in instants {
      try await scenario.decide(asOf: rfc(instant))
      let stale = try await scenario.changesOfFullMatch(asOf: rfc(instant)).map { "stale \($0)" }
      let staleBreaks = try await scenario.changesOfFullDetect(asOf: rfc(instant)).map { "stale \($0)" }
      outcomes.append(try await outcome(scenario, asOf: rfc(instant)) + stale + staleBreaks)
    }
    await scenario.end()
    return outcomes
  }

  private struct Part {
    var kind: InputKind
    var text: String
  }

  /// All rows and items in a random order, in random parts, some of them twice.
  private func batches(_ dice: inout Dice) -> [Part] {
    var hashes: [Int: String] = [:]
    var evidence: [String] = []
    for item in world.items {
      let jws = item.jws
      hashes[item.id] = SHA256.hex(Array(jws.utf8))
      evidence.append(item.line(jws: jws))
    }
    let hash = { (item: Int) in hashes[item] ?? String(repeating: "0", count: 64) }
    var rows = world.orders.map { $0.line(hash: hash) }
    for order in world.orders where dice.chance(25) { rows.append(order.asCart.line(hash: hash)) }
    rows += rows.filter { _ in dice.chance(15) }
    evidence += evidence.filter { _ in dice.chance(15) }
    var parts = split(dice.shuffled(rows), &dice).map {
      Part(kind: .orders, text: ([Scenario.orderHeader] + $0).joined(separator: "\n") + "\n")
    }
    parts += split(dice.shuffled(evidence), &dice).map { Part(kind: .apple, text: $0.joined(separator: "\n") + "\n") }
    if !world.users.isEmpty {
      let lines = ["user_id,app_account_token,home_storefront,is_tester"] + world.users.map(\.line)
      parts.append(Part(kind: .users, text: lines.joined(separator: "\n") + "\n"))
    }
    if world.hasCatalogue { parts.append(Part(kind: .catalogue, text: world.catalogueText)) }
    return dice.shuffled(parts)
  }

  private func split(_ lines: [String], _ dice: inout Dice) -> [[String]] {
    guard !lines.isEmpty else { return [] }
    let count = dice.number(1, 3)
    return (0..<count).map { part in lines.enumerated().filter { $0.offset % count == part }.map(\.element) }
      .filter { !$0.isEmpty }
  }

  private static let ofCharge: Set = [
    "AMBIGUOUS_MATCH", "DUP_CHARGE", "REFUND_NO_ORDER", "RENEWAL_NO_ORDER", "TX_NO_ORDER", "ID_CONFLICT",
    "FAMILY_NOT_SHAREABLE", "PRICE_OFF_CATALOG",
  ]

  private func outcome(_ scenario: Scenario, asOf: String) async throws -> [String] {
    var labels: [String: String] = [:]
    for row in try await scenario.rows(.charges, asOf: asOf) {
      let ids = (row["transaction_ids"] ?? "").split(separator: " ").sorted().joined(separator: "+")
      labels[row["charge_id"] ?? ""] = "\(ids)@\(row["purchased_at"] ?? "")"
    }
    var lines = try await scenario.rows(.matches, asOf: asOf).map {
      "match \($0["order_id"] ?? "") \(labels[$0["charge_id"] ?? ""] ?? "?") \($0["rung"] ?? "")"
    }
    func subject(_ row: [String: String]) -> String {
      if Self.ofCharge.contains(row["class"] ?? "") { return labels[row["charge_id"] ?? ""] ?? "?" }
      let order = row["order_id"] ?? ""
      return order.isEmpty ? row["transaction_id"] ?? "" : order
    }
    for row in try await scenario.rows(.breaks, asOf: asOf) where row["status"] != "resolved" {
      lines.append("break \(row["class"] ?? "") \(subject(row))")
    }
    for row in try await scenario.rows(.pending, asOf: asOf) {
      lines.append("pending \(row["class"] ?? "") \(subject(row)) at \(row["breaks_at"] ?? "")")
    }
    return lines
  }
}

import Cryptography
import Dice

/// Ingests a world in a random order and reads payrecon's decisions.
///
/// Decisions are made repeatedly during the ingestion, so that all but the first evaluate changes. Ingestions and decisions are
/// interrupted and repeated. Past clocks are queried again at the end.
struct WorldRun {
  let world: World
  /// Whether every order and charge is explained after each decision.
  var isExplained = false
  /// Percentage of ingestions and decisions that are interrupted once.
  static let breakagePercent = 25

  /// Returns the decisions at each instant, with every difference from a full run and from an earlier reading of a past clock.
  func outcomes(at instants: [Second]) async throws -> [[String]] {
    var dice = Dice(seed: world.seed &+ 77)
    var scenario = try await Scenario()
    for index in scenario.settings.apps.indices {
      scenario.settings.apps[index].testers = World.testers
      scenario.settings.apps[index].reconcileFrom = world.starts[scenario.settings.apps[index].bundleID].map(timestamp)
    }
    var pasts = try await ingestAll(before: instants[0], &scenario, &dice)
    if hasMistakes { try await strangersPost(scenario, &dice) }
    var outcomes: [[String]] = []
    for instant in instants {
      let clock = rfc(instant)
      // Evidence signed after the clock of its ingestion was pending until now.
      try await judge(asOf: clock, scenario, &dice)
      try await decide(asOf: clock, scenario, &dice)
      if instant == instants.first, isLookedBackAt { pasts.append(try await Past(scenario, clock: clock, ids: someOrders(&dice))) }
      let stale = try await scenario.changesOfFullRuns(asOf: clock).map { "stale \($0)" }
      var lines = try await outcome(scenario, asOf: clock) + stale
      if isExplained { lines += try await ExplanationCheck(scenario: scenario, clock: clock).differences() }
      outcomes.append(lines)
    }
    for past in pasts { outcomes[outcomes.count - 1] += try await past.differences(scenario) }
    await scenario.end()
    return outcomes
  }

  /// Whether past clocks are queried again at the end, which takes as long as the whole ingestion.
  private var isLookedBackAt: Bool { world.seed.isMultiple(of: 3) }

  /// Ingests all parts on clocks before an instant, sometimes under wrong settings, and decides in between. Returns past readings.
  private func ingestAll(before instant: Second, _ scenario: inout Scenario, _ dice: inout Dice) async throws -> [Past] {
    let parts = batches(&dice)
    let step = dice.pick([10, hour, 7 * hour, day])
    let right = scenario.settings
    var pasts: [Past] = []
    for (index, part) in parts.enumerated() {
      let asOf = rfc(instant - (parts.count - index) * step)
      if hasMistakes { try mistake(&scenario, right: right, &dice) }
      try await ingest(part, index: index, asOf: asOf, scenario, &dice)
      if hasMistakes, dice.chance(30) { try await judge(asOf: asOf, scenario, &dice) }
      if dice.chance(40) { try await decide(asOf: asOf, scenario, &dice) }
      if isLookedBackAt, pasts.count < 3, dice.chance(50) {
        pasts.append(try await Past(scenario, clock: asOf, ids: someOrders(&dice)))
      }
    }
    scenario.settings = right
    try scenario.trust(Scenario.authority)
    return pasts
  }

  private func someOrders(_ dice: inout Dice) -> [String] {
    world.orders.isEmpty ? [] : (0..<2).map { _ in dice.pick(world.orders).id }
  }

  // MARK: Wrong settings

  /// Whether the world is sometimes ingested with too few roots and apps.
  private var hasMistakes: Bool { world.seed.isMultiple(of: 2) }

  /// Sets other roots, fewer apps, or neither for the next part.
  private func mistake(_ scenario: inout Scenario, right: JobSettings, _ dice: inout Dice) throws {
    scenario.settings = right
    try scenario.trust(dice.chance(30) ? Scenario.stranger : Scenario.authority)
    if dice.chance(30) { scenario.settings.apps.remove(at: dice.below(scenario.settings.apps.count)) }
    if dice.chance(30), let app = scenario.settings.apps.indices.first { scenario.settings.apps[app].appleID = 7 }
  }

  private func judge(asOf: String, _ scenario: Scenario, _ dice: inout Dice) async throws {
    if let broken = try breaking(["judge", "ingest", "audit", "quarantine"], scenario, &dice) {
      _ = try? await broken.judge(asOf: asOf)
    }
    try await scenario.judge(asOf: asOf)
  }

  /// Posts forged notifications about the ids of honest orders, which change nothing.
  private func strangersPost(_ scenario: Scenario, _ dice: inout Dice) async throws {
    let bodies = world.items.prefix(5).map { item in
      Scenario.notification(
        "REFUND", uuid: "stranger-\(item.id)", item.purchase.with { $0.revokedAt = timestamp(World.end - day) },
        by: Scenario.forger, signedAt: rfc(World.end - hour))
    }
    _ = try await scenario.post(bodies + ["junk"], at: rfc(World.end))
    // After every queried clock, so that the new input is known from there on.
    if dice.chance(30) { try await scenario.night(asOf: rfc(World.end + 2 * hour - 5)) }
  }

  // MARK: Interruptions

  private func ingest(_ part: Part, index: Int, asOf: String, _ scenario: Scenario, _ dice: inout Dice) async throws {
    if let broken = try breaking(["ingest", "audit"], scenario, &dice) {
      _ = try? await broken.ingest(part.kind, part.text, name: "part\(index)", asOf: asOf)
    }
    try await scenario.ingest(part.kind, part.text, name: "part\(index)", asOf: asOf)
  }

  private func decide(asOf: String, _ scenario: Scenario, _ dice: inout Dice) async throws {
    if let broken = try breaking(["scope", "inputs", "partitions", "match", "detect", "rules"], scenario, &dice) {
      _ = try? await broken.decide(asOf: asOf, partitioning: partitioning)
    }
    try await scenario.decide(asOf: asOf, partitioning: partitioning)
  }

  /// Partitions of full runs: several in half of the worlds, and about one per component in a quarter.
  private var partitioning: Partitioning {
    switch world.seed % 4 {
    case 2: Partitioning(partitions: 3, workers: 2)
    case 3: Partitioning(partitions: 100)
    default: Partitioning()
    }
  }

  /// Returns the scenario with one failing statement, or nil without an interruption.
  private func breaking(_ folders: [String], _ scenario: Scenario, _ dice: inout Dice) throws -> Scenario? {
    guard dice.chance(Self.breakagePercent) else { return nil }
    var broken = scenario
    broken.sql = try Breakage.sql(breaking: dice.pick(Breakage.paths(in: folders)), in: scenario)
    return broken
  }

  private struct Part {
    var kind: InputKind
    var text: String
  }

  /// Returns all rows and items in a random order, in random parts, some of them twice.
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
    for order in world.orders where dice.chance(35) { rows.append(order.inAnEarlierState.line(hash: hash)) }
    rows += rows.filter { _ in dice.chance(15) }
    evidence += evidence.filter { _ in dice.chance(15) }
    var parts = split(dice.shuffled(rows), &dice).map {
      Part(kind: .orders, text: ([Scenario.orderHeader] + $0).joined(separator: "\n") + "\n")
    }
    parts += split(dice.shuffled(evidence), &dice).map { Part(kind: .apple, text: $0.joined(separator: "\n") + "\n") }
    if !world.users.isEmpty {
      parts.append(users(world.users))
      let otherDays = world.users.flatMap(\.otherDays)
      if !otherDays.isEmpty { parts.append(users(otherDays)) }
      if dice.chance(40) { parts.append(users(world.users.map(\.beforeItsToken))) }
    }
    if world.hasCatalogue {
      parts.append(Part(kind: .catalogue, text: world.catalogueText))
      if dice.chance(40) { parts.append(Part(kind: .catalogue, text: world.cheaper.catalogueText)) }
    }
    var ordered = dice.shuffled(parts)
    // The last ingested price counts, so the right one comes last.
    let places = ordered.indices.filter { ordered[$0].kind == .catalogue }
    let catalogues = parts.filter { $0.kind == .catalogue }
    for (place, part) in zip(places, catalogues.reversed()) { ordered[place] = part }
    return ordered
  }

  private func users(_ users: [WorldUser]) -> Part {
    let lines = ["user_id,app_account_token,home_storefront,is_tester"] + users.map(\.line)
    return Part(kind: .users, text: lines.joined(separator: "\n") + "\n")
  }

  private func split(_ lines: [String], _ dice: inout Dice) -> [[String]] {
    guard !lines.isEmpty else { return [] }
    let count = dice.number(1...3)
    return (0..<count).map { part in lines.enumerated().filter { $0.offset % count == part }.map(\.element) }.filter { !$0.isEmpty }
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

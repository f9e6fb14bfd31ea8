/// Random facts and random decisions over a week of nights. A second short model computes the status of each break at every instant
/// from the facts alone.
@Suite(.cleansUp) struct RandomDecisionsTests {
  private static let userCount = 6
  private static let nightCount = 6

  private struct Facts: Equatable {
    var breakClass: String
    var severity: String
    var amount: Int
    var currency: String
    var ids: [String]
    var words: Set<String>

    init(_ row: [String: String]) {
      breakClass = row["class"] ?? ""
      severity = row["severity"] ?? ""
      amount = Int(row["amount_milliunits"] ?? "") ?? -1
      currency = row["currency"] ?? ""
      ids = ["order_id", "charge_id", "transaction_id", "user_id"].map { row[$0] ?? "" }
      words = Set((row["detail"] ?? "").split(separator: " ").map(String.init))
    }

    func goesBeyond(_ seen: Facts) -> Bool {
      let ranks = ["low": 1, "medium": 2, "high": 3, "critical": 4]
      if breakClass != seen.breakClass || (ranks[severity] ?? 0) > (ranks[seen.severity] ?? 0) { return true }
      if amount > seen.amount || (!currency.isEmpty && currency != seen.currency) { return true }
      if zip(ids, seen.ids).contains(where: { !$0.isEmpty && $0 != $1 }) { return true }
      return breakClass != "AMOUNT_DIFF" && !words.isSubset(of: seen.words)
    }
  }

  private struct Decision {
    var state: String
    /// Hour at which the decision took effect, and hour of its undo; nil means never.
    var from: Int?
    var undone: Int?
    var until: Int?
    /// Seen breaks, and the night of the decision.
    var seen: [String: Facts]
    var night: Int
  }

  private struct Model {
    /// Open breaks of each night, by id.
    var nights: [[String: Facts]] = []
    var decisions: [Decision] = []

    /// Returns the status at an hour since the first night, or nil where a break is open and undecided.
    func status(_ id: String, at hour: Int) -> String? {
      let nights = nights.prefix { _ in true }.enumerated().filter { $0.offset * 24 <= hour }
      guard nights.last?.element[id] != nil else { return "resolved" }
      let newest = decisions.filter { decision in
        guard let from = decision.from, from <= hour, decision.seen[id] != nil else { return false }
        return decision.undone.map { $0 > hour } ?? true
      }.max { ($0.from ?? 0) < ($1.from ?? 0) }
      guard let newest, let seen = newest.seen[id], newest.until.map({ $0 > hour }) ?? true else { return nil }
      let holds = nights.filter { $0.offset > newest.night }.allSatisfy { night in
        night.element[id].map { !$0.goesBeyond(seen) } ?? false
      }
      return holds ? newest.state : nil
    }
  }

  private static func clock(_ hour: Int) -> String {
    let (day, rest) = ((hour + 12) / 24, (hour + 12) % 24)
    return "2026-05-\(12 + day)T\(rest < 10 ? "0" : "")\(rest):00:00Z"
  }

  private static func orders(_ dice: inout Dice, night: Int) -> [TestOrder] {
    (0..<userCount).flatMap { user -> [TestOrder] in
      let updatedAt = night == 0 ? nil : clock(night * 24 - 2)
      guard night == 0 || Bool.random(using: &dice) else { return [] }
      let price = [6000, 5500, 5000, 4000].randomElement(using: &dice) ?? 6000
      let status = ["paid", "delivered", "cancelled"].randomElement(using: &dice) ?? "paid"
      return [
        TestOrder("A\(user)", user: "U\(user)", at: "2026-05-08T10:00:00Z", names: "10\(user)") {
          ($0.priceMilliunits, $0.updatedAt) = (Int64(price), updatedAt)
        },
        TestOrder("B\(user)", user: "U\(user)", at: "2026-05-08T11:00:00Z") { ($0.status, $0.updatedAt) = (status, updatedAt) },
      ]
    }
  }

  @Test(arguments: [3, 17, 29, 101]) func bothModelsAgreeAtEveryInstant(_ seed: UInt64) async throws {
    var dice = Dice(seed: seed)
    let scenario = try await Scenario()
    let bobs = try await scenario.login("bob")
    var model = Model()
    for night in 0..<Self.nightCount {
      let clock = Self.clock(night * 24)
      let orders = Self.orders(&dice, night: night)
      let purchases = (0..<(night == 0 ? Self.userCount : 0)).map { ApplePurchase("10\($0)", at: "2026-05-08T10:00:00Z").jws }
      try await scenario.decide(orders: orders, evidence: purchases, asOf: clock)
      let rows = try await scenario.rows(.breaks, asOf: clock).filter { $0["status"] != "resolved" }
      model.nights.append(Dictionary(uniqueKeysWithValues: rows.map { ($0["break_id"] ?? "", Facts($0)) }))
      try await Self.act(night, scenario, bobs, &model, &dice)
    }
    for hour in stride(from: 0, to: Self.nightCount * 24, by: 3) {
      for row in try await scenario.rows(.breaks, asOf: Self.clock(hour)) {
        let expected = model.status(row["break_id"] ?? "", at: hour)
        let found = row["status"] ?? ""
        let isSame = expected.map { $0 == found } ?? ["new", "persisting", "reopened"].contains(found)
        #expect(isSame, "seed \(seed), \(Self.clock(hour)): \(row), expected \(expected ?? "undecided")")
      }
    }
    #expect(try await scenario.auditFaults(asOf: Self.clock(Self.nightCount * 24)) == [])
  }

  private static func act(_ night: Int, _ scenario: Scenario, _ bobs: Scenario, _ model: inout Model, _ dice: inout Dice) async throws {
    let hour = night * 24 + 3
    let cases = try await scenario.rows(.cases, asOf: clock(hour))
    for row in cases.sorted(by: { ($0["case_id"] ?? "") < ($1["case_id"] ?? "") }) {
      let id = row["case_id"] ?? ""
      switch row["status"] {
      case "open" where Int.random(in: 0..<3, using: &dice) > 0:
        try await decide(id, user: row["user_id"] ?? "", night, scenario, bobs, &model, &dice)
      case "closed" where Int.random(in: 0..<4, using: &dice) == 0: try await undo(id, night, scenario, bobs, &model)
      default: continue
      }
    }
  }

  private static func decide(
    _ id: String, user: String, _ night: Int, _ scenario: Scenario, _ bobs: Scenario, _ model: inout Model, _ dice: inout Dice
  ) async throws {
    let hour = night * 24 + 3
    let action = [CaseAction.accept, .dismiss, .writeOff].randomElement(using: &dice) ?? .accept
    var decision = CaseDecision(action: action, reason: "hour \(hour)")
    var made = Decision(
      state: ["accept": "accepted", "dismiss": "dismissed"][action.rawValue] ?? "written_off", from: hour,
      seen: (model.nights.last ?? [:]).filter { $0.value.ids[3] == user && model.status($0.key, at: hour) == nil }, night: night)
    if action == .accept, Bool.random(using: &dice) {
      made.until = hour + 6 * Int.random(in: 1...12, using: &dice)
      decision.until = made.until.map { instant(clock($0)) }
    }
    if Int.random(in: 0..<3, using: &dice) == 0, let one = made.seen.keys.sorted().first {
      decision.breakIDs = [one]
      made.seen = made.seen.filter { $0.key == one }
    }
    if try await scenario.cases(asOf: clock(hour)).take(id, deciding: decision).needsSecondPerson {
      let ends: [CaseJob.Conclusion] = [.approved, .approved, .rejected, .withdrawn]
      let end = ends.randomElement(using: &dice) ?? .approved
      made.from = end == .approved ? hour + 6 : nil
      let second = end == .withdrawn ? scenario : bobs
      try await second.cases(asOf: clock(hour + 6)).conclude(id, end, by: Person(), reason: "seen")
    }
    model.decisions.append(made)
  }

  /// Undoes all decisions of a case that can be undone.
  private static func undo(_ id: String, _ night: Int, _ scenario: Scenario, _ bobs: Scenario, _ model: inout Model) async throws {
    let hour = night * 24 + 3
    let before = try await states(scenario, hour)
    let scope = CaseJob.UndoScope(actor: nil, cases: [id], since: instant(clock(0)))
    let outcome = try await scenario.cases(asOf: clock(hour)).undo(
      scope, by: Person(), reason: "hour \(hour)", isDryRun: false)
    if outcome.proposedCount > 0 {
      try await bobs.cases(asOf: clock(hour)).conclude(id, .approved, by: Person(), reason: "yes")
    }
    guard outcome.undoneCount + outcome.proposedCount > 0 else { return }
    // Only the newest decision of a case can be undone. It covers the breaks whose status changed.
    let after = try await states(scenario, hour)
    let changed = Set(before.filter { after[$0.key] != $0.value }.keys)
    guard
      let index = model.decisions.lastIndex(where: { decision in
        decision.from.map { $0 <= hour } ?? false && decision.undone == nil && !changed.isDisjoint(with: decision.seen.keys)
      })
    else { return }
    model.decisions[index].undone = hour
  }

  private static func states(_ scenario: Scenario, _ hour: Int) async throws -> [String: String] {
    Dictionary(uniqueKeysWithValues: try await scenario.rows(.breaks, asOf: clock(hour)).map { ($0["break_id"] ?? "", $0["status"] ?? "") })
  }
}

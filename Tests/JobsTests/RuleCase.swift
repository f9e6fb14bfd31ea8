/// A small world and the expected signals of one rule.
struct RuleCase: NamedCase, Changeable {
  var rule = ""
  var name = ""
  var asOf = "2026-05-12T12:00:00Z"
  var orders: [TestOrder] = []
  /// `user_id,app_account_token,home_storefront,is_tester,created_at,erased_at`.
  var users: [String] = []
  /// `bundle_id,product_id,type,subscription_group,family_shareable,storefront,currency,price_milliunits,valid_from`.
  var catalogue: [String] = []
  var evidence: [String] = []
  var lists: [ListEntry] = []
  var parameters: [String: RuleParameter] = [:]
  var settings: @Sendable (inout JobSettings) -> Void = { _ in }
  var prepare: @Sendable (Scenario) async throws -> Void = { _ in }
  /// `kind:id` of each open signal (`charge` and `ring` alone), in the order of the export.
  var found: [String] = []

  var testDescription: String { "\(rule) \(name)" }

  /// Returns the cases of some rules with the rules' names.
  static func rules(_ rules: KeyValuePairs<String, [RuleCase]>) -> [RuleCase] {
    rules.flatMap { rule, cases in cases.map { test in test.with { $0.rule = rule } } }
  }

  static let userHeader = "user_id,app_account_token,home_storefront,is_tester,created_at,erased_at"
  static let catalogueHeader =
    "bundle_id,product_id,type,subscription_group,family_shareable,storefront,currency,price_milliunits,valid_from"

  /// Returns the world before any rule runs.
  func load() async throws -> Scenario {
    var scenario = try await Scenario()
    settings(&scenario.settings)
    for definition in scenario.settings.rules.catalogue {
      scenario.settings.rules.set(definition.name) { $0.state = definition.name == rule ? .live : .draft }
    }
    scenario.settings.rules.set(rule) { setting in
      for (name, value) in parameters { setting.parameters[name] = value }
    }
    if !users.isEmpty {
      try await scenario.ingest(.users, Self.text(Self.userHeader, users), name: "users", asOf: asOf)
    }
    if !catalogue.isEmpty {
      try await scenario.ingest(.catalogue, Self.text(Self.catalogueHeader, catalogue), name: "catalogue", asOf: asOf)
    }
    if !orders.isEmpty { try await scenario.orders(orders, asOf: asOf) }
    if !evidence.isEmpty { try await scenario.evidence(evidence, asOf: asOf) }
    let job = ListJob(context: try scenario.context(asOf: asOf))
    for entry in lists { _ = try await job.add(entry) }
    try await prepare(scenario)
    return scenario
  }

  private static func text(_ header: String, _ lines: [String]) -> String {
    ([header] + lines).joined(separator: "\n") + "\n"
  }

  /// Runs the night and compares the signals. Another run, and facts in the opposite order, have the same signals.
  func check() async throws {
    let scenario = try await load()
    try await scenario.decide(asOf: asOf)
    #expect(try await Self.open(scenario, asOf: asOf) == found.map { "\(rule) \($0)" })
    let amounts = try await scenario.cells(.signals, "amount_milliunits", asOf: asOf)
    #expect(!amounts.contains("\(Int64.max)"), "what has no price has no amount")
    let expected = try await scenario.export(.signals, asOf: asOf)
    guard !found.isEmpty, users.isEmpty else { return }
    try await scenario.decide(asOf: asOf)
    #expect(try await scenario.export(.signals, asOf: asOf) == expected)
    var reversed = self
    reversed.orders.reverse()
    reversed.evidence.reverse()
    reversed.lists.reverse()
    reversed.catalogue.reverse()
    let backward = try await reversed.load()
    try await backward.decide(evidence: reversed.evidence.shuffled(), asOf: asOf)
    #expect(try await backward.export(.signals, asOf: asOf) == expected)
  }

  /// Returns the open signals as `rule kind:id`, without the id of a charge or ring, which is a hash.
  static func open(_ scenario: Scenario, asOf: String) async throws -> [String] {
    try await scenario.rows(.signals, asOf: asOf).filter { $0["status"] == "open" }.map { row in
      let kind = row["subject_kind"] ?? ""
      return "\(row["rule"] ?? "") \(kind)" + (["charge", "ring"].contains(kind) ? "" : ":\(row["subject_id"] ?? "")")
    }
  }
}

extension ListEntry {
  static func test(
    _ list: RuleList, _ subject: RuleSubject, _ id: String, family: String? = nil, rule: String? = nil,
    until: String = "2027-01-01T00:00:00Z"
  ) -> ListEntry {
    var entry = ListEntry(list: list, subject: subject, id: id, owner: "ann", reason: "known", until: instant(until))
    entry.from = instant("2026-01-01T00:00:00Z")
    entry.family = family
    entry.rule = rule
    return entry
  }

  /// Returns entries of the members of a family, valid from the start of 2026.
  static func family(_ users: [String], until: String = "2027-01-01T00:00:00Z") -> [ListEntry] {
    users.map { test(.family, .user, $0, family: "F1", until: until) }
  }
}

func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

internal import Domain
internal import JobCore
internal import Postgres

/// Runs the abuse rules: each is one SQL file that adds what it found, and one merge tells new from known.
struct RuleRun: Sendable {
  let context: JobContext
  /// Rules to run whatever their state; nil runs all that are not draft.
  var only: Set<String>?
  /// Keeps what is found as shadows and leaves live signals alone.
  var isTrial = false
  /// How far the rules look that read whole histories.
  var extent = Extent.all

  enum Extent {
    case all
    /// What changed, and the subjects of open signals: the inputs of the detect run before.
    case near
  }

  /// Rows of a run that are kept in memory for a person to read.
  static let foundMax = 100_000

  /// A rule of this run.
  private struct Running {
    var definition: RuleDefinition
    /// With the state its signals get.
    var setting: RuleSetting
    var statement: Statement< >
  }

  private func running() throws -> [Running] {
    let rules = context.settings.rules
    return try rules.catalogue.compactMap { definition in
      guard var setting = rules.rules[definition.name] else { return nil }
      if let only {
        guard only.contains(definition.name) else { return nil }
      } else if setting.state == .draft {
        return nil
      }
      if isTrial || setting.state == .draft { setting.state = .shadow }
      return Running(definition: definition, setting: setting, statement: try definition.statement(in: context.sql))
    }
  }

  /// Finds all suspicions anew, inside the caller's transaction, and records nothing.
  func judge(_ tx: inout DatabaseTransaction) throws {
    let running = try running()
    let isNear = try prepare(&tx, rules: running)
    for rule in running {
      // Whole histories are joined; what is rare or near is found by keys.
      let reads = !isNear && rule.definition.extent == .near
      try tx.execute("set local enable_nestloop = \(reads ? "off" : "on")")
      _ = try tx.run(context.sql(rule.statement), parameters(of: rule))
    }
    _ = try tx.run(context.sql(RulesSQL.judged))
  }

  /// Finds all suspicions anew and records what was raised, changed or lapsed, inside the caller's transaction.
  func run(_ tx: inout DatabaseTransaction, runID: String) throws -> RuleOutcome {
    try judge(&tx)
    _ = try tx.run(context.sql(RulesSQL.latest))
    let changed = try tx.run(
      context.sql(RulesSQL.changes),
      [
        "run_id": .text(runID), "as_of": context.asOfValue, "is_partial": .bool(only != nil),
        "is_trial": .bool(isTrial),
      ])
    try tx.run(context.sql(RulesSQL.recordChanges))
    try tx.run(context.sql(RulesSQL.end))
    return try outcome(&tx, changedCount: changed)
  }

  private func parameters(of rule: Running) -> [String: Value] {
    var values = rule.setting.parameters.mapValues(\.value)
    values["version"] = .int8(rule.setting.version)
    if rule.statement.parameters["as_of"] != nil { values["as_of"] = context.asOfValue }
    return values
  }

  /// Loads what the rules read.
  ///
  /// - Returns: whether the rules that read whole histories look only at what is near.
  private func prepare(_ tx: inout DatabaseTransaction, rules: [Running]) throws -> Bool {
    try tx.run(context.sql(RulesSQL.workTables))
    // Small sets look rows up by key while the tables are made.
    try tx.execute("set local work_mem = '256MB'; set local enable_nestloop = on")
    _ = try tx.run(
      context.sql(RulesSQL.settings),
      [
        "rules": .textArray(rules.map(\.definition.name)),
        "states": .textArray(rules.map(\.setting.state.rawValue)),
        "versions": .textArray(rules.map { "\($0.setting.version)" }),
        "parameters": .textArray(rules.map(\.setting.parameterText)),
      ])
    _ = try tx.run(context.sql(RulesSQL.lists), ["as_of": context.asOfValue])
    let isNear = try narrow(&tx)
    _ = try tx.run(
      context.sql(RulesSQL.testers), context.settings.sandboxSpans.merging(["as_of": context.asOfValue]) { one, _ in one })
    try tx.run(RulesSQL.people, ["as_of": context.asOfValue], sql: context.sql)
    try tx.execute("analyze rule_list; analyze rule_tester; analyze rule_household; analyze rule_person")
    _ = try tx.run(context.sql(RulesSQL.refused))
    _ = try tx.run(context.sql(RulesSQL.breaks))
    try tx.execute("analyze rule_refused; analyze rule_break")
    let buyers = Set(rules.compactMap(\.definition.salesOf))
    if !buyers.isEmpty { try gatherSales(&tx, of: buyers, rules: rules) }
    return isNear
  }

  /// Names what the rules look at that read whole histories, and the keys of facts.
  ///
  /// - Returns: false when that is everything.
  private func narrow(_ tx: inout DatabaseTransaction) throws -> Bool {
    let isCurrent = try only == nil && recordState(&tx)
    if isCurrent, case .near = extent {
      try tx.run(context.sql(RulesSQL.keysKept))
      return true
    }
    // A list or a price may have changed: what the run looked at is not enough for the rules then.
    try tx.showEverything(files: context.sql)
    try tx.run(context.sql(RulesSQL.keysAll))
    return false
  }

  /// Keeps what the signals of this run rest on.
  ///
  /// - Returns: whether the last run's rest on the same: lists, and prices in force.
  private func recordState(_ tx: inout DatabaseTransaction) throws -> Bool {
    let found = try tx.rows(context.sql(RulesSQL.state), ["as_of": context.asOfValue]).first
    let now = DecisionState(settings: found?.0 ?? "", code: "")
    let isCurrent = try DecisionState.read(.rules, &tx, in: context)?.decidesAs(now) ?? false
    try now.record(.rules, &tx, in: context)
    return isCurrent && found?.1 == false
  }

  /// Loads the purchases of those users only whom a rule of this run may look at.
  private func gatherSales(
    _ tx: inout DatabaseTransaction, of buyers: Set<RuleBuyers>, rules: [Running]
  ) throws {
    let span = ["as_of": context.asOfValue, "lookback": interval(seconds: context.settings.rules.lookbackSeconds)]
    if buyers.contains(.refunds) { _ = try tx.run(context.sql(RulesSQL.usersOfRefunds), span) }
    if buyers.contains(.abroad) { _ = try tx.run(context.sql(RulesSQL.usersAbroad), span) }
    if let least = Self.leastPurchases(of: rules) {
      _ = try tx.run(context.sql(RulesSQL.busyUsers), span.merging(["purchases_min": .int8(least)]) { $1 })
    }
    try tx.execute("analyze rule_interest")
    try tx.run(context.sql(RulesSQL.saleUsers))
    // However few the planner takes all charges to be.
    _ = try tx.lookingUp { tx in try tx.run(context.sql(RulesSQL.saleCharges), span) }
    try tx.run(RulesSQL.sales, sql: context.sql)
    try tx.execute("analyze rule_sale")
  }

  /// The lowest number of purchases that a counting rule of this run asks for; nil when none runs.
  private static func leastPurchases(of rules: [Running]) -> Int64? {
    rules.compactMap { rule -> Int64? in
      guard rule.definition.salesOf == .busy,
        case .count(let count)? = rule.setting.parameters["purchases_min"]
      else { return nil }
      return count
    }.min()
  }

  private func outcome(_ tx: inout DatabaseTransaction, changedCount: Int) throws -> RuleOutcome {
    var outcome = RuleOutcome(changedCount: changedCount)
    outcome.openCounts = try RuleOutcome.openCounts(asOf: context.asOfValue, in: context.sql, &tx)
    guard only != nil else { return outcome }
    outcome.found = try tx.rows(context.sql(RulesSQL.found), ["row_max": .int8(Int64(Self.foundMax))]).map {
      RuleOutcome.Found(rule: $0, subjectKind: $1, subjectID: $2, userID: $3, score: $4, detail: $5)
    }
    return outcome
  }
}

/// What a run of the rules came to.
public struct RuleOutcome: Sendable {
  /// A suspicion of this run.
  public struct Found: Sendable {
    public var rule: String
    public var subjectKind: String
    public var subjectID: String
    public var userID: String?
    public var score: Int64
    public var detail: String
  }
  public var changedCount: Int
  /// Open signals by state: `live`, `shadow`, `allowed`.
  public var openCounts: [String: Int] = [:]
  /// What was found; empty unless the rules were named.
  public var found: [Found] = []

  init(changedCount: Int) { self.changedCount = changedCount }

  /// Open signals by state at a clock that the transaction reads.
  static func openCounts(asOf: Value, in sql: SQLFiles, _ tx: inout DatabaseTransaction) throws -> [String: Int] {
    Dictionary(uniqueKeysWithValues: try tx.rows(sql(RulesSQL.openSignals), ["as_of": asOf]).map { ($0, Int($1)) })
  }

  /// Open signals of live rules that nobody dealt with.
  public var liveCount: Int { openCounts[RuleState.live.rawValue] ?? 0 }
}

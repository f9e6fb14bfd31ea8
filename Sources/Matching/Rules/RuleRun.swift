internal import Domain
internal import JobCore
internal import Postgres

/// A run of the abuse rules. Each rule is one SQL file that adds its findings; one merge separates new from known signals.
struct RuleRun: Sendable {
  let context: JobContext
  /// Rules to run regardless of their state; nil runs all that are not draft.
  var only: Set<String>?
  /// Whether signals are recorded as shadows and live signals stay unchanged.
  var isTrial = false
  /// The rows of the detect run before it in this transaction, whose inputs are read; nil without such a run.
  var detected: DetectedRows?

  /// Maximum number of signals that a run keeps in memory for a reader.
  static let foundMax = 100_000

  /// A rule of this run.
  private struct Running {
    var definition: RuleDefinition
    /// The setting of the rule, with the state that its signals get.
    var setting: RuleSetting
    var statement: Statement<>
  }

  private var running: [Running] {
    let rules = context.settings.rules
    return rules.catalogue.compactMap { definition in
      guard var setting = rules.rules[definition.name] else { return nil }
      if let only {
        guard only.contains(definition.name) else { return nil }
      } else if setting.state == .draft {
        return nil
      }
      if isTrial || setting.state == .draft { setting.state = .shadow }
      return Running(definition: definition, setting: setting, statement: definition.statement)
    }
  }

  /// Finds all signals inside the caller's transaction and records nothing.
  func judge(_ tx: inout DatabaseTransaction) throws {
    let chosen = running
    let rows = try prepare(&tx, rules: chosen)
    // Without near rows, rules over whole histories find nothing.
    let evaluated = rows == .none ? chosen.filter { $0.definition.extent != .near } : chosen
    let buyers = Set(evaluated.compactMap(\.definition.salesOf))
    if !buyers.isEmpty { try gatherSales(&tx, of: buyers, rules: evaluated) }
    for rule in evaluated {
      // Whole histories are joined; rare or near rows are found by keys.
      let joinsWholeTables = rows == .all && rule.definition.extent == .near
      tx.send("set local enable_nestloop = \(joinsWholeTables ? "off" : "on")")
      let file = try context.sql(rule.statement)
      try tx.send(file, file.picking(from: parameters(of: rule)))
    }
    try tx.send(context.sql(RulesSQL.keptSubjects), ["as_of": context.asOfValue])
    try tx.send(context.sql(RulesSQL.judged))
  }

  /// Finds all signals and records which were raised, changed or lapsed, inside the caller's transaction.
  func run(_ tx: inout DatabaseTransaction, runID: String) throws -> RuleOutcome {
    try judge(&tx)
    try tx.send(context.sql(RulesSQL.latest))
    let changed = try tx.run(
      context.sql(RulesSQL.changes),
      [
        "run_id": .text(runID), "as_of": context.asOfValue, "is_partial": .bool(only != nil),
        "is_trial": .bool(isTrial),
      ])
    try tx.send(context.sql(RulesSQL.recordChanges))
    try tx.send(context.sql(RulesSQL.end))
    return try outcome(&tx, changedCount: changed)
  }

  private func parameters(of rule: Running) -> [String: Value] {
    var values = rule.setting.parameters.mapValues(\.sqlValue).merging(context.settings.appStarts) { $1 }
    values["as_of"] = context.asOfValue
    return values
  }

  /// Loads the inputs of the rules.
  ///
  /// - Returns: which rows the rules over whole histories evaluate.
  private func prepare(_ tx: inout DatabaseTransaction, rules: [Running]) throws -> DetectedRows {
    try tx.send(context.sql(RulesSQL.workTables))
    // These small tables are filled by look-ups by key.
    tx.send("set local work_mem = '256MB'; set local enable_nestloop = on")
    try tx.send(
      context.sql(RulesSQL.settings),
      [
        "rules": .textArray(rules.map(\.definition.name)),
        "states": .textArray(rules.map(\.setting.state.rawValue)),
        "versions": .textArray(rules.map { "\($0.setting.version)" }),
        "parameters": .textArray(rules.map(\.setting.parameterText)),
      ])
    try tx.send(context.sql(RulesSQL.lists), ["as_of": context.asOfValue])
    let rows = try narrow(&tx)
    // Unless detect has just compared the same orders and charges.
    if rows == .all, detected != .all {
      try tx.send(context.sql(DetectSQL.pairs))
      tx.send("analyze differing_charge")
    }
    try tx.send(
      context.sql(RulesSQL.testers), context.settings.sandboxSpans.merging(["as_of": context.asOfValue]) { one, _ in one })
    try tx.send(RulesSQL.people, ["as_of": context.asOfValue], sql: context.sql)
    tx.send("analyze rule_list; analyze rule_tester; analyze rule_household; analyze rule_person")
    try tx.send(context.sql(RulesSQL.refused))
    try tx.send(context.sql(RulesSQL.breaks))
    tx.send("analyze rule_refused; analyze rule_break")
    return rows
  }

  /// Selects the rows that rules over whole histories evaluate, and the tokens of charges and users.
  private func narrow(_ tx: inout DatabaseTransaction) throws -> DetectedRows {
    let isCurrent = try only == nil && recordState(&tx)
    if isCurrent, let detected, detected != .all {
      try tx.send(context.sql(RulesSQL.tokensOfStored))
      return detected
    }
    // A list may have changed, so the rules need more than the run's rows.
    try tx.showAllInputs(files: context.sql)
    try tx.send(context.sql(RulesSQL.tokensOfInputs))
    return .all
  }

  /// Records the state of the rule inputs: the lists in force.
  ///
  /// - Returns: whether the last run had the same state.
  private func recordState(_ tx: inout DatabaseTransaction) throws -> Bool {
    let now = DecisionState(settings: try tx.rows(context.sql(RulesSQL.state), ["as_of": context.asOfValue])[0], code: "")
    let isCurrent = try DecisionState.read(.rules, &tx, in: context)?.decidesAs(now) ?? false
    try now.record(.rules, &tx, in: context)
    return isCurrent
  }

  /// Loads the purchases of the users that a rule of this run may evaluate.
  private func gatherSales(
    _ tx: inout DatabaseTransaction, of buyers: Set<RuleBuyers>, rules: [Running]
  ) throws {
    let span = ["as_of": context.asOfValue, "lookback": interval(seconds: context.settings.rules.lookbackSeconds)]
    if buyers.contains(.refunds) { try tx.send(context.sql(RulesSQL.usersOfRefunds), span) }
    if buyers.contains(.abroad) { try tx.send(context.sql(RulesSQL.usersAbroad), span) }
    if let least = Self.leastPurchases(of: rules) {
      try tx.send(context.sql(RulesSQL.busyUsers), span.merging(["purchases_min": .int8(least)]) { $1 })
    }
    tx.send("analyze rule_interest")
    try tx.send(context.sql(RulesSQL.saleUsers))
    // Rows are looked up even if the planner underestimates the number of charges.
    _ = try tx.withNestedLoops { tx in try tx.run(context.sql(RulesSQL.saleCharges), span) }
    try tx.send(RulesSQL.sales, sql: context.sql)
    tx.send("analyze rule_sale")
  }

  /// Returns the lowest number of purchases that a counting rule of this run requires; nil if no such rule runs.
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

/// The result of a run of the rules.
public struct RuleOutcome: Sendable {
  /// A signal of this run.
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
  /// Signals of this run; empty unless rules were named.
  public var found: [Found] = []

  init(changedCount: Int) { self.changedCount = changedCount }

  /// Returns the open signals by state at a clock that the transaction reads.
  static func openCounts(asOf: Value, in sql: SQLFiles, _ tx: inout DatabaseTransaction) throws -> [String: Int] {
    Dictionary(uniqueKeysWithValues: try tx.rows(sql(RulesSQL.openSignals), ["as_of": asOf]).map { ($0, Int($1)) })
  }

  /// Number of open signals of live rules.
  public var liveCount: Int { openCounts[RuleState.live.rawValue] ?? 0 }
}

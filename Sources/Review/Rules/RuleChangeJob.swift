internal import Cryptography
internal import Domain
public import JobCore
package import Postgres
internal import Wording

/// Changes of abuse rules: tried on past nights, proposed by one person, approved by another.
public struct RuleChangeJob: Sendable {
  let context: JobContext
  private static let idBytes = 16
  /// Default number of complete nights in a trial; `nightsMax` is the largest.
  public static let nightsUsual = 30
  public static let nightsMax = 90

  public init(context: JobContext) { self.context = context }

  public func requestTrial(
    _ rule: String, changing changes: [String: String], nights: Int = RuleChangeJob.nightsUsual, by person: Person
  ) async throws -> String {
    let setting = try setting(of: rule).changing(changes, of: rule)
    guard (1...Self.nightsMax).contains(nights) else {
      throw JobError("refusal.nights", ["rule": rule, "max": "\(Self.nightsMax)"], status: .usage)
    }
    let id = Hexadecimal.text(RandomBytes.make(Self.idBytes))
    let parameters: [String: Value] = [
      "trial_id": .text(id), "rule": .text(rule), "parameters": .text(setting.parameterText), "night_max": .int4(Int32(nights)),
    ]
    try await act(
      RuleChangesSQL.requestTrial, parameters, .ruleTrialAsked, of: rule, by: person,
      [.text("trial", id), .text("parameters", setting.parameterText)])
    return id
  }

  /// Proposes a setting of a rule, which a second person must approve.
  ///
  /// - Parameter trialID: trial with the proposed parameters, or a prefix of its id. Required to make a rule live.
  /// - Throws: `JobError` if a live rule was not tried, or another change of the rule is pending.
  public func propose(
    _ rule: String, state: RuleState, trialID: String?, changing changes: [String: String] = [:], reason: String, by person: Person
  ) async throws {
    try Self.checkReason(reason)
    var setting = try setting(of: rule).changing(changes, of: rule)
    var testedID: String?
    if let trialID {
      let trial = try await trial(trialID, of: rule)
      guard changes.isEmpty, let parameters = try context.settings.rules.reading(trial.text("parameters"), of: rule) else {
        throw JobError("refusal.rule_tried", ["rule": rule], status: .usage)
      }
      setting.parameters = parameters
      testedID = try trial.text("trial_id")
    }
    guard state != .live || testedID != nil else {
      throw JobError("refusal.not_tried", ["rule": rule], hint: "Try it first: payrecon rules try \(rule).", status: .usage)
    }
    guard try await table(RuleChangesSQL.pending, ["rule": .text(rule)]).rows.isEmpty else {
      throw JobError("refusal.rule_waits", ["rule": rule], hint: "Approve, reject or withdraw that one: payrecon rules changes.")
    }
    let id = Hexadecimal.text(RandomBytes.make(Self.idBytes))
    let parameters: [String: Value] = [
      "change_id": .text(id), "rule": .text(rule), "state": .text(state.rawValue), "parameters": .text(setting.parameterText),
      "trial_id": testedID.map(Value.text) ?? .null, "reason": .text(reason), "version": .int8(setting.version),
    ]
    try await act(
      RuleChangesSQL.propose, parameters, .ruleProposed, of: rule, by: person,
      [.text("change", id), .text("state", state.rawValue), .text("parameters", setting.parameterText), .reason(reason)])
  }

  public enum Conclusion: String, Sendable {
    case approved, rejected, withdrawn

    fileprivate var act: AuditAct {
      switch self {
      case .approved: .ruleApproved
      case .rejected: .ruleRejected
      case .withdrawn: .ruleWithdrawn
      }
    }
  }

  /// Concludes the pending proposal of a rule. An approval applies from this clock on.
  ///
  /// - Parameter shown: id of the proposal that the person saw; nil for whatever is proposed.
  /// - Throws: `JobError` if nothing is pending, or this account may not conclude it so.
  public func conclude(_ rule: String, _ conclusion: Conclusion, of shown: String? = nil, by person: Person, reason: String) async throws {
    try Self.checkReason(reason)
    guard let waiting = try await table(RuleChangesSQL.pending, ["rule": .text(rule)]).records.first else {
      throw JobError("refusal.rule_none", ["rule": rule], hint: "See payrecon rules changes.")
    }
    let id = try waiting.text("change_id")
    guard shown == nil || shown == id else { throw JobError("refusal.rule_else", ["rule": rule], hint: "Look again.") }
    if conclusion == .approved { try await checkTried(waiting) }
    try await act(
      RuleChangesSQL.conclude, ["change_id": .text(id), "step": .text(conclusion.rawValue), "reason": .text(reason)], conclusion.act,
      of: rule, by: person, [.text("change", id), .reason(reason)]
    ) { account in
      let isOwn = Person.isSame(try waiting.text("account"), account)
      guard isOwn != (conclusion == .withdrawn) else { return }
      throw JobError(Phrase(isOwn ? "refusal.rule_own" : "refusal.rule_proposer", ["account": .plain(account)]))
    }
  }

  /// Checks in advance what the database would refuse, for a readable message.
  private func checkTried(_ change: ReportRecord) async throws {
    guard try change.text("state") == RuleState.live.rawValue else { return }
    let trial = try await trial(try change.text("trial_id"), of: try change.text("rule"))
    guard try trial.text("status") == "finished", try trial.int("nights") > 0 else {
      throw try JobError(
        Phrase(
          "refusal.rule_trial",
          ["rule": .plain(change.text("rule")), "status": .code(trial.text("status")), "nights": .plain("\(trial.int("nights"))")]),
        hint: "payrecon rules try --due works what waits; there must be a complete night to try it on.")
    }
  }

  // MARK: Lists

  package func table(_ listing: Listing, _ parameters: [String: Value]) async throws -> ReportTable {
    try await context.table(listing, parameters, as: .review)
  }

  package func trials(of rule: String = "", beginning id: String = "") async throws -> ReportTable {
    try await table(RuleChangesSQL.trials, ["rule": .text(rule), "trial_id": .text(id)])
  }

  package func changes(of rule: String = "") async throws -> ReportTable {
    try await table(RuleChangesSQL.changes, ["rule": .text(rule), "as_of": context.asOfValue])
  }

  package func trial(_ id: String, of rule: String = "") async throws -> ReportRecord {
    let found = id.isEmpty ? [] : try await trials(of: rule, beginning: id).records
    guard found.count == 1 else {
      throw JobError(
        Phrase("refusal.trial", ["id": .plain(id), "why": found.isEmpty ? "refusal.there_is_none" : "refusal.several_begin"]),
        hint: "Trials are listed by: payrecon rules trials.", status: .usage)
    }
    return found[0]
  }

  private func setting(of rule: String) throws -> RuleSetting {
    let rules = context.settings.rules
    guard let setting = rules.rules[rule] else {
      let names = rules.catalogue.map(\.name).sorted().joined(separator: ", ")
      throw JobError("refusal.no_rule", ["rule": rule], hint: "Rules are \(names).", status: .usage)
    }
    return setting
  }

  private static func checkReason(_ reason: String) throws {
    guard !reason.isBlank else { throw JobError(Phrase("refusal.reason"), status: .usage) }
  }

  /// - Parameter check: throws if the acting account may not perform the action.
  private func act(
    _ statement: Statement<>, _ parameters: [String: Value], _ act: AuditAct, of rule: String, by person: Person,
    _ details: [AuditEntry.Detail], check: (_ account: String) throws -> Void = { _ in }
  ) async throws {
    try await context.withSession(as: .review) { session in
      if act == .ruleApproved { try await context.requireNewestClock(on: session) }
      let actor = try await session.actor(person, in: context)
      try check(actor.account)
      let said: [String: Value] = ["person": .text(actor.name), "as_of": context.asOfValue]
      do {
        try await session.retrying { tx in
          try tx.send(context.sql(statement), parameters.merging(said) { $1 })
          try tx.audit(
            AuditEntry(actor: actor.name, act: act, subject: rule, details: [.text("account", actor.account)] + details),
            in: context)
        }
      } catch PostgresError.server(let error) where [.checkViolation, .uniqueViolation].contains(error.sqlState) {
        // A concurrent change violated a constraint.
        throw JobError("refusal.rule_change", ["rule": rule, "why": error.message])
      }
    }
  }
}

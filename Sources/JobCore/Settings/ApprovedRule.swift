internal import Domain
internal import Postgres

package struct ApprovedRule: Sendable {
  var rule: String
  var state: String
  var version: Int64
  /// `name=value`, sorted by name.
  var parameters: String

  static func all(asOf: Value, files: SQLFiles, _ tx: inout DatabaseTransaction) throws -> [ApprovedRule] {
    try tx.rows(files(RuleChangesSQL.approved), ["as_of": asOf]).map {
      ApprovedRule(rule: $0, state: $1, version: Int64($2), parameters: $3)
    }
  }
}

extension RuleSettings {
  /// Replaces the settings file's rules by the approved ones.
  package mutating func follow(_ approved: [ApprovedRule]) {
    rules.merge(overruled) { $1 }
    overruled = [:]
    notUnderstood = []
    for change in approved {
      guard let filed = rules[change.rule], let shipped = catalogue.first(where: { $0.name == change.rule })?.shipped,
        let state = RuleState(rawValue: change.state), let parameters = shipped.reading(change.parameters)
      else {
        notUnderstood.append(change.rule)
        continue
      }
      overruled[change.rule] = filed
      rules[change.rule] = RuleSetting(state: state, version: change.version, parameters: parameters)
    }
  }

  /// Returns a rule's parameters with the values that a text names.
  ///
  /// - Returns: nil if there is no such rule or parameter.
  package func reading(_ text: String, of rule: String) -> [String: RuleParameter]? {
    catalogue.first { $0.name == rule }?.shipped.reading(text)
  }

  /// Warnings, one line each: rules changed from their shipped settings without approval, live before or after, and settings that an
  /// approved rule overrides.
  public var unapproved: [String] {
    catalogue.sorted { $0.name < $1.name }.compactMap { definition in
      let (name, shipped) = (definition.name, definition.shipped)
      if notUnderstood.contains(name) {
        return "rule \(name): what two people set is not understood by this payrecon, so the settings file holds: propose it again"
      }
      if let filed = overruled[name] {
        guard filed != shipped, filed.state != rules[name]?.state || filed.parameters != rules[name]?.parameters else { return nil }
        return "rule \(name): what the settings file says of it is not used, two people set it otherwise at the rule desk"
      }
      guard let setting = rules[name], setting != shipped, [setting.state, shipped.state].contains(.live) else { return nil }
      return "rule \(name): \(setting.state.rawValue) as the settings file alone has it (\(setting.parameterText)), and no two "
        + "people stand behind that: payrecon rules try \(name), then propose"
    }
  }
}

extension RuleSetting {
  /// Returns the parameters with the values that a text names, in the notation of `parameterText` or typed by a user. Others stay as they
  /// are.
  ///
  /// - Returns: nil if a parameter does not exist or has another kind.
  func reading(_ text: String) -> [String: RuleParameter]? {
    var parameters = parameters
    for part in text.split(separator: ", ") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, let before = parameters[pair[0]], let value = RuleParameter(pair[1], like: before) else { return nil }
      parameters[pair[0]] = value
    }
    return parameters
  }

  /// Returns the rule with some parameters changed, by name.
  ///
  /// - Throws: `JobError` naming a parameter that does not exist or is not valid.
  package func changing(_ changes: [String: String], of rule: String) throws -> RuleSetting {
    var setting = self
    for (name, text) in changes.sorted(by: { $0.key < $1.key }) {
      guard let before = parameters[name] else {
        throw JobError(
          "refusal.parameter", ["name": name, "rule": rule],
          hint: "It has \(parameters.keys.sorted().joined(separator: ", ")).", status: .usage)
      }
      guard let value = RuleParameter(text, like: before) else {
        throw JobError(
          "refusal.parameter_value", ["name": name, "rule": rule, "value": text],
          hint: "It is now \(before.text), and never below 0.", status: .usage)
      }
      setting.parameters[name] = value
    }
    guard setting.reading(setting.parameterText) == setting.parameters else {
      throw JobError("refusal.parameter_comma", ["rule": rule], status: .usage)
    }
    return setting
  }
}

extension RuleParameter {
  /// Parses a value of the same kind as another one, as typed by a user: `30d`, `3`, `a b`, `CNY:3 USD:4`.
  init?(_ text: String, like other: RuleParameter) {
    let words = text.filter { !"[]{}".contains($0) }
    let value: RuleParameter? =
      switch other {
      case .seconds: DurationText.seconds(text).map(RuleParameter.seconds)
      case .count: Int64(text).map(RuleParameter.count)
      case .texts: RuleParameter(shipped: "[\(words)]")
      case .currencies: RuleParameter(shipped: "{\(words)}")
      }
    guard let value, !value.isNegative else { return nil }
    self = value
  }

  private var isNegative: Bool {
    switch self {
    case .seconds(let number), .count(let number): number < 0
    case .texts: false
    case .currencies(let numbers): numbers.values.contains { $0 < 0 }
    }
  }
}

internal import JobCore
internal import YAML

/// Reads the `rules` block. Rules and parameters that it does not name keep their shipped values.
enum RulesBlock {
  static func read(_ node: SettingsNode, into settings: inout RuleSettings) throws {
    let names = settings.catalogue.map(\.name)
    for (name, child) in try node.mapping(Set(names + ["lookback"])) {
      if name == "lookback" {
        try child.seconds(into: &settings.lookbackSeconds)
      } else if let shipped = settings.rules[name] {
        settings.rules[name] = try rule(child, shipped: shipped)
      }
    }
  }

  private static func rule(_ node: SettingsNode, shipped: RuleSetting) throws -> RuleSetting {
    var setting = shipped
    let fields = try node.mapping(Set(shipped.parameters.keys).union(["state", "version"]))
    if let state = fields["state"] { setting.state = try state.choice(RuleState.allCases) }
    if let version = fields["version"] { setting.version = try version.integer() }
    for (name, parameter) in shipped.parameters {
      guard let field = fields[name] else { continue }
      setting.parameters[name] = try value(field, like: parameter)
    }
    if setting.parameters != shipped.parameters, setting.version == shipped.version {
      throw node.fault("changes a parameter: give it a version above \(shipped.version)")
    }
    return setting
  }

  private static func value(_ node: SettingsNode, like shipped: RuleParameter) throws -> RuleParameter {
    switch shipped {
    case .count: .count(try node.integer())
    case .texts: .texts(try node.list().map { try $0.text() })
    case .currencies: .currencies(try node.integers())
    case .seconds: .seconds(try node.seconds())
    }
  }
}

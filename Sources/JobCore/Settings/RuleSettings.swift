internal import Domain
package import Postgres

public enum RuleState: String, Sendable, CaseIterable {
  case draft
  /// Runs, but its signals affect no queue and no verdict.
  case shadow
  case live
}

public enum RuleParameter: Sendable, Hashable {
  case seconds(Int64)
  case count(Int64)
  case texts([String])
  case currencies([String: Int64])

  /// Parses the notation of reference data: `30d`, `3`, `[a b]` or `{CNY:3 USD:4}`; nil for anything else.
  init?(shipped text: String) {
    if let count = Int64(text) {
      self = .count(count)
    } else if let seconds = DurationText.seconds(text) {
      self = .seconds(seconds)
    } else {
      let words = text.dropFirst().dropLast().split(separator: " ").map(String.init)
      switch (text.first, text.last) {
      case ("[", "]"): self = .texts(words)
      case ("{", "}"):
        let pairs = words.map { $0.split(separator: ":") }
        let numbers = pairs.compactMap { $0.count == 2 ? Int64($0[1]) : nil }
        guard numbers.count == pairs.count else { return nil }
        self = .currencies(Dictionary(zip(pairs.map { String($0[0]) }, numbers)) { one, _ in one })
      default: return nil
      }
    }
  }

  /// Notation in the canonical settings and in each signal.
  package var text: String {
    switch self {
    case .seconds(let value): "\(value)s"
    case .count(let value): "\(value)"
    case .texts(let values): values.sorted().joined(separator: " ")
    case .currencies(let values): Self.lines(values).joined(separator: " ")
    }
  }

  package var sqlValue: Value {
    switch self {
    case .seconds(let seconds): interval(seconds: seconds)
    case .count(let count): .int8(count)
    case .texts(let values): .textArray(values.sorted())
    case .currencies(let values): .textArray(Self.lines(values))
    }
  }

  private static func lines(_ values: [String: Int64]) -> [String] {
    values.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
  }
}

public struct RuleSetting: Sendable, Hashable {
  public var state: RuleState
  /// Incremented with every change of a parameter. A signal records the version that raised it.
  public var version: Int64
  public var parameters: [String: RuleParameter]

  /// `name=value`, sorted by name.
  public var parameterText: String {
    parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }.joined(separator: ", ")
  }
}

/// The settings of all rules, by name such as `R01`.
public struct RuleSettings: Sendable, Hashable {
  /// Span of history that a night loads for the rules.
  public var lookbackSeconds: Int64 = 90 * 86400
  public var rules: [String: RuleSetting]
  public let catalogue: [RuleDefinition]
  /// Settings of the file that are overridden by approved changes.
  public internal(set) var overruled: [String: RuleSetting] = [:]
  /// Rules whose approved settings this program does not understand. For these, the settings file is in force.
  public internal(set) var notUnderstood: [String] = []

  public init(_ catalogue: [RuleDefinition]) {
    self.catalogue = catalogue
    rules = Dictionary(catalogue.map { ($0.name, $0.shipped) }) { one, _ in one }
  }

  /// Changes one rule; an unknown name changes nothing.
  public mutating func set(_ rule: String, _ change: (inout RuleSetting) -> Void) {
    guard var setting = rules[rule] else { return }
    change(&setting)
    rules[rule] = setting
  }

  var entries: [SettingsEntry] {
    [SettingsEntry("rules.lookback", DurationText.text(lookbackSeconds))]
      + rules.sorted { $0.key < $1.key }.map {
        SettingsEntry("rules.\($0.key)", "\($0.value.state.rawValue), version \($0.value.version), \($0.value.parameterText)")
      }
  }

  /// The rules as a table, by name. `set_by` is the source of each setting.
  package var table: ReportTable {
    let rows = catalogue.sorted { $0.name < $1.name }.compactMap { rule -> [String?]? in
      guard let setting = rules[rule.name] else { return nil }
      let author = overruled[rule.name] != nil ? "desk" : setting == rule.shipped ? "shipped" : "file"
      return [rule.name, setting.state.rawValue, "\(setting.version)", rule.title, setting.parameterText, author]
    }
    return ReportTable(
      columns: ["rule", "state", "version", "suspects", "parameters", "set_by"],
      isNumeric: [false, false, true, false, false, false], rows: rows)
  }
}

internal import Intake
public import Postgres

public struct RuleDefinition: Sendable, Hashable {
  /// Code such as `R01`.
  public var name: String
  /// File name in sql/rules, without extension.
  public var file: String
  /// Human title of a signal of this rule.
  public var title: String
  public var shipped: RuleSetting
  package let extent: RuleExtent
  /// nil if the rule reads no `rule_sale`.
  package let salesOf: RuleBuyers?

  package var statement: Statement<> { RulesSQL.rule(file, parameters: shipped.parameters.keys) }
}

/// The subjects that a rule evaluates.
package enum RuleExtent: String, Sendable {
  case all
  /// Subjects near a change and those of open signals. Such a rule reads whole histories.
  case near
}

/// The users whose purchases are loaded into `rule_sale` for a rule.
package enum RuleBuyers: String, Sendable {
  case refunds, abroad, busy
}

/// The closed list of abuse rules, by name.
///
/// Rules about sharing, velocity and prices also match innocent users. They start as shadow until a reviewer has evaluated them.
public enum RuleCatalogue {
  private static let path = "reference/rules.csv"

  /// Reads the rules of `reference/rules.csv`.
  ///
  /// - Throws: `JobError` naming a rule that is not valid, `PostgresError` if the file is missing.
  public static func read(_ sql: SQLFiles) throws -> [RuleDefinition] {
    try ReferenceRows.read(sql.text(path)).map { row in
      guard let definition = definition(row) else {
        throw JobError("cannot use sql/\(path): rule \"\(row["rule"] ?? "")\" is not understood")
      }
      return definition
    }
  }

  /// Returns the names of all breaks and signals: classes of `reference/break_classes.csv`, and rules.
  public static func names(_ sql: SQLFiles) throws -> [String] {
    try ReferenceRows.read(sql.text("reference/break_classes.csv")).compactMap { $0["class"] } + read(sql).map(\.name)
  }

  private static func definition(_ row: [String: String]) -> RuleDefinition? {
    guard let name = row["rule"], let file = row["file"], let title = row["title"],
      let state = row["state"].flatMap(RuleState.init), let version = row["version"].flatMap({ Int64($0) }),
      let extent = row["extent"].flatMap(RuleExtent.init), let parameters = parameters(row["parameters"] ?? "")
    else { return nil }
    let salesOf = row["sales_of"].flatMap(RuleBuyers.init)
    guard row["sales_of"]?.isEmpty != false || salesOf != nil else { return nil }
    return RuleDefinition(
      name: name, file: file, title: title,
      shipped: RuleSetting(state: state, version: version, parameters: parameters), extent: extent, salesOf: salesOf)
  }

  /// Parses `name=value; name=value`; nil if a part is not valid.
  private static func parameters(_ text: String) -> [String: RuleParameter]? {
    var parameters: [String: RuleParameter] = [:]
    for part in text.split(separator: ";") {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, let value = RuleParameter(shipped: String(pair[1])) else { return nil }
      parameters[String(pair[0])] = value
    }
    return parameters
  }
}

enum ReferenceRows {
  /// Returns the cells of each line by the names of the header. Missing cells have no entry.
  static func read(_ text: String) -> [[String: String]] {
    guard let lines = CSVRecords.read(Array(text.utf8)[...]), let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { one, _ in one } }
  }
}

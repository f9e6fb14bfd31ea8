public import Postgres

/// A rule that is shipped: its file, and what it is tuned by.
public struct RuleDefinition: Sendable, Hashable {
  /// `R01` and so on.
  public var name: String
  /// File in sql/rules, without ending.
  public var file: String
  /// What a suspicion by this rule is called.
  public var title: String
  public var shipped: RuleSetting
  package let extent: RuleExtent
  /// Nil reads no `rule_sale`.
  package let salesOf: RuleBuyers?

  /// Its file, with what it is tuned by.
  package func statement(in files: SQLFiles) throws(PostgresError) -> Statement< > {
    let parameters = shipped.parameters.mapValues(\.kind).merging(["version": .int8, "as_of": .timestamptz]) { $1 }
    return try StatementFolder("rules", parameters).statement(named: file, in: files)
  }
}

/// How much a rule is asked about.
package enum RuleExtent: String, Sendable {
  case all
  /// What is near a change and the subjects of open signals: a rule that reads whole histories.
  case near
}

/// Whose purchases are gathered for a rule, as `rule_sale`.
package enum RuleBuyers: String, Sendable {
  case refunds, abroad, busy
}

/// The closed list of abuse rules, by name.
///
/// What sharing, velocity and prices show can be innocent: those start as shadow, until somebody has looked at them.
public enum RuleCatalogue {
  private static let path = "reference/rules.csv"

  /// Rules of `reference/rules.csv`.
  ///
  /// - Throws: `JobError` naming a rule that cannot be understood, `PostgresError` when there is no such file.
  public static func read(_ sql: SQLFiles) throws -> [RuleDefinition] {
    try ReferenceRows.read(sql.text(path)).map { row in
      guard let definition = definition(row) else {
        throw JobError("cannot use sql/\(path): rule \"\(row["rule"] ?? "")\" is not understood")
      }
      return definition
    }
  }

  /// Whatever a break or a signal may be called: classes of `reference/break_classes.csv`, and rules.
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

  /// `name=value; name=value`; nil when one is not understood.
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

/// Reads the CSV files of sql/reference as PostgreSQL does: quoted cells, a header, no line ending inside a cell.
enum ReferenceRows {
  /// Cells of each line by the names of the header; one that a line has not is none.
  static func read(_ text: String) -> [[String: String]] {
    let lines = text.split(whereSeparator: \.isNewline).map(cells)
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { one, _ in one } }
  }

  private static func cells(_ line: Substring) -> [String] {
    var cells = [""]
    var isQuoted = false
    var last: Character?
    for character in line {
      switch character {
      case "\"":
        // A doubled quote is one of the cell's own.
        if !isQuoted, last == "\"" { cells[cells.count - 1].append("\"") }
        isQuoted.toggle()
      case "," where !isQuoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
      last = character
    }
    return cells
  }
}

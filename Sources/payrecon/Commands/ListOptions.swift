internal import ArgumentParser
internal import Domain
internal import Jobs

/// Which rows of a list are wanted; an option may be given several times.
struct ListOptions: ParsableArguments {
  @Option(name: .customLong("class"), help: "Break class or rule.") var classes: [String] = []
  @Option(help: "critical, high, medium or low.") var severity: [String] = []
  @Option(help: "How it stands.") var status: [String] = []
  @Option(help: "Bundle id.") var app: [String] = []
  @Option(help: "Most rows (default: all).") var limit: Int?

  /// - Throws: `ValidationError` for a word that no row can have.
  func check(statuses: [String]) throws {
    try Self.check(severity, "--severity", Severity.allCases.map(\.rawValue))
    try Self.check(status, "--status", statuses)
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
  }

  private static func check(_ given: [String], _ option: String, _ known: [String]) throws {
    for word in given where !known.contains(word) {
      throw ValidationError("\(option) \"\(word)\" is not one of \(known.joined(separator: ", "))")
    }
  }

  /// - Parameters:
  ///   - classes: column of the list that names classes and rules.
  ///   - apps: column of the list that names bundle ids.
  func filter(classes column: String, apps: String) -> RowFilter {
    var filter = RowFilter()
    filter.want(classes.map { $0.uppercased() }, in: column)
    filter.want(severity, in: "severity")
    filter.want(status, in: "status")
    filter.want(app, in: apps)
    filter.rowsMax = limit
    return filter
  }
}

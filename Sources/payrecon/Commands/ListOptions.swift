internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Logging
internal import Reports

/// How a list is written.
struct ListFormat: ParsableArguments {
  @Option(help: "table, csv, json or ndjson (default: table on a terminal, else csv).") var format: ExportFormat?

  var chosen: ExportFormat { format ?? (Output.isOnTerminal ? .table : .csv) }

  /// Writes one of the lists that can be exported.
  ///
  /// - Parameters:
  ///   - classes: what its breaks are asked to be called.
  ///   - apps: whose rows are asked for.
  func write(
    _ list: ExportList, _ options: JobOptions, filter: RowFilter, classes: [String] = [], apps: [String] = []
  ) async throws {
    let context = try await options.context(label: list.rawValue, makes: false)
    try ListOptions.check(classes, "--class", in: context)
    ListOptions.warn(ofApps: apps, in: context)
    _ = try await ExportJob(context: context).run(list, format: chosen, filter: filter) { bytes in
      try Output.tryWrite(bytes)
    }
  }
}

/// How much of a list is written, and in which order.
struct ListLimit: ParsableArguments {
  @Option(help: "Most rows (default: all).") var limit: Int?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Column to sort by, -COLUMN for the largest first (default: the list's own order).", valueName: "column"))
  var sort: String?

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
  }

  var filter: RowFilter {
    var filter = RowFilter()
    filter.rowsMax = limit
    filter.sort = sort
    filter.isColoured = Output.isColoured
    filter.terminalWidth = Output.terminalWidth
    return filter
  }
}

/// Which rows of a list are wanted; an option may be given several times.
struct ListOptions: ParsableArguments {
  @Option(name: .customLong("class"), help: "Break class or rule.") var classes: [String] = []
  @Option(help: "critical, high, medium or low.") var severity: [String] = []
  @Option(help: "How it stands.") var status: [String] = []
  @Option(help: "Bundle id.") var app: [String] = []
  @OptionGroup var bounds: ListLimit

  /// - Throws: `ValidationError` for a word that no row can have.
  func check(statuses: [String]) throws {
    try Self.check(severity, "--severity", Severity.allCases.map(\.rawValue))
    try Self.check(status, "--status", statuses)
  }

  /// An empty list that was asked for by a misspelt word would say that all is well.
  ///
  /// - Throws: `JobError` for a word that no break and no signal is called.
  static func check(_ given: [String], _ option: String, in context: JobContext) throws {
    guard !given.isEmpty else { return }
    let known = try RuleCatalogue.names(context.sql)
    for word in given.map({ $0.uppercased() }) where !known.contains(word) {
      throw JobError(
        "could not list what is called \"\(word)\": there is no such class or rule",
        hint: Suggestion.nearest(to: word, among: known).map { "Did you mean \($0)?" }
          ?? "\(option) takes one of \(known.joined(separator: ", ")).", status: .usage)
    }
  }

  /// Rows may be of an app that is not ours; more often its name was mistyped.
  static func warn(ofApps given: [String], in context: JobContext) {
    let known = context.settings.apps.map(\.bundleID)
    for app in given where !known.isEmpty && !known.contains(app) {
      let near = Suggestion.nearest(to: app, among: known).map { ": did you mean \($0)?" } ?? ""
      context.log.warning("the settings name no app \(app)\(near)")
    }
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
    var filter = bounds.filter
    filter.want(classes.map { $0.uppercased() }, in: column)
    filter.want(severity, in: "severity")
    filter.want(status, in: "status")
    filter.want(app, in: apps)
    return filter
  }
}

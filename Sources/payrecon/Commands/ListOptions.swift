internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Logging
internal import Postgres
internal import Reports

struct FormatOptions: ParsableArguments {
  @Option(help: "table, csv, json or ndjson (default: table on a terminal, else csv).") var format: ExportFormat?

  var chosen: ExportFormat { format ?? (Output.isOnTerminal ? .table : .csv) }

  /// Writes an exportable list, reduced to the given classes and apps.
  func write(_ list: ExportList, _ options: JobOptions, filter: RowFilter, classes: [String] = [], apps: [String] = []) async throws {
    let context = try await options.context(label: list.rawValue, createsCluster: false)
    try RowFilterOptions.check(classes, "--class", in: context)
    RowFilterOptions.warn(ofApps: apps, in: context)
    _ = try await ExportJob(context: context).run(list, format: chosen, filter: filter) { try Output.tryWrite($0) }
  }
}

struct LimitOptions: ParsableArguments {
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

/// Options of a list: limit and order, format, and those of every job.
struct ListOptions: ParsableArguments {
  @OptionGroup var bounds: LimitOptions
  @OptionGroup var form: FormatOptions
  @OptionGroup var options: JobOptions

  var filter: RowFilter { bounds.filter }
  var format: ExportFormat { form.chosen }

  func write(_ list: ExportList) async throws { try await form.write(list, options, filter: filter.keeping(lastBy: list.keys)) }

  /// Writes the rows of a statement.
  ///
  /// - Parameters:
  ///   - label: name of the command in the database's list of sessions.
  ///   - keys: columns by which the rows are sorted, if a limit keeps the last ones.
  ///   - parameters: values of the statement.
  func write(
    _ listing: Listing, label: String, role: DatabaseRole = .report, lastBy keys: [String] = [],
    parameters: (JobContext) -> [String: Value] = { _ in [:] }
  ) async throws {
    let context = try await options.context(label: label, createsCluster: false)
    try await context.stream(listing, parameters(context), by: filter.keeping(lastBy: keys), as: format, role: role) {
      try Output.tryWrite($0)
    }
  }

  func write(_ table: ReportTable) throws { try Output.tryWrite(try filter.bytes(of: table, as: format)) }
}

extension RowFilter {
  /// Returns the filter of a list whose newest rows are its last ones. A limit keeps these.
  ///
  /// - Parameter keys: columns by which the list is sorted; empty for a list whose first rows are kept.
  func keeping(lastBy keys: [String]) -> RowFilter {
    var filter = self
    filter.lastBy = keys
    return filter
  }
}

extension ExportList {
  /// Columns by which a list of events is sorted, oldest first; empty for other lists.
  var keys: [String] { self == .runs ? ["as_of", "run_id", "attempt"] : [] }
}

/// Row filters of a list. Each option may be repeated.
struct RowFilterOptions: ParsableArguments {
  @Option(name: .customLong("class"), help: "Break class or rule.") var classes: [String] = []
  @Option(help: "critical, high, medium or low.") var severity: [String] = []
  @Option(help: "How it stands.") var status: [String] = []
  @Option(help: "Bundle id.") var app: [String] = []
  @OptionGroup var bounds: LimitOptions

  /// - Throws: `ValidationError` for a value that no row can have.
  func check(statuses: [String]) throws {
    try Self.check(severity, "--severity", Severity.allCases.map(\.rawValue))
    try Self.check(status, "--status", statuses)
  }

  /// Checks names of classes and rules, because an empty list for a misspelt name would look like good news.
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

  /// Warns about unknown bundle ids. Rows of foreign apps exist, but a typing error is more likely.
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

  /// Returns the row filter for lists whose columns of these names have the classes and rules, and the bundle ids.
  func filter(classes column: String, apps: String) -> RowFilter {
    var filter = bounds.filter
    filter.want(classes.map { $0.uppercased() }, in: column)
    filter.want(severity, in: "severity")
    filter.want(status, in: "status")
    filter.want(app, in: apps)
    return filter
  }
}

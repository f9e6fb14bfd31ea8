package import Domain
package import JobCore
internal import Matching
internal import Postgres
package import Wording

/// The header of every report of one run.
package struct ReportHeader: Sendable {
  var kind: ReportKind
  /// Language of the report, from the settings, so that a replay uses the language of its run.
  var language: Language
  var asOf: Timestamp
  var runID: String
  package var settingsSHA256: String
  package var codeVersion: String
  var verdict: Verdict
  /// The reasons of the verdict, one line each.
  var reasons: [Phrase]
  /// Undecided breaks per class, most severe first; shown on pages only.
  var breaks: [BreakSum] = []
  /// Period of a report on one period; nil for other reports.
  var period: String?
  /// Policies of revenue, as in `principal, com.acme.kids agent`; nil for reports without revenue.
  var revenuePolicy: String?
  var apps: [AppSettings]
  /// The review console to which pages link; nil for none.
  var console: ConsoleAddress?
  /// Whether each CSV has a schema file. Only replays of old reports have none.
  package var hasSchemas = true

  /// Creates the header of a report at the clock of a context, with its version and settings.
  package init(kind: ReportKind, context: JobContext, runID: String, verdict: Verdict, reasons: [Phrase]) {
    (self.kind, self.runID, self.verdict, self.reasons) = (kind, runID, verdict, reasons)
    (asOf, settingsSHA256, codeVersion) = (context.asOf, context.settingsSHA256, context.codeVersion)
    let settings = context.settings
    (language, apps, console) = (settings.reportLanguage, settings.apps, settings.reportConsole.map(ConsoleAddress.init))
    if [.deferred, .journal].contains(kind) { revenuePolicy = settings.journal.policyText }
  }

  /// Version of the layout of every JSON file. It increases if a column is removed or changes its meaning.
  static let schemaVersion = 1

  /// Fields of a JSON object, without its braces.
  var json: String {
    let reasons = reasons.map { ReportText.quoted($0.english) }.joined(separator: ",")
    let fields =
      [
        "\"schema_version\":\(Self.schemaVersion)", "\"report\":\"\(kind.rawValue)\"",
        "\"as_of\":\"\(asOf.rfc3339)\"", "\"run_id\":\(ReportText.quoted(runID))",
        "\"settings_sha256\":\"\(settingsSHA256)\"", "\"code_version\":\(ReportText.quoted(codeVersion))",
        "\"verdict\":\"\(verdict.rawValue)\"", "\"verdict_reasons\":[\(reasons)]",
      ]
      + [("period", period), ("revenue_policy", revenuePolicy)].compactMap { name, value in
        value.map { "\"\(name)\":\(ReportText.quoted($0))" }
      }
    return fields.joined(separator: ",\n")
  }
}

/// The bounded tables of a report, read in one snapshot.
struct ReportContents: Sendable {
  /// Maximum number of breaks in the list of the largest amounts at risk.
  static let topRowsMax: Int64 = 20

  var daily = ReportTable()
  var days = ReportTable()
  var inputs = ReportTable()
  /// Input that is not genuine and concerns no order, by source and day.
  var quarantine = ReportTable()
  var allowedSandbox = ReportTable()
  /// Charges and orders that no match can concern, by app and reason.
  var notReconciled = ReportTable()
  var ageing = ReportTable()
  var top = ReportTable()
  /// The first rows of the break list, for the page, with phrases as JSON.
  var breaks = KeptRows()
  /// The first rows of each class in the break list.
  var classes: [String: KeptRows] = [:]
  /// The first undecided breaks older than 30 days.
  var oldBreaks = KeptRows()
  /// The first charges and orders of the business days. The last column is their total number.
  var dayRows = ReportTable()
  /// The first breaks within their grace period, with phrases as JSON.
  var pending = KeptRows()
  var identities: [ReportIdentity] = []

  /// Reads everything except the break list.
  static func read(context: JobContext, asOf: Timestamp, tx: inout DatabaseTransaction) throws -> ReportContents {
    let asOfValue = asOf.sqlValue
    tx.joinWholeTables()
    tx.send("set local work_mem = '256MB'")
    var contents = ReportContents()
    let files = context.sql
    try tx.setViewed(asOf: asOf, of: context)
    try tx.readSums(of: context)
    contents.daily = try .read(ReportsSQL.daily, files: files, tx: &tx)
    contents.days = try .read(ReportsSQL.days, files: files, tx: &tx)
    contents.inputs = try .read(ReportsSQL.inputs, files: files, tx: &tx)
    contents.notReconciled = try .read(ReportsSQL.notReconciled, files: files, tx: &tx)
    contents.quarantine = try .read(ExportList.quarantine.statement, ["as_of": asOfValue], files: files, tx: &tx)
    contents.allowedSandbox = try .read(
      ReportsSQL.allowedSandbox, context.settings.sandboxSpans.merging(["as_of": asOfValue]) { $1 }, files: files, tx: &tx)
    contents.ageing = try .read(ReportsSQL.ageing, files: files, tx: &tx)
    contents.top = try .read(ReportsSQL.topExposure, ["as_of": asOfValue, "row_count": .int8(topRowsMax)], files: files, tx: &tx)
    contents.dayRows = try .read(ReportsSQL.dayRows, ["row_count": .int8(Int64(ReportJob.pageRowsMax))], files: files, tx: &tx)
    contents.identities = try contents.daily.records.flatMap(ReportIdentity.all)
    var index: [String: Int] = [:]
    _ = try tx.stream(
      files(ExportList.pending.statement), ["as_of": asOfValue],
      columns: { index = Dictionary(uniqueKeysWithValues: $0.enumerated().map { ($1, $0) }) },
      row: { row in contents.pending.add(ReportRecord(index: index, cells: row.texts)) })
    return contents
  }

  /// Adds a row of the break list to the tables that contain it.
  mutating func keep(_ row: ReportRecord) throws {
    breaks.add(row)
    try classes[row.text("class"), default: KeptRows()].add(row)
    let isUndecided = try row["resolved_at"] == nil && row["case_id"] == nil
    if isUndecided, try ["31-60", ">60"].contains(row.text("age_bucket")) { oldBreaks.add(row) }
  }
}

/// The first rows of a list, and its length.
struct KeptRows: Sendable {
  private(set) var rows: [ReportRecord] = []
  private(set) var count = 0

  mutating func add(_ row: ReportRecord) {
    if count < ReportJob.pageRowsMax { rows.append(row) }
    count += 1
  }
}

/// An identity: an equation between measures that separate queries computed.
struct ReportIdentity: Sendable {
  var name: String
  var slice: ReportRecord
  var left: Int128
  var right: Int128
  /// The equation with its numbers.
  var formula: Phrase

  var holds: Bool { left == right }

  /// Returns an equation with its numbers, which its text names `a`, `b` and so on.
  static func equation(_ key: String, _ numbers: [some CustomStringConvertible]) -> Phrase {
    Phrase(key, Dictionary(uniqueKeysWithValues: zip("abcdefgh".map(String.init), numbers.map { Phrase.plain("\($0)") })))
  }

  /// Returns the identity of a column with the sum of others. The formula has their numbers in this order.
  static func sum(
    _ name: String, _ slice: ReportRecord, _ total: String, of parts: [String], less subtracted: [String] = [], formula: String
  ) throws -> ReportIdentity {
    let numbers = try ([total] + parts + subtracted).map { try slice.int($0) }
    return try ReportIdentity(
      name: name, slice: slice, left: numbers[0], right: slice.sum(parts) - slice.sum(subtracted), formula: equation(formula, numbers))
  }

  /// Parts of a day's charges.
  static let chargeParts: [(label: String, column: String)] = [
    ("exact", "matched_exact_count"), ("derived", "matched_derived_count"),
    ("heuristic", "matched_heuristic_count"), ("ambiguous", "ambiguous_count"), ("pending", "pending_count"),
    ("broken", "broken_count"), ("excluded", "excluded_count"),
  ]

  struct BridgeLine: Sendable {
    var label: Phrase
    var column: String
    /// -1 for a line that is subtracted, as its label states. Its figure has the same sign everywhere.
    var sign: Int128 = 1
    /// The class whose breaks make up the line; nil if there is none.
    var breakClass: String?
  }

  /// Lines of the bridge from our book to Apple's, in the order of an audit.
  static let bridgeLines: [BridgeLine] = [
    BridgeLine(label: "bridge.book", column: "bridge_book_milliunits"),
    BridgeLine(label: "bridge.open_charges", column: "bridge_plus_open_tx_milliunits", breakClass: "TX_NO_ORDER"),
    BridgeLine(label: "bridge.open_orders", column: "bridge_minus_open_orders_milliunits", sign: -1, breakClass: "ORDER_NO_TX"),
    BridgeLine(label: "bridge.not_booked", column: "bridge_plus_not_booked_milliunits"),
    BridgeLine(label: "bridge.not_charged", column: "bridge_not_charged_milliunits"),
    BridgeLine(label: "bridge.amount", column: "bridge_amount_diff_milliunits", breakClass: "AMOUNT_DIFF"),
    BridgeLine(label: "bridge.currency", column: "bridge_currency_diff_milliunits", breakClass: "CURRENCY_DIFF"),
    BridgeLine(label: "bridge.unpriced", column: "bridge_unpriced_milliunits"),
  ]

  /// Returns identities as a table, for CSV and JSON.
  ///
  /// - Parameter keys: columns that identify the slice of an identity.
  static func table(_ checks: [ReportIdentity], keys: [String]) throws -> ReportTable {
    try ReportTable(
      columns: ["identity"] + keys + ["formula", "left", "right", "difference", "holds"],
      isNumeric: [false] + keys.map { _ in false } + [false, true, true, true, false],
      rows: checks.map { check in
        try [check.name] + keys.map { try check.slice[$0] } + [
          check.formula.english, String(check.left), String(check.right), String(check.left - check.right), check.holds ? "yes" : "no",
        ]
      }, differences: [("difference", "left", "right")])
  }

  static func all(of slice: ReportRecord) throws -> [ReportIdentity] {
    var checks = try [sum("charges", slice, "tx_count", of: chargeParts.map(\.column), formula: "formula.charges")]
    if try slice["environment"] == "Production" { try checks.append(bridge(slice)) }
    if try slice["scope"] == "to_date" {
      checks += try [
        sum(
          "breaks", slice, "break_open_count", of: ["break_opening_count", "break_new_count"], less: ["break_resolved_count"],
          formula: "formula.breaks"),
        sum("decisions", slice, "break_open_count", of: ["break_undecided_count", "break_decided_count"], formula: "formula.decisions"),
      ]
    }
    return checks
  }

  /// Returns the identity of the bridge without its unexplained line. It holds only if nothing is unexplained.
  private static func bridge(_ slice: ReportRecord) throws -> ReportIdentity {
    let apple = try slice.int("bridge_apple_milliunits")
    let parts = try bridgeLines.map { try slice.int($0.column) * $0.sign }
    let sum = parts.reduce(0, +)
    let currency = try slice.text("currency")
    let text = { (milliunits: Int128) in Money.text(milliunits: milliunits, currency: currency) }
    return ReportIdentity(
      name: "bridge", slice: slice, left: apple, right: sum,
      formula: equation("formula.bridge", [apple, parts[0], sum - parts[0], apple - sum].map(text)))
  }
}

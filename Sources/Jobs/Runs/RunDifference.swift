internal import Domain
internal import Intake
public import JobCore
internal import Postgres
internal import Reports

public enum RunDifference {
  static let fileBytesMax = 256 << 20

  public struct Row: Sendable, Hashable {
    public var table: String
    /// Identity of the row: a break id, or its key cells.
    public var key: String
    /// `appeared`, `resolved`, `changed`, `only in A` or `only in B`.
    public var change: String
    public var cause: String
    public var detail: String
    public var isAgeOnly = false
  }

  public struct Outcome: Sendable {
    /// Differences between the runs themselves, one line each.
    public var notes: [String]
    public var rows: [Row]
    public var isEqual: Bool { rows.isEmpty }
  }

  /// Compares the open breaks after two runs of the ledger.
  ///
  /// - Throws: `JobError` if a run is not in the ledger.
  public static func compareRuns(_ a: String, _ b: String, in context: JobContext) async throws -> Outcome {
    try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      let sides = try [a, b].map { id in
        guard let found = try RunLedger.attempts(of: id, &tx, sql: context.sql).last else {
          throw JobError("could not compare: the ledger has no run \"\(id)\"", hint: "See payrecon runs list.")
        }
        return try ComparedSide(
          name: id, asOf: found.text("as_of"), settings: found.text("settings_sha256"),
          code: found.text("code_version"), verdict: found["verdict"] ?? "running")
      }
      let rows = try ReportTable.read(
        RunsSQL.diff, ["run_a": .text(a), "run_b": .text(b)], files: context.sql, tx: &tx)
      return try Outcome(notes: ComparedSide.notes(sides[0], sides[1]), rows: rows.records.map(row))
    }
  }

  private static func row(_ record: ReportRecord) throws -> Row {
    var parts: [String] = []
    func part(_ name: String, _ a: String?, _ b: String?) {
      guard a != b else { return }
      parts.append("\(name) \(a ?? "-") -> \(b ?? "-")")
    }
    try part("class", record["class_a"], record["class_b"])
    try part("amount", record["amount_a_milliunits"], record["amount_b_milliunits"])
    try part("detail", record["detail_a"], record["detail_b"])
    let subject = try record["order_id"] ?? record["charge_id"] ?? record["transaction_id"] ?? ""
    return try Row(
      table: "breaks", key: "\(record.text("break_id")) \(subject)", change: record.text("change"),
      cause: record.text("cause"), detail: parts.joined(separator: "; "))
  }

  /// Compares two report folders: the files of both manifests, row by row.
  ///
  /// - Throws: `JobError` if a manifest or file cannot be read.
  public static func compareFolders(_ a: String, _ b: String) throws -> Outcome {
    let manifests = try [a, b].map { try Manifest.read(directory: $0) }
    let sides = zip([a, b], manifests).map { path, manifest in
      ComparedSide(
        name: path, asOf: manifest.asOf, settings: manifest.settingsSHA256, code: manifest.codeVersion,
        verdict: manifest.verdict)
    }
    var notes = ComparedSide.notes(sides[0], sides[1])
    var rows: [Row] = []
    let inputs = try inputRows(a, b)
    for row in inputs { notes.append("input \(row.change): \(row.key)") }
    let causes = Causes(sides[0], sides[1], hasOtherInput: !inputs.isEmpty)
    // Hashes of the current files, regardless of the manifest.
    var hashes: [[String: String]] = []
    for (side, manifest) in zip(sides, manifests) {
      var found: [String: String] = [:]
      for file in manifest.files {
        guard let hash = try LocalFile.hash("\(side.name)/\(file.name)") else { continue }
        found[file.name] = hash.sha256
        if hash.sha256 != file.sha256 {
          notes.append("\(side.name)/\(file.name) is not as its run wrote it: see payrecon runs verify")
        }
      }
      hashes.append(found)
    }
    for name in Set(hashes.flatMap(\.keys)).sorted() {
      guard let hashA = hashes[0][name], let hashB = hashes[1][name] else {
        let side = hashes[0][name] == nil ? "only in B" : "only in A"
        rows.append(Row(table: name, key: name, change: side, cause: "other files", detail: ""))
        continue
      }
      if hashA != hashB, name.hasSuffix(".csv") { rows += try compareTable(name, a, b, causes) }
    }
    return Outcome(notes: notes, rows: rows)
  }

  private static func inputRows(_ a: String, _ b: String) throws -> [Row] {
    guard try LocalFile.contents("\(a)/inputs.csv", bytesMax: fileBytesMax) != nil else { return [] }
    let tableA = try CSVTable.read("\(a)/inputs.csv").keyed(by: ["kind", "sha256"])
    let tableB = try CSVTable.read("\(b)/inputs.csv").keyed(by: ["kind", "sha256"])
    func name(_ row: [String: String]) -> String { "\(row["kind"] ?? "") \(row["file_name"] ?? "")" }
    let gone = tableA.filter { tableB[$0.key] == nil }.map { ("only in A", name($0.value)) }
    let come = tableB.filter { tableA[$0.key] == nil }.map { ("only in B", name($0.value)) }
    return (gone + come).sorted { $0 < $1 }.map {
      Row(table: "inputs.csv", key: $0.1, change: $0.0, cause: "input", detail: "")
    }
  }

  /// Columns that change with the clock alone.
  private static let clockColumns: Set<String> = ["age_days", "age_bucket", "age_minutes", "status", "sla_state"]
  /// Key columns of the files that are no figure table.
  private static let keys = [
    "breaks": ["break_id"], "top_exposure": ["break_id"],
    "identities": ["identity", "scope", "bundle_id", "environment", "currency"],
    "refund_preferences": ["request_reason", "preference"], "refund_reserve_totals": ["currency"],
    "refund_reserve": ["bundle_id", "type", "currency", "purchase_month"], "refund_backtest": ["currency", "period"],
  ]

  /// Returns the key columns of a file; nil if all cells of a row are its key.
  private static func keys(of file: String) -> [String]? {
    let name = String(file.dropLast(".csv".count))
    return FigureTable(rawValue: name)?.layout.keys ?? keys[name]
  }

  private static func compareTable(_ name: String, _ a: String, _ b: String, _ causes: Causes) throws -> [Row] {
    let tableA = try CSVTable.read("\(a)/\(name)")
    let tableB = try CSVTable.read("\(b)/\(name)")
    let key = keys(of: name) ?? tableA.columns
    let rowsA = tableA.keyed(by: key)
    let rowsB = tableB.keyed(by: key)
    var rows: [Row] = []
    for id in Set(rowsA.keys).union(rowsB.keys).sorted() {
      let label = id.text.replacing("\u{1F}", with: " ")
      guard let before = rowsA[id], let after = rowsB[id] else {
        let row = rowsA[id] ?? rowsB[id] ?? [:]
        let side = rowsA[id] == nil ? "only in B" : "only in A"
        rows.append(Row(table: name, key: label, change: side, cause: causes.cause(of: row), detail: row["class"] ?? ""))
        continue
      }
      let differing = tableB.columns.filter { before[$0].map(ByteText.init) != after[$0].map(ByteText.init) }
      guard !differing.isEmpty else { continue }
      let isClock = differing.allSatisfy(clockColumns.contains)
      let detail = differing.map { "\($0) \(before[$0] ?? "-") -> \(after[$0] ?? "-")" }.joined(separator: "; ")
      rows.append(
        Row(
          table: name, key: label, change: "changed", cause: isClock ? "clock" : causes.cause(of: after), detail: detail,
          isAgeOnly: isClock))
    }
    return rows
  }
}

private struct ComparedSide: Sendable {
  var name: String
  var asOf: String
  var settings: String
  var code: String
  var verdict: String

  static func notes(_ a: ComparedSide, _ b: ComparedSide) -> [String] {
    var notes = ["A \(a.name): as of \(a.asOf), \(a.verdict)", "B \(b.name): as of \(b.asOf), \(b.verdict)"]
    if a.settings != b.settings { notes.append("settings differ: \(a.settings.prefix(8)) -> \(b.settings.prefix(8))") }
    if a.code != b.code { notes.append("code differs: \(a.code) -> \(b.code)") }
    return notes
  }
}

/// Possible causes of a difference. Two runs with the same facts, clock, settings and code must not differ.
private struct Causes {
  private var causes: [String] = []
  private var others: [String] = []
  private let earlier: String
  private let hasOtherClock: Bool

  init(_ a: ComparedSide, _ b: ComparedSide, hasOtherInput: Bool) {
    if a.settings != b.settings { others.append("settings") }
    if a.code != b.code { others.append("code") }
    earlier = min(a.asOf, b.asOf)
    hasOtherClock = a.asOf != b.asOf
    causes = (hasOtherInput ? ["input"] : []) + others + (hasOtherClock ? ["clock"] : [])
  }

  /// Returns the possible causes of a row's difference.
  func cause(of row: [String: String]) -> String {
    // A period that was over at the earlier clock changes only with late facts.
    if hasOtherClock, Self.isOver(row, at: earlier) { return (["late facts"] + others).joined(separator: " or ") }
    return causes.isEmpty ? "none found: a file was changed by hand, see payrecon runs verify" : causes.joined(separator: " or ")
  }

  /// Whether the row's day or month ended before the clock's day in every time zone.
  private static func isOver(_ row: [String: String], at clock: String) -> Bool {
    guard let period = ["day", "business_day", "due_day", "recognised_period", "period"].lazy.compactMap({ row[$0] }).first,
      let instant = Timestamp(rfc3339: clock), row["scope"] != "to_date"
    else { return false }
    let parts = period.split(separator: "-").compactMap { Int($0) }
    guard parts.count == period.split(separator: "-").count, parts.count == 2 || parts.count == 3 else { return false }
    let end =
      parts.count == 3
      ? CivilDate(year: parts[0], month: parts[1], day: parts[2]).daysSince1970
      : CivilDate(year: parts[0] + parts[1] / 12, month: parts[1] % 12 + 1, day: 1).daysSince1970 - 1
    return instant.microseconds / 86_400_000_000 > end + 1
  }
}

private struct CSVTable {
  var columns: [String]
  var rows: [[String]]

  static func read(_ path: String) throws -> CSVTable {
    guard let bytes = try LocalFile.contents(path, bytesMax: RunDifference.fileBytesMax) else {
      throw JobError("could not compare \"\(path)\": its manifest lists it, and it is not there")
    }
    guard let records = CSVRecords.read(bytes[...]) else {
      throw JobError("could not compare \"\(path)\": a quote in it is opened and never closed")
    }
    return CSVTable(columns: records[0], rows: Array(records.dropFirst()))
  }

  /// Returns the rows by the cells of some columns. Equal keys are numbered.
  func keyed(by names: [String]) -> [ByteText: [String: String]] {
    var result: [ByteText: [String: String]] = [:]
    for row in rows {
      let cells = Dictionary(zip(columns, row)) { first, _ in first }
      let key = names.map { cells[$0] ?? "" }.joined(separator: "\u{1F}")
      var unique = ByteText(key)
      var number = 1
      while result[unique] != nil {
        number += 1
        unique = ByteText("\(key)\u{1F}#\(number)")
      }
      result[unique] = cells
    }
    return result
  }
}

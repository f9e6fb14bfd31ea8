internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// Undecided breaks of one class, which the banner of every report names.
struct BreakSum: Sendable {
  /// Maximum number of classes in a banner, most severe first.
  private static let shownMax = 8

  var name: String
  var count: Int128 = 0
  /// Milliunits at stake per currency.
  var amounts: [String: Int128] = [:]

  /// Returns the classes with undecided breaks at the transaction's clock, most severe first.
  static func read(asOf: Timestamp, files: SQLFiles, tx: inout DatabaseTransaction) throws -> [BreakSum] {
    let clock: [String: Value] = ["as_of": asOf.sqlValue]
    var sums: [BreakSum] = []
    for (name, currency, count, amount) in try tx.rows(files(RunsSQL.breakSums), clock) {
      if sums.last?.name != name { sums.append(BreakSum(name: name)) }
      sums[sums.count - 1].count += Int128(count)
      if !currency.isEmpty { sums[sums.count - 1].amounts[currency, default: 0] += Int128(amount) ?? 0 }
    }
    return sums
  }

  /// Returns the template fields of the classes of a header; none without breaks. Each leads to its cases in the console, or names the
  /// command that lists its breaks.
  static func model(of header: ReportHeader) -> [String: Any] {
    let sums = header.breaks
    guard !sums.isEmpty else { return [:] }
    var classes: [String: Any] = ["rows": sums.prefix(shownMax).map { $0.model(in: header) }]
    if sums.count > shownMax {
      var rest: [String: Any] = ["words": header.words("report.more_classes", ["count": "\(sums.count - shownMax)"])]
      if let console = header.console { rest["target"] = console.dashboard }
      classes["rest"] = rest
    }
    return ["classes": classes]
  }

  private func model(in header: ReportHeader) -> [String: Any] {
    var model: [String: Any] = [
      "count": ReportPage.grouped(count), "title": header.words.name("class", name), "code": name,
      "command": "payrecon breaks list --class \(name) --as-of \(header.asOf.rfc3339)",
    ]
    let money = ReportPage.amounts(amounts, in: header.words).replacing("\n", with: ", ")
    if !money.isEmpty { model["amounts"] = money }
    if let console = header.console { model["target"] = console.queue(name) }
    return model
  }
}

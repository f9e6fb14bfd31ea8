internal import Domain
internal import JobCore
internal import Wording

/// The figures of closed periods as signed and as known now, with the corrections between them.
struct ClosedFigures {
  /// Balances of the table revenue.
  static let balances = ["opening", "closing"]
  /// The table of the report on deferred revenue that has the figures.
  static let revenueReport = "revenue"
  static let unmatchedMetric = "charges without order"

  struct Key: Hashable, Comparable {
    var period: String
    var report: String
    var currency: String
    /// Basis of revenue; empty for a figure of the tie-out.
    var basis = ""
    var metric: String

    private var parts: [String] { [period, report, currency, basis, metric] }
    static func < (one: Key, other: Key) -> Bool { one.parts.lexicographicallyPrecedes(other.parts) }
  }

  /// Causes of a correction; the raw value is the word of the report.
  enum Cause: String {
    case lateFact = "late_fact"
    case refund, reversal
    case trueUp = "true_up"
    case rematch = "re_match"
    case decision, policy
    case programVersion = "program_version"
    case restatedByApple = "restated_by_apple"
    case unexplained
  }

  /// A correction, booked in an open period.
  struct Line: Hashable {
    var period: String
    var cause: Cause
  }

  typealias Lines = [Line: Int128]

  /// Milliunits.
  var signed: [Key: Int128] = [:]
  var current: [Key: Int128] = [:]
  /// Corrections by facts of charges, which state the period in which they became known.
  var facts: [Key: Lines] = [:]
  var signedFacts: [Key: Lines] = [:]
  /// Changes since the close by cause. A change does not state the period in which it became known.
  var changes: [Key: [Cause: Int128]] = [:]
  /// The part of the changes that later closes signed as corrections of their periods.
  var signedCorrections: [Key: Lines] = [:]
  /// The other part, booked in the open period.
  private var openCorrections: [Key: Lines] = [:]
  private var corrections: [Key: Lines] = [:]

  private mutating func addCorrection(_ key: Key, _ line: Line, by milliunits: Int128) {
    guard milliunits != 0 else { return }
    corrections[key, default: [:]][line, default: 0] += milliunits
  }

  /// Turns facts and changes into corrections. The part that a later close signed stays in the period of that close; the rest is booked
  /// in the open period.
  ///
  /// - Parameters:
  ///   - openPeriod: the first period after another one that is not closed.
  ///   - cause: the cause of a change of what a period signed; nil for an open period.
  mutating func bookChanges(_ openPeriod: (String) -> String, cause: (String) -> Cause?) {
    for key in Set(facts.keys).union(signedFacts.keys) {
      let (now, signed) = (facts[key] ?? [:], signedFacts[key] ?? [:])
      for line in Set(now.keys).union(signed.keys) {
        guard let cause = cause(line.period) else {
          addCorrection(key, line, by: now[line] ?? 0)
          continue
        }
        addCorrection(key, line, by: signed[line] ?? 0)
        changes[key, default: [:]][cause, default: 0] += (now[line] ?? 0) - (signed[line] ?? 0)
      }
    }
    for key in Set(changes.keys).union(signedCorrections.keys) {
      var rest = changes[key] ?? [:]
      var refunded: Int128 = 0
      for (line, milliunits) in signedCorrections[key] ?? [:] {
        addCorrection(key, line, by: milliunits)
        rest[line.cause, default: 0] -= milliunits
        if line.cause == .refund { refunded += milliunits }
      }
      let period = openPeriod(key.period)
      for (cause, milliunits) in rest where milliunits != 0 {
        // The opposite of a signed refund reverses it.
        let isReversal = cause == .refund && refunded.signum() == -milliunits.signum()
        let line = Line(period: period, cause: isReversal ? .reversal : cause)
        addCorrection(key, line, by: milliunits)
        openCorrections[key, default: [:]][line, default: 0] += milliunits
      }
    }
  }

  /// Returns what corrections booked in a period add to its opening balance: changes of closed periods without a fact of a charge.
  func openingChange(_ period: String, currency: String, basis: RevenueBasis) -> Int128 {
    [signedCorrections, openCorrections].flatMap { $0 }.reduce(0) { sum, entry in
      guard entry.key.report == Self.revenueReport, entry.key.currency == currency, entry.key.basis == basis.rawValue,
        let sign = ClosedRevenue.signs[entry.key.metric]
      else { return sum }
      return entry.value.reduce(sum) { $1.key.period == period ? $0 + sign * $1.value : $0 }
    }
  }

  /// Returns the corrections booked in a period, and whether facts of charges state it.
  func corrections(bookedIn period: String) -> [(key: Key, cause: Cause, isFact: Bool, milliunits: Int128)] {
    [(openCorrections, false), (facts, true)].flatMap { lines, isFact in
      lines.flatMap { key, lines in
        lines.filter { $0.key.period == period && $0.value != 0 }.map { (key, $0.key.cause, isFact, $0.value) }
      }
    }
  }

  private var keys: [Key] { Set(signed.keys).union(current.keys).union(corrections.keys).sorted() }

  private func corrected(_ key: Key) -> Int128 { corrections[key]?.values.reduce(0, +) ?? 0 }

  // MARK: Tables

  static let keyColumns = ["period", "report", "currency", "revenue_basis", "metric"]

  private static func cells(_ key: Key) -> [String?] {
    [key.period, key.report, key.currency, key.basis.isEmpty ? nil : key.basis, key.metric]
  }

  /// Figures as signed and as known now.
  var table: ReportTable {
    let figures = ["signed_milliunits", "now_milliunits", "delta_milliunits", "corrected_milliunits"]
    return ReportTable(
      keys: Self.keyColumns, figures: figures,
      rows: keys.map { key in
        let (before, after) = (signed[key] ?? 0, current[key] ?? 0)
        return Self.cells(key) + [before, after, after - before, corrected(key)].map { String($0) }
      }, differences: [("delta_milliunits", "now_milliunits", "signed_milliunits")])
  }

  /// Corrections as lines of the open periods in which they are booked.
  var correctionTable: ReportTable {
    let lines = corrections.flatMap { key, lines in lines.map { (line: $0.key, key: key, milliunits: $0.value) } }
      .filter { $0.milliunits != 0 }
      .sorted { ($0.line.period, $0.key, $0.line.cause.rawValue) < ($1.line.period, $1.key, $1.line.cause.rawValue) }
    return ReportTable(
      keys: ["period", "restates_period"] + Self.keyColumns.dropFirst() + ["cause"], figures: ["amount_milliunits"],
      rows: lines.map { line, key, milliunits in [line.period] + Self.cells(key) + [line.cause.rawValue, String(milliunits)] })
  }

  /// The identity of each figure: signed plus corrections is the figure as known now.
  var identities: [ReportIdentity] {
    keys.map { key in
      ReportIdentity(
        name: "restatement", slice: Self.slice(key), left: current[key] ?? 0, right: (signed[key] ?? 0) + corrected(key),
        formula: "formula.restatement")
    }
  }

  static func slice(_ key: Key) -> ReportRecord { ReportRecord(columns: keyColumns, cells: cells(key)) }
}

internal import Domain
internal import JobCore

/// The figures of closed periods as signed and as known now, with the corrections between them.
struct ClosedFigures {
  /// Flows of the roll-forward whose sum is a figure.
  static let deferredMetrics: [(metric: String, columns: [String])] = [
    ("booked", ["booked"]), ("charged again", ["earned_again", "deferred_again", "again_of_cut"]), ("recognised", ["recognised"]),
    ("refunded", ["refund_reversed", "refund_cut", "refund_of_cut"]), ("upgrade cut", ["upgrade_cut"]),
  ]
  /// Balances of the roll-forward.
  static let deferredBalances = ["opening", "closing"]
  static let unmatchedMetric = "charges without order"

  /// A figure of a closed period.
  struct Place: Hashable, Comparable {
    var period: String
    var report: String
    var currency: String
    var metric: String

    private var parts: [String] { [period, report, currency, metric] }
    static func < (one: Place, other: Place) -> Bool { one.parts.lexicographicallyPrecedes(other.parts) }
  }

  /// Causes of a correction; the raw value is the word of the report.
  enum Cause: String {
    case lateFact = "late_fact"
    case refund, reversal
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

  /// Milliunits.
  private(set) var signed: [Place: Int128] = [:]
  private var now: [Place: Int128] = [:]
  private var corrections: [Place: [Line: Int128]] = [:]

  mutating func sign(_ place: Place, _ milliunits: Int128) { signed[place, default: 0] += milliunits }

  mutating func know(_ place: Place, _ milliunits: Int128) { now[place, default: 0] += milliunits }

  mutating func correct(_ place: Place, _ line: Line, by milliunits: Int128) {
    guard milliunits != 0 else { return }
    corrections[place, default: [:]][line, default: 0] += milliunits
  }

  private var places: [Place] { Set(signed.keys).union(now.keys).union(corrections.keys).sorted() }

  private func corrected(_ place: Place) -> Int128 { corrections[place]?.values.reduce(0, +) ?? 0 }

  // MARK: Tables

  private static let keys = ["period", "report", "currency", "metric"]

  private static func cells(_ place: Place) -> [String?] { [place.period, place.report, place.currency, place.metric] }

  /// Figures as signed and as known now.
  var table: ReportTable {
    let figures = ["signed_milliunits", "now_milliunits", "delta_milliunits", "corrected_milliunits"]
    return ReportTable(
      columns: Self.keys + figures, isNumeric: Self.keys.map { _ in false } + figures.map { _ in true },
      rows: places.map { place in
        let (before, after) = (signed[place] ?? 0, now[place] ?? 0)
        return Self.cells(place) + [before, after, after - before, corrected(place)].map { String($0) }
      }, differences: ReportDifference.ofClosedFigures)
  }

  /// Corrections as lines of the open periods in which they are booked.
  var correctionTable: ReportTable {
    let lines = corrections.flatMap { place, lines in lines.map { (line: $0.key, place: place, milliunits: $0.value) } }
      .filter { $0.milliunits != 0 }
      .sorted { ($0.line.period, $0.place, $0.line.cause.rawValue) < ($1.line.period, $1.place, $1.line.cause.rawValue) }
    return ReportTable(
      columns: ["period", "restates_period", "report", "currency", "metric", "cause", "amount_milliunits"],
      isNumeric: [false, false, false, false, false, false, true],
      rows: lines.map { line, place, milliunits in
        [line.period, place.period, place.report, place.currency, place.metric, line.cause.rawValue, String(milliunits)]
      })
  }

  /// The identity of each figure: signed plus corrections is the figure as known now.
  var identities: [ReportIdentity] {
    places.map { place in
      ReportIdentity(
        name: "restatement", slice: Self.slice(place), left: now[place] ?? 0, right: (signed[place] ?? 0) + corrected(place),
        formula: "as known now = as signed + corrections")
    }
  }

  /// Places of an identity's slice.
  static let identityPlaces = keys

  static func slice(_ place: Place) -> ReportRecord {
    ReportRecord(index: Dictionary(uniqueKeysWithValues: zip(keys, 0...)), cells: cells(place))
  }
}

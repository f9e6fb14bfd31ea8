/// A line of Apple's financial reports without its count.
struct EarnedLine: Hashable, Comparable, Sendable {
  /// Index of the period whose report contains the line.
  var period: Int
  var store: Int
  var good: Int
  var day: Int
  var settled: Int
  /// Milliunits of one unit.
  var price: Int64
  /// Hundredths of the proceeds currency for one unit.
  var share: Int64
  /// 1 for a sale, -1 for a return.
  var sign: Int64

  private var order: [Int64] {
    [Int64(period), Int64(store), Int64(good), Int64(day), -sign, price, share, Int64(settled)]
  }

  static func < (left: EarnedLine, right: EarnedLine) -> Bool { left.order.lexicographicallyPrecedes(right.order) }
}

/// An event in Apple's daily reports.
struct TrendLine: Hashable, Comparable, Sendable {
  enum Event: Int, Sendable { case purchase, renewal, trial, refund }

  var day: Int
  var store: Int
  var good: Int
  var event: Event
  var price: Int64
  var share: Int64
  /// Day of the refunded purchase; for other events, `day`.
  var boughtOn: Int

  private var order: [Int64] {
    [Int64(day), Int64(store), Int64(good), Int64(event.rawValue), price, share, Int64(boughtOn)]
  }

  static func < (left: TrendLine, right: TrendLine) -> Bool { left.order.lexicographicallyPrecedes(right.order) }
}

/// A planted cause in its cell, without its count.
struct PlantedCell: Hashable, Comparable, Sendable {
  /// The expected result of a correct tie-out of the three periods.
  enum Finding: String, Sendable {
    case explained
    /// Within the horizon: it may settle in a period that is not reported yet.
    case open
    case unexplained
    /// No difference: counted separately from the cell.
    case apart
    /// No difference: units of the cell that brought a larger share.
    case share
  }

  var period: Int
  var cause: String
  var finding: Finding
  var store: Int
  var good: Int
  var day: Int
  var price: Int64
  var sign: Int64

  private var order: [Int64] { [Int64(period), Int64(store), Int64(good), Int64(day), price, -sign] }

  static func < (left: PlantedCell, right: PlantedCell) -> Bool {
    guard left.order == right.order else { return left.order.lexicographicallyPrecedes(right.order) }
    return (left.cause, left.finding.rawValue) < (right.cause, right.finding.rawValue)
  }
}

/// The lines that a run of stories adds to a money world.
struct MoneyOutput: Sendable {
  var earned: [EarnedLine: Int64] = [:]
  var trends: [TrendLine: Int64] = [:]
  var planted: [PlantedCell: Int64] = [:]
  /// Order and charge of each purchase that is counted twice.
  var duplicates = TextBuffer()

  /// Adds everything except the texts, which are written directly.
  mutating func add(_ other: MoneyOutput) {
    earned.merge(other.earned, uniquingKeysWith: +)
    trends.merge(other.trends, uniquingKeysWith: +)
    planted.merge(other.planted, uniquingKeysWith: +)
  }
}

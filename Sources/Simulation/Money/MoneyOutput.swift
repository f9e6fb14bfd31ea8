/// A line of Apple's reports about money, without its count.
struct EarnedLine: Hashable, Comparable, Sendable {
  /// Index of the period whose report it stands in.
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

/// What happened on a day, as Apple's daily reports count it.
struct TrendLine: Hashable, Comparable, Sendable {
  enum Event: Int, Sendable { case purchase, renewal, trial, refund }

  var day: Int
  var store: Int
  var good: Int
  var event: Event
  var price: Int64
  var share: Int64
  /// Day on which what is refunded was bought; else `day`.
  var boughtOn: Int

  private var order: [Int64] {
    [Int64(day), Int64(store), Int64(good), Int64(event.rawValue), price, share, Int64(boughtOn)]
  }

  static func < (left: TrendLine, right: TrendLine) -> Bool { left.order.lexicographicallyPrecedes(right.order) }
}

/// A planted cause in its cell, without its count.
struct PlantedCell: Hashable, Comparable, Sendable {
  /// How a correct tie-out of the three periods tells it.
  enum Finding: String, Sendable {
    /// Explained by its cause.
    case explained
    /// Within the horizon: it may settle in a period that nobody has yet.
    case open
    case unexplained
    /// In no difference: counted beside the cell.
    case apart
    /// In no difference: so many units of the cell brought more.
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

/// What a run of stories adds to a money world.
struct MoneyOutput: Sendable {
  var earned: [EarnedLine: Int64] = [:]
  var trends: [TrendLine: Int64] = [:]
  var planted: [PlantedCell: Int64] = [:]
  /// Order and charge of each purchase that is counted twice.
  var duplicates = TextBuffer()

  /// Adds all but the texts, which are written as they come.
  mutating func add(_ other: MoneyOutput) {
    earned.merge(other.earned, uniquingKeysWith: +)
    trends.merge(other.trends, uniquingKeysWith: +)
    planted.merge(other.planted, uniquingKeysWith: +)
  }
}

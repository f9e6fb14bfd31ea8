internal import Domain

/// The cells of one product line by day, between which units may move by a day.
struct DayCells {
  /// Units of one of our cells that are booked in one of Apple's cells.
  struct Pair {
    var ours: Int64
    var theirs: Int64
    var units: Int64
  }

  /// A row of `tieout/42_days.sql`: line, cell, first and last day, late settlement, units of both sides, and our early and late units.
  typealias Row = (line: Int64, cell: Int64, first: Int64, last: Int64, isLate: Bool, ours: Int64, theirs: Int64, early: Int64, late: Int64)

  private var days: [DayFlow.Day] = []
  /// By day: the cell that is ours or settled on time, then the cells that settled late.
  private var cells: [[Int64]] = []

  /// Groups rows, which are sorted by line, day and period, by line.
  static func lines(_ rows: [(Int64, Int64, Int64, Int64, Bool, Int64, Int64, Int64, Int64)]) -> [DayCells] {
    var lines: [DayCells] = []
    var current: Int64?
    for row: Row in rows {
      if row.line != current { lines.append(DayCells()) }
      current = row.line
      lines[lines.count - 1].add(row)
    }
    return lines
  }

  private mutating func add(_ row: Row) {
    if days.last?.first != row.first {
      days.append(DayFlow.Day(first: row.first, last: row.last))
      cells.append([])
    }
    let day = days.count - 1
    // A day without a settlement in time has no first cell, so 0 takes its place.
    if row.isLate, cells[day].isEmpty {
      cells[day].append(0)
      days[day].booked.append(0)
    }
    cells[day].append(row.cell)
    days[day].booked.append(row.theirs)
    days[day].sold += row.ours
    days[day].early += row.early
    days[day].late += row.late
  }

  /// Units that moved by days or settled late. Units within one cell are already proved.
  var pairs: [Pair] {
    DayFlow.pairs(days).filter { $0.sold != $0.booked || $0.part > 0 }.map {
      Pair(ours: cells[$0.sold][0], theirs: cells[$0.booked][$0.part], units: $0.units)
    }
  }
}

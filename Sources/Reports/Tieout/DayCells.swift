internal import Domain

/// The cells of one line by day, among which units move by a day.
struct DayCells {
  /// Units of a cell of ours that a cell of Apple's has.
  struct Pair {
    var ours: Int64
    var theirs: Int64
    var units: Int64
  }

  /// A row of `tieout/41_days.sql`: line, cell, first and last day, whether it settled late, both sides' units, early and late ones.
  typealias Row = (
    line: Int64, cell: Int64, first: Int64, last: Int64, isLate: Bool, ours: Int64, theirs: Int64, early: Int64, late: Int64
  )

  private var days: [DayFlow.Day] = []
  /// By day: the cell of ours or on time, then those that settled late.
  private var cells: [[Int64]] = []

  /// - Parameter rows: by line, day and period.
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
    // A day on which nothing settled in time has no such cell.
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

  /// Units that moved by days, or settled late; those of one cell are proved.
  var pairs: [Pair] {
    DayFlow.pairs(days).filter { $0.sold != $0.booked || $0.part > 0 }.map {
      Pair(ours: cells[$0.sold][0], theirs: cells[$0.booked][$0.part], units: $0.units)
    }
  }
}

internal import Postgres

/// The planner settings of a tie-out.
enum TieoutPlans {
  /// Settings for every statement. Whole tables are hashed by the columns of a cell, because the planner misestimates columns that depend
  /// on each other. A small sample suffices for working tables, of which only the size matters.
  static let all = """
    set local work_mem = '256MB'; set local default_statistics_target = 10;
    set local enable_nestloop = off; set local enable_mergejoin = off; set local enable_sort = on;
    set local cpu_operator_cost = 0.0025; set local random_page_cost to default
    """

  /// Returns additional settings from a line in the header of an SQL file: `-- planner: set local enable_sort = off`. Each must also be
  /// in `all`, which restores it afterwards.
  static func own(_ text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
  }

  private static let mark = "-- planner: "
}

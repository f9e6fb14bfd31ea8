internal import Postgres

/// What the planner is told while a period is tied out.
enum TieoutPlans {
  /// For every statement: whole tables are grouped and joined by what makes a cell, so that hashing fits, whatever the planner guesses of
  /// columns that depend on each other. A small sample of a work table tells how large it is, and no more is asked.
  static let all = """
    set local work_mem = '256MB'; set local default_statistics_target = 10;
    set local enable_nestloop = off; set local enable_mergejoin = off; set local enable_sort = on;
    set local cpu_operator_cost = 0.0025; set local random_page_cost to default
    """

  /// For a file's own statement besides, as a line of its head says: `-- planner: set local enable_sort = off`. Each setting stands in
  /// `all`, too, which holds again after it.
  static func own(_ text: String) -> String? {
    text.split(separator: "\n").first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
  }

  private static let mark = "-- planner: "
}

/// What the planner is told while a period is tied out.
enum TieoutPlans {
  /// For every statement: whole tables are grouped and joined by what makes a cell, so that hashing fits, whatever the planner guesses of
  /// columns that depend on each other. A small sample of a work table tells how large it is, and no more is asked.
  static let all = """
    set local work_mem = '256MB'; set local default_statistics_target = 10;
    set local enable_nestloop = off; set local enable_mergejoin = off; set local enable_sort = on
    """

  /// For a file's own statement instead; each setting stands in `all`, too.
  static let own = [
    // Few cells or findings beside the charges among which they may be looked up: both ways are open. What is hashed is the few.
    "50_candidates": "set local enable_nestloop = on; set local work_mem = '16MB'",
    "81_charge_findings": "set local enable_nestloop = on",
    "83_latest_events": "set local enable_nestloop = on",
    // Many rows come to few lines: hashed, not sorted, however many lines the planner expects.
    "91_bridge": "set local enable_sort = off",
  ]
}

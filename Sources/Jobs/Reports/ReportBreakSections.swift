internal import Domain

/// The tables of the break list.
extension ReportPage {
  static let buckets: [(label: String, count: String, amount: String)] = [
    ("0–1 d", "count_0_1", "amount_0_1_milliunits"), ("2–7 d", "count_2_7", "amount_2_7_milliunits"),
    ("8–30 d", "count_8_30", "amount_8_30_milliunits"), ("31–60 d", "count_31_60", "amount_31_60_milliunits"),
    ("> 60 d", "count_over_60", "amount_over_60_milliunits"),
  ]

  var ageingTable: ReportSection {
    var previous = ""
    var rows = contents.ageing.records.map { row in
      let name = row.text("class")
      let currency = row.text("currency")
      let isFirst = name != previous
      previous = name
      let lead = [
        Cell(text: isFirst ? name : "", style: "id"),
        Cell(
          text: isFirst ? row.text("severity") : "",
          style: isFirst ? "severity \(row.text("severity"))" : ""),
        Cell(text: currency.isEmpty ? "–" : currency),
      ]
      let aged = Self.buckets.map { bucket in
        Cell.number(row.int(bucket.count), small: small(row.int(bucket.amount), currency))
      }
      let movement = ["opening_count", "new_count", "resolved_count"].map { Cell.number(row.int($0)) }
      let closing = Cell(
        text: Self.grouped(row.int("closing_count")),
        small: small(row.int("closing_amount_milliunits"), currency),
        style: "n total")
      let oldest = Cell.id(row.text("oldest_opened_on"), small: String(row.text("oldest_id").prefix(12)))
      return (cells: lead + aged + movement + [closing, oldest], style: isFirst ? "first" : "")
    }
    if rows.count > 1 { rows.append(totalRow) }
    let head =
      [Cell(text: "Class"), Cell(text: "Severity"), Cell(text: "Currency")]
      + (Self.buckets.map(\.label) + ["Opening", "New", "Resolved", "Closing"]).map {
        Cell(text: $0, style: "n")
      }
      + [Cell(text: "Oldest")]
    return ReportSection(
      title: "Breaks by class and age",
      note: "Counts with amounts below. Opening is 24 hours before the clock of this report; "
        + "closing = opening + new − resolved. Sandbox breaks are counted and carry no money.",
      head: head, rows: rows, empty: "There are no breaks, and there were none yesterday.")
  }

  private var totalRow: (cells: [Cell], style: String) {
    let records = contents.ageing.records
    let sum = { (column: String) in Cell.number(records.reduce(0) { $0 + $1.int(column) }) }
    let counts =
      Self.buckets.map(\.count) + ["opening_count", "new_count", "resolved_count", "closing_count"]
    return (
      [Cell(text: "All classes"), Cell(text: ""), Cell(text: "")] + counts.map(sum) + [Cell(text: "")], "sum"
    )
  }

  private func small(_ milliunits: Int64, _ currency: String) -> String {
    milliunits == 0 ? "" : Self.amount(milliunits, currency)
  }

  var topTable: ReportSection {
    let rows = contents.top.records.map { row in
      (
        cells: [
          Cell(text: Self.money(row.int("amount_milliunits"), row.text("currency")), style: "n total"),
          Cell(text: row.text("class"), style: "id"),
          Cell(text: row.text("severity"), style: "severity \(row.text("severity"))"),
          Cell(text: "\(row.int("age_days"))", style: "n"), .id(row.text("bundle_id")),
          .id(row["order_id"] ?? "no order", small: row.text("user_id")),
          .id(row["transaction_id"] ?? "no transaction"), Cell(text: row.text("owner_team")),
          Cell(text: row.text("detail")),
        ], style: ""
      )
    }
    return ReportSection(
      title: "Most money at stake",
      note:
        "At most \(ReportContents.topRowsMax) open Production breaks. Currencies are not converted: the "
        + "largest of each come first.",
      head: [
        Cell(text: "Amount", style: "n"), Cell(text: "Class"), Cell(text: "Severity"),
        Cell(text: "Days", style: "n"),
        Cell(text: "App"), Cell(text: "Order and user"), Cell(text: "Transaction"), Cell(text: "Team"),
        Cell(text: "What"),
      ], rows: rows, empty: "No open break carries money.")
  }

  var breakTable: ReportSection {
    let rows = contents.breaks.records.map { row in
      let currency = row.text("currency")
      let amount =
        row["amount_milliunits"].map { _ in Self.money(row.int("amount_milliunits"), currency) } ?? "–"
      let difference = row.int("diff_amount_milliunits")
      let isLate = row["sla_state"] == "breached"
      return (
        cells: [
          .id(row.text("class"), small: String(row.text("break_id").prefix(12))),
          Cell(text: row.text("severity"), style: "severity \(row.text("severity"))"),
          Cell(text: row.text("status")),
          Cell(text: "\(row.int("age_days"))", small: row.text("opened_on"), style: "n"),
          Cell(
            text: amount, small: difference == 0 ? "" : "difference \(Self.amount(difference, currency))",
            style: "n"),
          .id(row["order_id"] ?? "no order", small: row.text("user_id")),
          .id(row["transaction_id"] ?? "no transaction", small: row.text("product_id")),
          Cell(
            text: row.text("owner_team"),
            small: row["resolved_at"].map { "resolved \(Self.minute($0))" } ?? due(row),
            style: isLate ? "fix late" : "fix"),
          Cell(text: row.text("detail"), small: row.text("runbook")),
        ], style: row["status"] == "resolved" ? "done" : ""
      )
    }
    return ReportSection(
      title: "Break list", note: listNote(shown: rows.count),
      head: [
        Cell(text: "Class and id"), Cell(text: "Severity"), Cell(text: "Status"),
        Cell(text: "Days", style: "n"),
        Cell(text: "Amount", style: "n"), Cell(text: "Order and user"), Cell(text: "Transaction"),
        Cell(text: "Team and due"), Cell(text: "What, and what to do"),
      ], rows: rows, empty: "No break is open.")
  }

  private func due(_ row: ReportRecord) -> String {
    let date = row.text("due_at").prefix(10)
    return row["sla_state"] == "breached" ? "overdue since \(date)" : "due \(date)"
  }

  private func listNote(shown: Int) -> String {
    let order = "Most severe first, then oldest; breaks that resolved in the last 24 hours come last."
    guard contents.breakCount > shown else { return order }
    let rest = hasCSV ? "breaks.csv has all of them" : "write the report with --format csv for all of them"
    let all = Self.grouped(Int64(contents.breakCount))
    return "\(order) The first \(Self.grouped(Int64(shown))) of \(all); \(rest)."
  }
}

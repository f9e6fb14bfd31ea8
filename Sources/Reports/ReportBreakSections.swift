internal import Domain
internal import JobCore

/// The tables of the break list.
extension ReportPage {
  static let buckets: [(label: String, count: String, amount: String)] = [
    ("0–1 d", "count_0_1", "amount_0_1_milliunits"), ("2–7 d", "count_2_7", "amount_2_7_milliunits"),
    ("8–30 d", "count_8_30", "amount_8_30_milliunits"), ("31–60 d", "count_31_60", "amount_31_60_milliunits"),
    ("> 60 d", "count_over_60", "amount_over_60_milliunits"),
  ]

  var ageingTable: ReportSection {
    get throws {
      var previous = ""
      var rows = try contents.ageing.records.map { row in
        let name = try row.text("class")
        let currency = try row.text("currency")
        let isFirst = name != previous
        let rowsBehind = classAnchor(name)
        previous = name
        let lead = try [
          Cell(text: isFirst ? name : "", small: isFirst ? explanation(of: name) : "", style: "id class"),
          Cell(
            text: isFirst ? row.text("severity") : "",
            style: isFirst ? "severity \(row.text("severity"))" : ""),
          Cell(text: currency.isEmpty ? "–" : currency),
        ]
        let aged = try Self.buckets.map { bucket in
          try Cell.number(row.int(bucket.count), small: small(row.int(bucket.amount), currency))
            .rows(command(.ageing), row, bucket.count, small: bucket.amount).leading(to: rowsBehind)
        }
        let movement = try ["opening_count", "new_count", "resolved_count"].map {
          try Cell.number(row.int($0)).rows(command(.ageing), row, $0).leading(to: rowsBehind)
        }
        let decided = try Cell.number(row.int("decided_count"), small: small(row.int("decided_amount_milliunits"), currency))
          .rows(command(.ageing), row, "decided_count", small: "decided_amount_milliunits").leading(to: rowsBehind)
        let closing = try Cell(
          text: Self.grouped(row.int("closing_count")),
          small: small(row.int("closing_amount_milliunits"), currency),
          style: "n total"
        ).rows(command(.ageing), row, "closing_count", small: "closing_amount_milliunits").leading(to: rowsBehind)
        let oldest = try Cell.id(row.text("oldest_opened_on"), small: String(row.text("oldest_id").prefix(12)))
          .opening(nil, small: console?.breakPage(row.text("oldest_id")))
        return (cells: lead + aged + [decided] + movement + [closing, oldest], style: isFirst ? "first" : "")
      }
      if rows.count > 1 { try rows.append(totalRow) }
      let head =
        [Cell(text: "Class"), Cell(text: "Severity"), Cell(text: "Currency")]
        + (Self.buckets.map { $0.label.replacing(" ", with: "\u{A0}") } + ["Decided", "Opening", "New", "Resolved", "Closing"]).map {
          Cell(text: $0, style: "n")
        }
        + [Cell(text: "Oldest")]
      return ReportSection(
        title: "Breaks by class and age",
        note: "Undecided breaks by age, with amounts below; what people accepted, dismissed or wrote off stands under decided. "
          + "Opening is 24 hours before the clock of this report; closing = opening + new − resolved = undecided + decided, "
          + "its amount is of the undecided. A break that changed its class or currency is resolved in one row and new in "
          + "another. Sandbox breaks are counted and carry no money. \(command(.ageing).note)",
        head: head, rows: rows, empty: empty("There are no breaks, and there were none yesterday."))
    }
  }

  private var totalRow: (cells: [Cell], style: String) {
    get throws {
      let records = contents.ageing.records
      let sum = { (column: String) in try Cell.number(records.reduce(0) { try $0 + $1.int(column) }) }
      let counts =
        Self.buckets.map(\.count) + ["decided_count", "opening_count", "new_count", "resolved_count", "closing_count"]
      return try (
        [Cell(text: "All classes"), Cell(text: ""), Cell(text: "")] + counts.map(sum) + [Cell(text: "")], "sum"
      )
    }
  }

  private func small(_ milliunits: Int128, _ currency: String) -> String {
    milliunits == 0 ? "" : Self.amount(milliunits, currency)
  }

  var topTable: ReportSection {
    get throws {
      let rows = try contents.top.records.map { row in
        try (
          cells: [
            Cell(text: Self.money(row.int("amount_milliunits"), row.text("currency")), style: "n total"),
            Cell(text: row.text("class"), style: "id").leading(to: classAnchor(row.text("class"))),
            Cell(text: row.text("severity"), style: "severity \(row.text("severity"))"),
            Cell(text: "\(row.int("age_days"))", style: "n"), .id(row.text("bundle_id")),
            order(row), .id(row["transaction_id"] ?? "no transaction").opening(console?.search(row["transaction_id"])),
            Cell(text: row.text("owner_team")),
            Cell(text: row.text("detail")),
          ], style: ""
        )
      }
      return ReportSection(
        title: "Most money at stake",
        note:
          "At most \(ReportContents.topRowsMax) undecided Production breaks. Currencies are not converted: the "
          + "largest of each come first.",
        head: [
          Cell(text: "Amount", style: "n"), Cell(text: "Class"), Cell(text: "Severity"),
          Cell(text: "Days", style: "n"),
          Cell(text: "App"), Cell(text: "Order and user"), Cell(text: "Transaction"), Cell(text: "Team"),
          Cell(text: "What"),
        ], rows: rows, empty: empty("No undecided break carries money."))
    }
  }

  var breakTable: ReportSection {
    get throws {
      return try ReportSection(
        title: "Break list", note: listNote(shown: contents.breaks.rows.count), head: Self.breakHead,
        rows: contents.breaks.records.map(breakRow), empty: empty("No break is open."))
    }
  }

  static let breakHead = [
    Cell(text: "Class and id"), Cell(text: "Severity"), Cell(text: "Status"), Cell(text: "Days", style: "n"),
    Cell(text: "Amount", style: "n"), Cell(text: "Order and user"), Cell(text: "Transaction"), Cell(text: "Team and due"),
    Cell(text: "What, and what to do"),
  ]

  func breakRow(_ row: ReportRecord) throws -> (cells: [Cell], style: String) {
    let currency = try row.text("currency")
    let amount = try row["amount_milliunits"].map { _ in try Self.money(row.int("amount_milliunits"), currency) } ?? "–"
    let difference = try row.int("diff_amount_milliunits")
    let isLate = try row["sla_state"] == "breached"
    return try (
      cells: [
        .id(row.text("class"), small: String(row.text("break_id").prefix(12)))
          .opening(nil, small: console?.breakPage(row.text("break_id"))),
        Cell(text: row.text("severity"), style: "severity \(row.text("severity"))"),
        Cell(text: row.text("status").replacing("_", with: " "), small: decision(row)),
        Cell(text: "\(row.int("age_days"))", small: row.text("opened_on"), style: "n"),
        Cell(
          text: amount, small: difference == 0 ? "" : "difference \(Self.amount(difference, currency))",
          style: "n"),
        order(row),
        .id(row["transaction_id"] ?? "no transaction", small: row.text("product_id"))
          .opening(console?.search(row["transaction_id"])),
        Cell(
          text: row.text("owner_team"),
          small: row["resolved_at"].map { "resolved \(Self.minute($0))" } ?? (row["case_id"] == nil ? due(row) : ""),
          style: isLate ? "fix late" : "fix"),
        Cell(text: row.text("detail"), small: row["reason"] ?? row.text("runbook")),
      ], style: row["status"] == "resolved" || row["case_id"] != nil ? "done" : ""
    )
  }

  /// What a table says that has no rows; with input missing, nobody knows whether it should have some.
  private func empty(_ text: String) -> String {
    header.verdict >= .incomplete ? "Not known: input is missing." : text
  }

  /// Who decided, and until when it holds.
  private func decision(_ row: ReportRecord) throws -> String {
    guard try row["case_id"] != nil else { return "" }
    let people = try [row["decided_by"], row["approved_by"]].compactMap(\.self).joined(separator: " and ")
    return try "by \(people)" + (row["until"].map { ", until \(Self.minute($0))" } ?? "")
  }

  private func due(_ row: ReportRecord) throws -> String {
    let date = try row.text("due_at").prefix(10)
    return try row["sla_state"] == "breached" ? "overdue since \(date)" : "due \(date)"
  }

  private func listNote(shown: Int) -> String {
    let order =
      "Undecided first, most severe, then oldest; decided ones follow, and what resolved in the last 24 hours comes last."
    guard contents.breakCount > shown else { return order }
    let rest = hasCSV ? "breaks.csv has all of them" : "write the report with --format csv for all of them"
    let all = Self.grouped(Int128(contents.breakCount))
    return "\(order) The first \(Self.grouped(Int128(shown))) of \(all); \(rest)."
  }
}

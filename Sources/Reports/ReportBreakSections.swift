internal import Domain
internal import JobCore
internal import Wording

/// The tables about breaks.
extension ReportPage {
  static let buckets: [(label: Phrase, count: String, amount: String)] = [
    ("age.0_1", "count_0_1", "amount_0_1_milliunits"), ("age.2_7", "count_2_7", "amount_2_7_milliunits"),
    ("age.8_30", "count_8_30", "amount_8_30_milliunits"), ("age.31_60", "count_31_60", "amount_31_60_milliunits"),
    ("age.over_60", "count_over_60", "amount_over_60_milliunits"),
  ]

  func ageingTable() throws -> ReportSection {
    var previous = ""
    var rows = try contents.ageing.records.map { row in
      let name = try row.text("class")
      let currency = try row.text("currency")
      let isFirst = name != previous
      let rowsBehind = classAnchor(name)
      previous = name
      let lead = try [
        Cell(text: isFirst ? name : "", small: isFirst ? explanation(of: name) : "", style: "id class"),
        Cell(text: isFirst ? words.name("word", row.text("severity")) : "", style: isFirst ? "severity \(row.text("severity"))" : ""),
        Cell(text: currency.isEmpty ? "–" : currency),
      ]
      let aged = try Self.buckets.map { bucket in
        try Cell.number(row.int(bucket.count), small: small(row.int(bucket.amount), currency))
          .rows(command(.ageing), row, bucket.count, small: bucket.amount).linked(to: rowsBehind)
      }
      let movement = try ["opening_count", "new_count", "resolved_count"].map {
        try Cell.number(row.int($0)).rows(command(.ageing), row, $0).linked(to: rowsBehind)
      }
      let decided = try Cell.number(row.int("decided_count"), small: small(row.int("decided_amount_milliunits"), currency))
        .rows(command(.ageing), row, "decided_count", small: "decided_amount_milliunits").linked(to: rowsBehind)
      let closing = try Cell(
        text: Self.grouped(row.int("closing_count")),
        small: small(row.int("closing_amount_milliunits"), currency),
        style: "n total"
      ).rows(command(.ageing), row, "closing_count", small: "closing_amount_milliunits").linked(to: rowsBehind)
      let oldest = try Cell.id(row.text("oldest_opened_on"), small: String(row.text("oldest_id").prefix(12)))
        .linkedToConsole(nil, small: console?.breakPage(row.text("oldest_id")))
      return Row(lead + aged + [decided] + movement + [closing, oldest], style: isFirst ? "first" : "")
    }
    if rows.count > 1 { try rows.append(totalRow()) }
    let head =
      words.heads(["head.class", "head.severity", "head.currency"])
      + Self.buckets.map { Cell(text: words($0.label).replacing(" ", with: "\u{A0}"), style: "n") }
      + words.heads([], ["head.decided", "head.opening", "head.new", "head.resolved", "head.closing"])
      + words.heads(["head.oldest"])
    return ReportSection(
      title: "ageing.title", note: words("ageing.note", ["rows": rowsNote(.ageing)]), head: head, rows: rows,
      empty: empty("ageing.none"))
  }

  private func totalRow() throws -> Row {
    let records = contents.ageing.records
    let sum = { (column: String) in try Cell.number(records.sum(column)) }
    let counts = Self.buckets.map(\.count) + ["decided_count", "opening_count", "new_count", "resolved_count", "closing_count"]
    return try Row([Cell(text: words("ageing.all")), Cell(text: ""), Cell(text: "")] + counts.map(sum) + [Cell(text: "")], style: "sum")
  }

  /// Formats an amount for the second line of a cell; empty for 0.
  func small(_ milliunits: Int128, _ currency: String) -> String {
    milliunits == 0 ? "" : Self.amount(milliunits, currency)
  }

  func topTable() throws -> ReportSection {
    let rows = try contents.top.records.map { row in
      try Row([
        Cell(text: Self.money(row.int("amount_milliunits"), row.text("currency")), style: "n total"),
        Cell(text: row.text("class"), style: "id").linked(to: classAnchor(row.text("class"))),
        Cell(text: words.name("word", row.text("severity")), style: "severity \(row.text("severity"))"),
        Cell(text: "\(row.int("age_days"))", style: "n"), .id(row.text("bundle_id")),
        order(row), .id(row["transaction_id"] ?? words("cell.no_transaction")).linkedToConsole(console?.search(row["transaction_id"])),
        Cell(text: words.name("word", row.text("owner_team"))),
        Cell(text: words(contents.top.phrase("detail", row.text("detail"))), style: "what"),
      ])
    }
    return ReportSection(
      title: "top.title", note: words("top.note", ["max": "\(ReportContents.topRowsMax)"]),
      head: words.heads([], ["head.amount"]) + words.heads(["head.class", "head.severity"], ["head.days"])
        + words.heads(["head.app", "head.order", "head.transaction", "head.team", "head.what"]),
      rows: rows, empty: empty("top.none"))
  }

  func breakTable() throws -> ReportSection {
    try ReportSection(
      title: "list.title", note: listNote, head: breakHead, rows: contents.breaks.rows.map(breakRow), empty: empty("list.none"))
  }

  var breakHead: [Cell] {
    words.heads(["head.class_and_id", "head.severity", "head.status"], ["head.days", "head.amount"])
      + words.heads(["head.order", "head.transaction", "head.team_and_due", "head.what_to_do"])
  }

  func breakRow(_ row: ReportRecord) throws -> Row {
    let currency = try row.text("currency")
    let difference = try row.int("diff_amount_milliunits")
    let isLate = try row["sla_state"] == "breached"
    return try Row(
      [
        .id(row.text("class"), small: String(row.text("break_id").prefix(12)))
          .linkedToConsole(nil, small: console?.breakPage(row.text("break_id"))),
        Cell(text: words.name("word", row.text("severity")), style: "severity \(row.text("severity"))"),
        Cell(
          text: words.name("state", row.text("status"), otherwise: row.text("status").replacing("_", with: " ")), small: decision(row),
          style: "status"),
        Cell(text: "\(row.int("age_days"))", small: row.text("opened_on"), style: "n"),
        Cell(
          text: money(row, "amount", "currency"),
          small: difference == 0 ? "" : words("list.difference", ["amount": Self.amount(difference, currency)]), style: "n"),
        order(row),
        .id(row["transaction_id"] ?? words("cell.no_transaction"), small: row.text("product_id"))
          .linkedToConsole(console?.search(row["transaction_id"])),
        Cell(
          text: words.name("word", row.text("owner_team")),
          small: row["resolved_at"].map { words("list.resolved", ["at": Self.minute($0)]) } ?? (row["case_id"] == nil ? due(row) : ""),
          style: isLate ? "fix late" : "fix"),
        Cell(
          text: words(Phrase(json: row.text("detail"))),
          small: row["reason"] ?? words.name("runbook", row.text("class"), otherwise: row.text("runbook")), style: "what"),
      ], style: row["status"] == "resolved" || row["case_id"] != nil ? "done" : "")
  }

  /// Returns the text of a table without rows. With missing input, it is unknown whether there are rows.
  private func empty(_ text: Phrase) -> String { words(header.verdict >= .incomplete ? "list.not_known" : text) }

  /// Returns the deciding reviewers, and the end of the decision's validity.
  private func decision(_ row: ReportRecord) throws -> String {
    guard try row["case_id"] != nil else { return "" }
    let (decider, approver) = try (row["decided_by"], row["approved_by"])
    let people = [decider, approver].compactMap(\.self)
    let both = people.count < 2 ? people.joined() : words("list.and", ["first": people[0], "second": people[1]])
    guard let until = try row["until"] else { return words("list.by", ["people": both]) }
    return words("list.by_until", ["people": both, "at": Self.minute(until)])
  }

  private func due(_ row: ReportRecord) throws -> String {
    let date = try row.text("due_at").prefix(10)
    return try words(row["sla_state"] == "breached" ? "list.overdue" : "list.due", ["day": String(date)])
  }

  private var listNote: String {
    let (shown, all) = (contents.breaks.rows.count, contents.breaks.count)
    guard all > shown else { return words("list.note") }
    let arguments = ["count": Self.grouped(Int128(shown)), "all": Self.grouped(Int128(all))]
    return words("list.note") + " " + words(hasCSV ? "list.more_csv" : "list.more_command", arguments)
  }
}

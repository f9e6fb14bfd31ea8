/// One table of the page.
struct ReportSection {
  struct Cell {
    var text: String
    /// A second, smaller line; empty for none.
    var small = ""
    /// Classes of the cell: `n` for figures, `id` for identifiers, `zero`, `alarm`, `good`.
    var style = ""

    static func number(_ value: Int128, small: String = "") -> Cell {
      Cell(
        text: value == 0 ? "·" : ReportPage.grouped(value), small: small, style: value == 0 ? "n zero" : "n")
    }

    static func amount(_ value: Int128, _ currency: String, alarm: Bool = false) -> Cell {
      Cell(
        text: value == 0 ? "·" : ReportPage.amount(value, currency),
        style: value == 0 ? "n zero" : alarm ? "n alarm" : "n")
    }

    static func id(_ text: String, small: String = "") -> Cell { Cell(text: text, small: small, style: "id") }
  }

  var title: String
  /// What the table says and where the rest of it is.
  var note: String
  var head: [Cell]
  var rows: [(cells: [Cell], style: String)]
  /// Said in place of an empty table.
  var empty: String

  var model: [String: Any] {
    [
      "title": title, "note": note, "head": head.map(Self.cell), "has_rows": !rows.isEmpty, "empty": empty,
      "rows": rows.map { ["class": $0.style, "cells": $0.cells.map(Self.cell)] as [String: Any] },
    ]
  }

  /// What became of so many checks of one sum.
  static func identityResult(of count: Int, failed: Int) -> Cell {
    guard count > 0 else { return Cell(text: "nothing to check") }
    return failed == 0 ? Cell(text: "✓ holds in all", style: "good") : Cell(text: "✗ fails in \(failed)", style: "alarm")
  }

  private static func cell(_ cell: Cell) -> [String: Any] {
    ["text": cell.text, "small": cell.small, "has_small": !cell.small.isEmpty, "class": cell.style]
  }
}

/// The tables of the daily summary.
extension ReportPage {
  typealias Cell = ReportSection.Cell

  private var production: [ReportRecord] {
    contents.daily.records.filter { $0["environment"] == "Production" }
  }

  private func heads(_ left: [String], _ right: [String]) -> [Cell] {
    left.map { Cell(text: $0) } + right.map { Cell(text: $0, style: "n") }
  }

  /// The days of each slice, then what is known to date.
  private func byScope(
    isShown: (ReportRecord) -> Bool = { _ in true }, _ cells: (ReportRecord) -> [Cell]
  ) -> [(cells: [Cell], style: String)] {
    var rows: [(cells: [Cell], style: String)] = []
    for (scope, label) in [("day", "business day"), ("to_date", "to date")] {
      for (index, row) in production.filter({ $0["scope"] == scope && isShown($0) }).enumerated() {
        let lead = [
          Cell(text: index == 0 ? label : ""), Cell(text: row.text("bundle_id"), style: "id"),
          Cell(text: row["currency"] ?? "no currency"),
        ]
        rows.append((lead + cells(row), index == 0 ? "first" : ""))
      }
    }
    return rows
  }

  var dayTable: ReportSection {
    let counted = { (row: ReportRecord, name: String) in
      Cell.number(
        row.int("\(name)_count"),
        small: row.int("\(name)_amount_milliunits") == 0
          ? "" : Self.amount(row.int("\(name)_amount_milliunits"), row.text("currency")))
    }
    let rows = byScope(isShown: { $0.int("tx_count") + $0.int("order_count") > 0 }) { row -> [Cell] in
      let names = [
        "tx", "order", "matched_exact", "matched_derived", "matched_heuristic", "ambiguous", "pending",
        "broken",
      ]
      let usual = row["match_rate_p50_28d_bp"].flatMap { Int128($0) }
      let rate = row["match_rate_count_bp"].flatMap { Int128($0) }
      return names.map { counted(row, $0) } + [
        .number(row.int("excluded_count")), counted(row, "refund"), counted(row, "late_arrivals"),
        Cell(
          text: rate.map { Self.percent(basisPoints: $0) } ?? "–",
          small: usual.map { "usual \(Self.percent(basisPoints: $0))" } ?? "", style: "n"),
      ]
    }
    return ReportSection(
      title: "Charges and orders",
      note:
        "Production only; counts with amounts below. Exact is M1–M2, derived M3–M5 and what two people decided (M0), "
        + "heuristic M6. Excluded: family-shared and free, which Apple charged counts, too. A matched order counts on the "
        + "day of its charge. Late: of earlier days, first seen in the last 24 hours. The usual rate is "
        + "the median of the 28 days before. \(sandboxNote)",
      head: heads(
        ["Scope", "App", "Currency"],
        [
          "Apple charged", "We booked", "Exact", "Derived", "Heuristic", "Ambiguous", "Pending", "Broken",
          "Excluded", "Refunds", "Late", "Matched",
        ]), rows: rows, empty: "No charges and no orders are known.")
  }

  private var sandboxNote: String {
    let rows = contents.daily.records.filter { $0["scope"] == "to_date" && $0["environment"] != "Production" }
    let count = rows.reduce(0) { $0 + $1.int("sandbox_count") }
    return count == 0
      ? "No sandbox purchase is known." : "\(Self.grouped(count)) sandbox purchases stand apart."
  }

  var bridgeTable: ReportSection {
    let rows = byScope(isShown: { row in
      row.int("bridge_apple_milliunits") != 0
        || ReportIdentity.bridgeLines.contains { row.int($0.column) != 0 }
    }) { row -> [Cell] in
      let currency = row.text("currency")
      return ReportIdentity.bridgeLines.map { .amount(row.int($0.column) * $0.sign, currency) } + [
        .amount(row.int("bridge_unexplained_milliunits"), currency, alarm: true),
        Cell(text: Self.amount(row.int("bridge_apple_milliunits"), currency), style: "n total"),
      ]
    }
    return ReportSection(
      title: "Bridge from our book to Apple's",
      note:
        "Gross sales; each figure comes from its own query. What is left over is printed as unexplained, "
        + "never spread over other lines.",
      head: heads(
        ["Scope", "App", "Currency"], ReportIdentity.bridgeLines.map(\.label) + ["Unexplained", "= Apple"]),
      rows: rows, empty: "No money is known on either side.")
  }

  var identityTable: ReportSection {
    let groups = [
      ("charges", "charges = exact + derived + heuristic + ambiguous + pending + broken + excluded"),
      ("breaks", "open today = open yesterday + new − resolved"),
      ("decisions", "open = undecided + decided"),
      ("bridge", "our book + open lines = Apple, nothing unexplained"),
    ]
    var rows: [(cells: [Cell], style: String)] = groups.map { name, formula in
      let checks = contents.identities.filter { $0.name == name }
      let failed = checks.filter { !$0.holds }.count
      return (
        [
          Cell(text: name), Cell(text: formula), Cell.number(Int128(checks.count)),
          ReportSection.identityResult(of: checks.count, failed: failed),
        ], ""
      )
    }
    for check in contents.identities.filter({ !$0.holds }).prefix(Self.failuresMax) {
      let place = ["scope", "bundle_id", "environment", "currency"].compactMap { check.slice[$0] }
      rows.append(
        (
          [
            Cell(text: ""), Cell(text: check.formula, small: place.joined(separator: " · ")), Cell(text: ""),
            Cell(text: "✗ difference \(difference(check))", style: "alarm"),
          ], "detail"
        ))
    }
    return ReportSection(
      title: "Identities",
      note:
        "Sums that must hold in every scope, app and currency; a failing one shows its numbers.",
      head: [
        Cell(text: "Identity"), Cell(text: "Sum"), Cell(text: "Checked", style: "n"), Cell(text: "Result"),
      ],
      rows: rows, empty: "")
  }

  private func difference(_ check: ReportIdentity) -> String {
    let value = check.left - check.right
    return check.name == "bridge" ? Self.money(value, check.slice.text("currency")) : Self.grouped(value)
  }

  var inputTable: ReportSection {
    let records = contents.inputs.records
    let rows = records.prefix(Self.inputsMax).map { row in
      (
        cells: [
          Cell(text: row.text("kind")), .id(row.text("file_name"), small: row.text("sha256")),
          .number(row.int("input_count")), .number(row.int("accepted_count")),
          .number(row.int("repeated_count")),
          .number(row.int("ignored_count")), .number(row.int("parked_count")),
          Cell(text: row["newest_fact_at"].map(Self.minute) ?? "–"),
          Cell(text: row["age_minutes"].flatMap { Int128($0) }.map(Self.age) ?? "–", style: "n"),
        ], style: ""
      )
    }
    let more =
      records.count > rows.count ? " The first \(rows.count) of \(records.count); inputs.csv has all." : ""
    return ReportSection(
      title: "What this report rests on",
      note:
        "Inputs with their SHA-256; the age is that of the newest fact at the clock of this report.\(more)",
      head: heads(["Kind", "File and SHA-256"], ["Items", "Accepted", "Repeated", "Ignored", "Parked"])
        + [Cell(text: "Newest fact"), Cell(text: "Age", style: "n")],
      rows: rows, empty: "No input was read yet.")
  }

  /// `35 min`, `7 h`, `3 d`.
  private static func age(_ minutes: Int128) -> String {
    if minutes < 120 { return "\(minutes) min" }
    return minutes < 2880 ? "\(minutes / 60) h" : "\(minutes / 1440) d"
  }
}

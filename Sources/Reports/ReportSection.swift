internal import JobCore
internal import Wording

/// One table of the page.
struct ReportSection {
  struct Cell {
    var text: String
    /// A second, smaller line; empty for none.
    var small = ""
    /// CSS classes of the cell: `n` for figures, `id` for identifiers, `zero`, `alarm`, `good`.
    var style = ""
    /// Anchor of the table with the rows behind the figure; nil for none.
    var target: String?
    /// Commands that list the rows behind the figure and behind the second line; nil for none.
    var command: String?
    var smallCommand: String?
    /// Console pages to which the text and the second line link; nil for none. They take precedence over tables of this page.
    var link: String?
    var smallLink: String?

    static func number(_ value: Int128, small: String = "") -> Cell {
      Cell(text: value == 0 ? "·" : ReportPage.grouped(value), small: small, style: value == 0 ? "n zero" : "n")
    }

    static func amount(_ value: Int128, _ currency: String, alarm: Bool = false) -> Cell {
      Cell(text: value == 0 ? "·" : ReportPage.amount(value, currency), style: value == 0 ? "n zero" : alarm ? "n alarm" : "n")
    }

    /// Severity that the cell shows as a badge; nil for none.
    var severity: Substring? { style.hasPrefix("severity ") ? style.split(separator: " ").last : nil }

    var isFigure: Bool { style == "n" || style.hasPrefix("n ") }

    /// The text and the small text, each with the key of its column of figures and currency.
    fileprivate var amounts: [(key: String, text: String)] {
      [(String(text.drop { $0 != "\u{A0}" }), text), ("small" + small.drop { $0 != "\u{A0}" }, small)]
    }

    /// Returns the cell as a link to the rows behind it, if there are rows and the figure is not 0.
    func linked(to target: String?) -> Cell {
      guard text != "·", text != "0" else { return self }
      var cell = self
      cell.target = target
      return cell
    }

    /// Returns the cell with links of its text and second line to the review console.
    func linkedToConsole(_ page: String?, small: String? = nil) -> Cell {
      var cell = self
      (cell.link, cell.smallLink) = (page, small)
      return cell
    }

    static func id(_ text: String, small: String = "") -> Cell { Cell(text: text, small: small, style: "id") }
  }

  struct Row {
    var cells: [Cell]
    /// CSS classes of the row: `first`, `sum`, `detail`, `done`; empty for none.
    var style: String

    init(_ cells: [Cell], style: String = "") { (self.cells, self.style) = (cells, style) }
  }

  /// Maximum number of figures per table with a command, which limits the size of the page.
  static let commandsMax = 500
  /// Maximum number of figures and ids per table with a link to the review console.
  static let linksMax = 5000

  var title: Phrase
  /// A description of the table and the source of omitted rows.
  var note: String
  var head: [Cell]
  var rows: [Row]
  /// Text that replaces an empty table.
  var empty: String
  /// Number of rows of a folded table, as text; nil for a table that is always open.
  var folded: String?
  /// Whether print shows the rows of a folded table that is closed.
  var isPrinted = true

  /// Anchor of the table for links.
  var anchor: String { folded == nil ? Self.anchor(of: title) : Self.rowsAnchor(of: title) }

  /// Returns the anchor of a folded table.
  static func rowsAnchor(of title: Phrase) -> String { "rows-" + anchor(of: title) }

  /// Returns the anchor of a table, which is the same in every language so that links stay valid.
  static func anchor(of title: Phrase) -> String {
    title.english.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }

  func model(in words: Catalogue) -> [String: Any] {
    let places = amountPlaces
    let rows = withinLimit
    return [
      "title": words(title), "is_folded": folded != nil, "folded": folded ?? "", "is_printed": isPrinted, "anchor": anchor, "note": note,
      "head": head.map(Self.cell), "has_rows": !rows.isEmpty, "empty": empty,
      "rows": rows.map { ["class": $0.style, "cells": zip($0.cells, places).map(Self.cell)] as [String: Any] },
    ]
  }

  /// The rows with at most the maximum number of commands and links.
  private var withinLimit: [Row] {
    var (left, links) = (Self.commandsMax, Self.linksMax)
    return rows.map { row in
      let cells = row.cells.map { cell in
        var cell = cell
        left -= (cell.command == nil ? 0 : 1) + (cell.smallCommand == nil ? 0 : 1)
        if left < 0 { (cell.command, cell.smallCommand) = (nil, nil) }
        links -= (cell.link == nil ? 0 : 1) + (cell.smallLink == nil ? 0 : 1)
        if links < 0 { (cell.link, cell.smallLink) = (nil, nil) }
        return cell
      }
      return Row(cells, style: row.style)
    }
  }

  /// Maximum number of decimals per column and currency, which aligns the decimal points. Text and small text of a cell count separately.
  private var amountPlaces: [[String: Int]] {
    head.indices.map { column in
      rows.reduce(into: [:]) { most, row in
        guard column < row.cells.count, row.cells[column].isFigure else { return }
        for (key, text) in row.cells[column].amounts { most[key] = max(most[key] ?? 0, ReportPage.decimals(text) ?? 0) }
      }
    }
  }

  private static func cell(_ cell: Cell, _ places: [String: Int]) -> [String: Any] {
    guard cell.isFigure else { return Self.cell(cell) }
    var aligned = cell
    let keys = cell.amounts.map(\.key)
    aligned.text = ReportPage.aligned(cell.text, places: places[keys[0]] ?? 0)
    aligned.small = ReportPage.aligned(cell.small, places: places[keys[1]] ?? 0)
    return Self.cell(aligned)
  }

  /// Returns the table of identities, with the numbers of those that fail.
  ///
  /// - Parameters:
  ///   - sums: names of the identities; the catalogue contains their texts.
  ///   - keys: columns that identify the failed slice.
  ///   - anchor: table to which the counts link; nil for none.
  static func identities(
    _ all: [ReportIdentity], sums: [String], keys: [String], note: String, rows anchor: String? = nil, in words: Catalogue,
    difference: (ReportIdentity) throws -> String
  ) throws -> ReportSection {
    var rows = sums.map { name in
      let checks = all.filter { $0.name == name }
      let count = Cell.number(Int128(checks.count)).linked(to: anchor)
      let result = identityResult(of: checks.count, failed: checks.count { !$0.holds }, in: words)
      return Row([Cell(text: words.name("identity", name)), Cell(text: words.name("sum", name)), count, result])
    }
    for check in all.filter({ !$0.holds }).prefix(ReportPage.failuresMax) {
      let slice = try keys.compactMap { try check.slice[$0] }.joined(separator: " · ")
      let result = try Cell(text: words("identities.difference", ["amount": difference(check)]), style: "alarm")
      rows.append(Row([Cell(text: ""), Cell(text: words(check.formula), small: slice), Cell(text: ""), result], style: "detail"))
    }
    let failed = all.count { !$0.holds }
    let more =
      failed > ReportPage.failuresMax
      ? " " + words("note.first_of", ["count": "\(ReportPage.failuresMax)", "all": "\(failed)"]) : ""
    return ReportSection(
      title: "identities.title", note: note + more,
      head: words.heads(["head.identity", "head.sum"], ["head.checked"]) + words.heads(["head.result"]),
      rows: rows, empty: "")
  }

  /// Returns the result cell of one identity's checks.
  static func identityResult(of count: Int, failed: Int, in words: Catalogue) -> Cell {
    guard count > 0 else { return Cell(text: words("identities.none")) }
    return failed == 0
      ? Cell(text: words("identities.hold"), style: "good")
      : Cell(text: words("identities.fail", ["count": "\(failed)"], counting: failed), style: "alarm")
  }

  private static func cell(_ cell: Cell) -> [String: Any] {
    var model: [String: Any] = ["text": cell.text, "small": cell.small, "has_small": !cell.small.isEmpty, "class": cell.style]
    if let severity = cell.severity { model["badge"] = severity }
    if let command = cell.command { model["command"] = command }
    if let command = cell.smallCommand { model["small_command"] = command }
    if let link = cell.smallLink { model["small_link"] = link }
    if let target = cell.link ?? cell.target.map({ "#\($0)" }) {
      // The padding after the decimals is not part of the link.
      let figure = cell.text.prefix { $0 != "\u{2007}" && $0 != "\u{2008}" }
      let isAtEnd = !cell.text.contains("\u{A0}")
      model["target"] = target
      model["text"] = isAtEnd ? String(figure) : cell.text
      model["pad"] = isAtEnd ? String(cell.text.dropFirst(figure.count)) : ""
    }
    return model
  }
}

extension Catalogue {
  /// Returns header cells of text columns, then of figures.
  func heads(_ texts: [Phrase], _ figures: [Phrase] = []) -> [ReportSection.Cell] {
    texts.map { .init(text: self($0)) } + figures.map { .init(text: self($0), style: "n") }
  }
}

/// The tables of the daily summary.
extension ReportPage {
  typealias Cell = ReportSection.Cell
  typealias Row = ReportSection.Row

  private func production() throws -> [ReportRecord] {
    try contents.daily.records.filter { try $0["environment"] == "Production" }
  }

  /// States with a leading blank how many rows the page shows; empty if it shows all.
  func more(_ key: String, shown: Int, of all: Int) -> String {
    all > shown ? " " + words(key, ["count": "\(shown)", "all": "\(all)"]) : ""
  }

  func rowsNote(_ table: FigureTable) -> String { command(table).note(in: words) }

  /// Returns rows by slice: first the last business day, then the totals to date.
  private func byScope(
    isShown: (ReportRecord) throws -> Bool = { _ in true }, _ cells: (ReportRecord) throws -> [Cell]
  ) throws -> [Row] {
    var rows: [Row] = []
    for (scope, label) in [("day", words("scope.day")), ("to_date", words("scope.to_date"))] {
      for (index, row) in try production().filter({ try $0["scope"] == scope && isShown($0) }).enumerated() {
        let lead = try [
          Cell(text: index == 0 ? label : ""), Cell(text: row.text("bundle_id"), style: "id"),
          Cell(text: row["currency"] ?? words("cell.no_currency")),
        ]
        try rows.append(Row(lead + cells(row), style: index == 0 ? "first" : ""))
      }
    }
    return rows
  }

  func command(_ table: FigureTable) -> FigureCommand { header.command(table) }

  func dayTable() throws -> ReportSection {
    let counted = { (row: ReportRecord, name: String) in
      try Cell.number(row.int("\(name)_count"), small: small(row.int("\(name)_amount_milliunits"), row.text("currency")))
        .rows(command(.daily), row, "\(name)_count", small: "\(name)_amount_milliunits")
    }
    let rows = try byScope(isShown: { try $0.int("tx_count") + $0.int("order_count") > 0 }) { row -> [Cell] in
      let names = ["tx", "order", "matched_exact", "matched_derived", "matched_heuristic", "ambiguous", "pending", "broken"]
      let usual = try row["match_rate_p50_28d_bp"].flatMap { Int128($0) }
      let rate = try row["match_rate_count_bp"].flatMap { Int128($0) }
      return try names.map { try counted(row, $0).linked(to: rowsBehind($0, scope: row.text("scope"))) } + [
        .number(row.int("excluded_count")).rows(command(.daily), row, "excluded_count")
          .linked(to: rowsBehind("excluded", scope: row.text("scope"))),
        counted(row, "refund"), counted(row, "late_arrivals"),
        Cell(
          text: rate.map { Self.percent(basisPoints: $0) } ?? "–",
          small: usual.map { words("day.usual", ["rate": Self.percent(basisPoints: $0)]) } ?? "", style: "n"),
      ]
    }
    return try ReportSection(
      title: "day.title", note: words("day.note", ["sandbox": sandboxNote(), "rows": rowsNote(.daily)]),
      head: words.heads(
        ["head.scope", "head.app", "head.currency"],
        [
          "head.charged", "head.booked", "head.exact", "head.derived", "head.heuristic", "head.ambiguous", "head.pending",
          "head.broken", "head.excluded", "head.refunds", "head.late", "head.matched",
        ]), rows: rows, empty: words("day.none"))
  }

  private func sandboxNote() throws -> String {
    let rows = try contents.daily.records.filter { try $0["scope"] == "to_date" && $0["environment"] != "Production" }
    let count = try rows.sum("sandbox_count")
    guard count != 0 else { return words("day.no_sandbox") }
    return words("day.sandbox", ["count": Self.grouped(count)], counting: Int(clamping: count))
  }

  func bridgeTable() throws -> ReportSection {
    let rows = try byScope(isShown: { row in
      try row.int("bridge_apple_milliunits") != 0
        || ReportIdentity.bridgeLines.contains { try row.int($0.column) != 0 }
    }) { row -> [Cell] in
      let currency = try row.text("currency")
      return try ReportIdentity.bridgeLines.map { line in
        try Cell.amount(row.int(line.column), currency).rows(command(.daily), row, line.column)
          .linked(to: line.breakClass.flatMap(classAnchor))
      } + [
        .amount(row.int("bridge_unexplained_milliunits"), currency, alarm: true)
          .rows(command(.daily), row, "bridge_unexplained_milliunits"),
        Cell(text: Self.amount(row.int("bridge_apple_milliunits"), currency), style: "n total")
          .rows(command(.daily), row, "bridge_apple_milliunits"),
      ]
    }
    return ReportSection(
      title: "bridge.title", note: words("bridge.note", ["rows": rowsNote(.daily)]),
      head: words.heads(
        ["head.scope", "head.app", "head.currency"],
        ReportIdentity.bridgeLines.map(\.label) + ["bridge.unexplained", "bridge.apple"]),
      rows: rows, empty: words("bridge.none"))
  }

  func identityTable() throws -> ReportSection {
    try .identities(
      contents.identities, sums: ["charges", "breaks", "decisions", "bridge"],
      keys: FigureTable.daily.layout.keys, note: words("identities.note"), rows: identityAnchor, in: words,
      difference: difference)
  }

  private func difference(_ check: ReportIdentity) throws -> String {
    let value = check.left - check.right
    return try check.name == "bridge" ? Self.money(value, check.slice.text("currency")) : Self.grouped(value)
  }

  func inputTable() throws -> ReportSection {
    let records = contents.inputs.records
    let rows = try records.prefix(Self.inputsMax).map { row in
      let input = try [Cell(text: words.name("input", row.text("kind"))), .id(row.text("file_name"), small: row.text("sha256"))]
      let counts = try ["input_count", "accepted_count", "repeated_count", "ignored_count", "parked_count"].map {
        try Cell.number(row.int($0)).rows(command(.inputs), row, $0)
      }
      return try Row(
        input + counts + [
          Cell(text: row["newest_fact_at"].map(Self.minute) ?? "–"),
          Cell(text: row["age_minutes"].flatMap { Int128($0) }.map(age) ?? "–", style: "n"),
        ])
    }
    let more = more("inputs.more", shown: rows.count, of: records.count)
    return ReportSection(
      title: "inputs.title", note: words("inputs.note", ["more": more, "rows": rowsNote(.inputs)]),
      head: words.heads(["head.kind", "head.file"], ["head.items", "head.accepted", "head.repeated", "head.ignored", "head.parked"])
        + words.heads(["head.newest"], ["head.age"]),
      rows: rows, empty: words("inputs.none"))
  }

  /// Formats an age as `35 min`, `7 h` or `3 d`.
  private func age(_ minutes: Int128) -> String {
    if minutes < 120 { return words("age.minutes", ["count": "\(minutes)"]) }
    return minutes < 2880
      ? words("age.hours", ["count": "\(minutes / 60)"]) : words("age.days", ["count": "\(minutes / 1440)"])
  }
}

internal import Domain
internal import JobCore
internal import Mustache

/// The page that a finance lead forwards: one HTML file, no script, nothing loaded from elsewhere.
struct ReportPage {
  /// Identities that do not hold and are shown in full; the CSV has all.
  static let failuresMax = 50
  /// Inputs on the page, newest first; the CSV has all.
  static let inputsMax = 100

  let header: ReportHeader
  let contents: ReportContents
  let apps: [AppSettings]
  let hasCSV: Bool
  var console: ConsoleAddress?

  func html() throws -> String {
    var library = MustacheLibrary()
    try library.register(ReportTemplate.table, named: "table")
    try library.register(ReportTemplate.page, named: "page")
    guard let text = try library.render(model, withTemplate: "page") else {
      throw JobError("could not render the report page: its template is not registered")
    }
    return text
  }

  private var model: [String: Any] {
    get throws {
      var sections: [[String: Any]] = []
      if header.kind.hasDaily {
        sections += try [dayTable, bridgeTable, identityTable].map(\.model)
      }
      if header.kind.hasBreaks { sections += try [ageingTable, topTable, breakTable].map(\.model) }
      if header.kind.hasDaily { try sections.append(inputTable.model) }
      if header.kind.hasDaily, !contents.quarantine.rows.isEmpty { try sections.append(quarantineTable.model) }
      let behind = try rowTables.map(\.model)
      let anchors = Set((sections + behind).compactMap { $0["anchor"] as? String })
      return try [
        "title": title, "subtitle": subtitle, "style": ReportTemplate.style,
        "verdict": header.verdict.rawValue, "verdict_text": verdictText, "reasons": header.reasons,
        "figures": figures.map { Self.model($0, sections: anchors) },
        "charts": ReportCharts(contents: contents, kind: header.kind).all.map {
          ["title": $0.title, "svg": $0.svg]
        },
        "sections": sections,
        "behind": behind.isEmpty ? [] : [self.behind.merging(["tables": behind]) { $1 }],
        "as_of": header.asOf.rfc3339, "run_id": header.runID,
        "settings": String(header.settingsSHA256.prefix(12)), "code_version": header.codeVersion,
      ]
    }
  }

  private var title: String {
    switch header.kind {
    case .daily: "Daily reconciliation"
    case .breaks: "Break list"
    case .all: "Payment reconciliation"
    case .renewals: "Renewals"
    case .tieout: "Tie-out to Apple's money"
    case .coverage: "Coverage"
    case .restatement: "Restatement"
    }
  }

  /// Which day each app's figures are of.
  private var subtitle: String {
    get throws {
      let lastDays = try Dictionary(contents.days.records.map { try ($0.text("bundle_id"), $0.text("day")) }, uniquingKeysWith: max)
      let days = Set(apps.map { "\(lastDays[$0.bundleID] ?? "") (\($0.timeZone))" }).sorted()
      let names = apps.map(\.bundleID).sorted().joined(separator: ", ")
      guard header.kind.hasDaily, !days.isEmpty else { return names }
      return "\(names) · business day \(days.joined(separator: ", "))"
    }
  }

  private var verdictText: String {
    get throws {
      let isClean = try header.verdict == .clean && contents.ageing.records.contains { try $0.int("decided_count") > 0 }
      return isClean
        ? "Clean: everything Apple charged and everything we booked agrees, or people decided about it." : header.verdictText
    }
  }
}

extension ReportHeader {
  /// The verdict as people read it.
  var verdictText: String {
    switch verdict {
    case .clean: "Clean: everything Apple charged and everything we booked agrees."
    case .pending: "Pending: nothing is broken, some differences are still inside their grace time."
    case .warnings: "Warnings: the books agree within limits, and something needs a look."
    case .breaks: "Breaks: differences need a person."
    case .incomplete: "Incomplete: input is missing, so do not rely on these figures yet."
    case .failed: "Failed: the run did not finish, so do not rely on these figures."
    }
  }
}

/// Figures at the top of the page.
extension ReportPage {
  struct Figure {
    var label: String
    var value: String
    var note: String
    var tone = ""
    /// Title of the table with the rows behind the figure; nil where the page has none.
    var table: String?
    /// The folded table of the rows behind the figure; nil where there are none.
    var rows: ReportSection?
  }

  /// A figure leads to its table where the page has that one.
  private static func model(_ figure: Figure, sections: Set<String>) -> [String: Any] {
    var model: [String: Any] = [
      "label": figure.label, "value": figure.value, "note": figure.note, "class": figure.tone,
    ]
    let target = figure.rows?.anchor ?? figure.table.map(ReportSection.anchor)
    if let target, sections.contains(target) { model["target"] = "#\(target)" }
    return model
  }

  var figures: [Figure] {
    get throws {
      let breaks = try breakFigures
      guard header.kind.hasDaily else { return breaks }
      let day = try contents.daily.records.filter { try $0["scope"] == "day" && $0["environment"] == "Production" }
      let all = try contents.daily.records.filter { try $0["scope"] == "to_date" && $0["environment"] == "Production" }
      let charges = try moneyBearing(day)
      let count = contents.identities.count
      let failed = contents.identities.filter { !$0.holds }.count
      return try [
        Figure(label: "Charges of money on the day", value: Self.grouped(charges), note: matchNote(day, of: "booked"),
          table: "Charges and orders", rows: dayRowTable),
        Figure(
          label: "Matched, to date", value: rate(all),
          note:
            "\(Self.grouped(matched(all))) of \(Self.grouped(moneyBearing(all)))",
          table: "Charges and orders"
        ),
      ] + breaks + [
        Figure(
          label: "Identities", value: "\(count - failed) of \(count)",
          note: count == 0 ? "nothing to check" : unexplained(all).isEmpty
            ? (header.verdict >= .incomplete ? "hold in what was read" : "hold; no money unexplained")
            : "hold; unexplained:\n\(unexplained(all))",
          tone: count == 0 ? "" : failed == 0 ? "good" : "alarm", table: "Identities", rows: identityRows)
      ]
    }
  }

  private var breakFigures: [Figure] {
    get throws {
      let ageing = contents.ageing.records
      let open = try sum(ageing, "undecided_count")
      let decided = try sum(ageing, "decided_count")
      let old = try sum(ageing, "count_31_60") + sum(ageing, "count_over_60")
      let all = try contents.daily.records.filter { try $0["scope"] == "to_date" }
      var figures = try [
        Figure(
          label: "Undecided breaks", value: Self.grouped(open),
          note:
            "\(Self.grouped(open + decided)) open, \(Self.grouped(decided)) decided; "
            + "\(Self.grouped(sum(all, "break_new_count"))) new, "
            + "\(Self.grouped(sum(all, "break_resolved_count"))) resolved "
            + "in 24\u{A0}h", tone: open > 0 ? "alarm" : header.verdict >= .incomplete ? "" : "good",
          table: "Break list"),
        Figure(
          label: "Older than 30 days", value: Self.grouped(old), note: "of \(Self.grouped(open)) undecided",
          table: "Breaks by class and age", rows: oldTable),
        Figure(
          label: "At stake", value: stake(ageing), note: "undecided Production breaks, per currency", tone: "list",
          table: "Most money at stake"),
      ]
      if header.kind.hasDaily {
        let next = try all.compactMap { try $0["next_pending_breaks_at"] }.min()
        try figures.append(
          Figure(
            label: "Pending", value: Self.grouped(sum(all, "pending_of_all_families_count")),
            note: next.map { "inside grace\($0 < header.asOf.rfc3339 ? " when last looked at" : ""), first until \(Self.minute($0))" }
              ?? "nothing waits", rows: pendingTable))
      }
      return figures
    }
  }

  private func matchNote(_ rows: [ReportRecord], of word: String) throws -> String {
    try "\(Self.grouped(sum(rows, "order_count"))) \(word), \(rate(rows)) matched"
  }

  private func matched(_ rows: [ReportRecord]) throws -> Int128 {
    try sum(rows, "matched_exact_count") + sum(rows, "matched_derived_count")
      + sum(rows, "matched_heuristic_count")
  }

  private func moneyBearing(_ rows: [ReportRecord]) throws -> Int128 {
    try sum(rows, "tx_count") - sum(rows, "excluded_count")
  }

  private func rate(_ rows: [ReportRecord]) throws -> String {
    let total = try moneyBearing(rows)
    return try total == 0 ? "–" : Self.percent(basisPoints: 10_000 * matched(rows) / total)
  }

  private func stake(_ ageing: [ReportRecord]) throws -> String {
    var totals: [String: Int128] = [:]
    for row in ageing {
      if let currency = try row["currency"] {
        totals[currency, default: 0] += try row.int("closing_amount_milliunits")
      }
    }
    let parts = totals.sorted { $0.key < $1.key }.filter { $0.value != 0 }
    guard parts.isEmpty else { return parts.map { Self.money($0.value, $0.key) }.joined(separator: "\n") }
    return header.verdict >= .incomplete ? "–" : "none"
  }

  private func unexplained(_ rows: [ReportRecord]) throws -> String {
    try rows.filter { try $0.int("bridge_unexplained_milliunits") != 0 }
      .map { try Self.money($0.int("bridge_unexplained_milliunits"), $0.text("currency")) }.joined(
        separator: "\n")
  }

  private func sum(_ rows: [ReportRecord], _ column: String) throws -> Int128 {
    try rows.reduce(0) { try $0 + $1.int(column) }
  }
}

/// How figures are written.
extension ReportPage {
  /// `12,345`.
  static func grouped(_ number: Int128) -> String {
    let sign = number < 0 ? "−" : ""
    return sign + groupedDigits(String(number.magnitude))
  }

  private static func groupedDigits(_ digits: String) -> String {
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
      result.append(digit)
    }
    return result
  }

  /// `1,234.50`; no currency.
  static func amount(_ milliunits: Int128, _ currency: String) -> String {
    let text = Money.text(milliunits: milliunits, currency: currency)
    let isNegative = text.hasPrefix("-")
    let parts = (isNegative ? text.dropFirst() : text[...]).split(separator: ".", maxSplits: 1)
    let whole = groupedDigits(String(parts.first ?? "0"))
    let fraction = parts.count > 1 ? ".\(parts[1])" : ""
    return (isNegative ? "−" : "") + whole + fraction
  }

  /// Decimals of a written amount, its currency aside; nil for what is none.
  static func decimals(_ text: String) -> Int? {
    let number = text.prefix { $0 != "\u{A0}" }
    guard number.last?.isNumber == true else { return nil }
    return number.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first.map(\.count) ?? 0
  }

  /// The amount with room after its last digit for the decimals that others of its column have.
  static func aligned(_ text: String, places: Int) -> String {
    guard let own = decimals(text), own < places else { return text }
    let end = text.firstIndex(of: "\u{A0}") ?? text.endIndex
    let point = own == 0 ? "\u{2008}" : ""
    return text[..<end] + point + String(repeating: "\u{2007}", count: places - own) + text[end...]
  }

  /// `1,234.50 CNY`, the parts held together.
  static func money(_ milliunits: Int128, _ currency: String) -> String {
    "\(amount(milliunits, currency))\u{A0}\(currency)"
  }

  /// `2026-05-09 14:05 UTC` of an RFC 3339 instant in UTC.
  static func minute(_ instant: String) -> String {
    let parts = instant.split(separator: "T", maxSplits: 1)
    guard parts.count == 2 else { return instant }
    return "\(parts[0])\u{A0}\(parts[1].prefix(5))\u{A0}UTC"
  }

  /// `98.3 %`, cut and not rounded, so that 100 % means all.
  static func percent(basisPoints: Int128) -> String {
    "\(basisPoints / 100).\(basisPoints % 100 / 10)\u{A0}%"
  }
}

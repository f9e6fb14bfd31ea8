internal import Domain
internal import JobCore
internal import Wording

/// The page for a finance lead: one HTML file without scripts or external resources.
struct ReportPage {
  /// Maximum number of failed identities shown in full. The CSV contains all.
  static let failuresMax = 50
  /// Maximum number of inputs on the page, newest first. The CSV contains all.
  static let inputsMax = 100

  let header: ReportHeader
  let contents: ReportContents
  let hasCSV: Bool

  var words: Catalogue { header.words }
  var console: ConsoleAddress? { header.console }

  func html() throws -> String {
    var sections: [ReportSection?] = []
    if header.kind.hasDaily { sections += try [dayTable(), bridgeTable(), identityTable(), notReconciledTable()] }
    if header.kind.hasBreaks { sections += try [ageingTable(), topTable(), breakTable()] }
    if header.kind.hasDaily { sections += try [inputTable(), quarantineTable(), allowedSandboxTable()] }
    let shown = sections.compactMap(\.self)
    let behind = try rowTables()
    let anchors = Set((shown + behind).map(\.anchor))
    return try header.page([
      "subtitle": subtitle(),
      "figures": figures().map { model(of: $0, among: anchors) },
      "charts": charts().map(\.model),
      "sections": shown.map { $0.model(in: words) },
      "behind": behind.isEmpty ? [] : [self.behind.merging(["tables": behind.map { $0.model(in: words) }]) { $1 }],
    ])
  }

  /// Returns the apps with the last business day of their figures.
  private func subtitle() throws -> String {
    let lastDays = try Dictionary(contents.days.records.map { try ($0.text("bundle_id"), $0.text("day")) }, uniquingKeysWith: max)
    let days = Set(header.apps.map { "\(lastDays[$0.bundleID] ?? "") (\($0.timeZone))" }).sorted()
    guard header.kind.hasDaily, !days.isEmpty else { return header.appNames }
    return words("report.subtitle", ["apps": header.appNames, "days": days.joined(separator: ", ")])
  }
}

extension ReportHeader {
  var words: Catalogue { Catalogue.of(language) }

  var verdictText: String { words.name("verdict", verdict.rawValue) }

  var appNames: String { apps.map(\.bundleID).sorted().joined(separator: ", ") }

  func command(_ table: FigureTable) -> FigureCommand { FigureCommand(table: table, asOf: asOf, console: console) }

  /// Renders a page of some fields and those of every page: the title, the banner, the clock and the footer.
  ///
  /// - Parameter subject: verdict of a report on its own figures; nil for that of the whole reconciliation. Missing input overrides it.
  func page(_ own: [String: Any], _ subject: ReportSubject? = nil) throws -> String {
    var fields: [String: Any] = [
      "title": words(kind.title), "verdict": verdict.rawValue, "verdict_text": verdictText, "reasons": reasons.map { words($0) },
      "as_of": asOf.rfc3339, "run_id": runID, "settings": String(settingsSHA256.prefix(12)), "code_version": codeVersion,
      "signed": subject?.verdict != nil,
    ]
    if let subject, verdict < .incomplete {
      fields["verdict"] = subject.verdict?.rawValue ?? "empty"
      (fields["verdict_text"], fields["reasons"]) = (subject.text, subject.notes)
      fields["whole"] = ([words("report.whole", ["verdict": verdictText])] + reasons.map { words($0) }).joined(separator: " ")
    }
    return try ReportTemplate.html(own.merging(fields) { $1 }.merging(BreakSum.model(of: self)) { $1 }, in: words)
  }
}

/// The figures at the top of the page.
extension ReportPage {
  struct Figure {
    var label: String
    var value: String
    var note: String
    var tone = ""
    /// Title of the table with the rows behind the figure; nil if there is none on the page.
    var table: Phrase?
    /// The folded table of the rows behind the figure; nil if there is none.
    var rows: ReportSection?
    /// A small plot of earlier values as SVG; empty for none.
    var trend = ""

    static func identities(of count: Int, failed: Int, in words: Catalogue) -> Figure {
      Figure(
        label: words("identities.title"), value: words("figure.of", ["count": "\(count - failed)", "all": "\(count)"]),
        note: words("figure.hold"), tone: count == 0 ? "" : failed == 0 ? "good" : "alarm", table: "identities.title")
    }

    /// - Parameter target: page or table to which the figure links; nil for none.
    func model(target: String?) -> [String: Any] {
      var model: [String: Any] = ["label": label, "value": value, "note": note, "class": tone, "trend": trend]
      if let target { model["target"] = target }
      return model
    }
  }

  /// Returns the template fields of a figure, which links to its table if the page contains it.
  private func model(of figure: Figure, among anchors: Set<String>) -> [String: Any] {
    let target = figure.rows?.anchor ?? figure.table.map(ReportSection.anchor)
    return figure.model(target: target.flatMap { anchors.contains($0) ? "#\($0)" : nil })
  }

  func figures() throws -> [Figure] {
    let breaks = try breakFigures()
    guard header.kind.hasDaily else { return breaks }
    let day = try contents.daily.records.filter { try $0["scope"] == "day" && $0["environment"] == "Production" }
    let all = try contents.daily.records.filter { try $0["scope"] == "to_date" && $0["environment"] == "Production" }
    let charges = try moneyBearing(day)
    let count = contents.identities.count
    let failed = contents.identities.filter { !$0.holds }.count
    var identities = Figure.identities(of: count, failed: failed, in: words)
    identities.rows = try identityRows()
    if count == 0 {
      identities.note = words("identities.none")
    } else if try unexplained(all).isEmpty {
      identities.note = words(header.verdict >= .incomplete ? "figure.hold_in_read" : "figure.hold_all")
    } else {
      identities.note = try words("figure.hold_unexplained", ["amounts": unexplained(all)])
    }
    return try [
      Figure(
        label: words("figure.charges"), value: Self.grouped(charges),
        note: words("figure.charges_note", ["count": Self.grouped(day.sum("order_count")), "rate": rate(day)]),
        table: "day.title", rows: dayRowTable()),
      Figure(
        label: words("figure.matched"), value: rate(all),
        note: words("figure.of", ["count": Self.grouped(matched(all)), "all": Self.grouped(moneyBearing(all))]), table: "day.title"),
    ] + breaks + [identities]
  }

  private func breakFigures() throws -> [Figure] {
    let ageing = contents.ageing.records
    let open = try ageing.sum("undecided_count")
    let decided = try ageing.sum("decided_count")
    let old = try ageing.sum("count_31_60") + ageing.sum("count_over_60")
    let all = try contents.daily.records.filter { try $0["scope"] == "to_date" }
    var figures = try [
      Figure(
        label: words("figure.undecided"), value: Self.grouped(open),
        note: words(
          "figure.undecided_note",
          [
            "open": Self.grouped(open + decided), "decided": Self.grouped(decided), "new": Self.grouped(all.sum("break_new_count")),
            "resolved": Self.grouped(all.sum("break_resolved_count")),
          ]), tone: open > 0 ? "alarm" : header.verdict >= .incomplete ? "" : "good",
        table: "list.title"),
      Figure(
        label: words("figure.old"), value: Self.grouped(old), note: words("figure.old_note", ["count": Self.grouped(open)]),
        table: "ageing.title", rows: oldTable()),
      Figure(label: words("figure.stake"), value: stake(ageing), note: words("figure.stake_note"), tone: "list", table: "top.title"),
    ]
    if header.kind.hasDaily {
      let next = try all.compactMap { try $0["next_pending_breaks_at"] }.min()
      try figures.append(
        Figure(
          label: words("figure.pending"), value: Self.grouped(all.sum("pending_of_all_families_count")),
          note: next.map {
            words($0 < header.asOf.rfc3339 ? "figure.pending_then" : "figure.pending_until", ["at": Self.minute($0)])
          } ?? words("figure.pending_none"), rows: pendingTable()))
    }
    return figures
  }

  private func matched(_ rows: [ReportRecord]) throws -> Int128 {
    try rows.sum("matched_exact_count") + rows.sum("matched_derived_count") + rows.sum("matched_heuristic_count")
  }

  private func moneyBearing(_ rows: [ReportRecord]) throws -> Int128 { try rows.sum("tx_count") - rows.sum("excluded_count") }

  private func rate(_ rows: [ReportRecord]) throws -> String {
    let total = try moneyBearing(rows)
    return try total == 0 ? "–" : Self.percent(basisPoints: 10_000 * matched(rows) / total)
  }

  /// Maximum number of lines in the figure. More would not fit on the first printed page.
  static let currenciesMax = 7

  private func stake(_ ageing: [ReportRecord]) throws -> String {
    var totals: [String: Int128] = [:]
    for row in ageing {
      if let currency = try row["currency"] {
        totals[currency, default: 0] += try row.int("closing_amount_milliunits")
      }
    }
    let lines = Self.amounts(totals, in: words)
    return lines.isEmpty ? (header.verdict >= .incomplete ? "–" : words("figure.stake_none")) : lines
  }

  /// Formats amounts other than 0, one line per currency. The last line counts omitted currencies.
  static func amounts(_ totals: [String: Int128], in words: Catalogue) -> String {
    let all = totals.filter { $0.value != 0 }.sorted { $0.key < $1.key }
    let shown = all.count > currenciesMax ? all.prefix(currenciesMax - 1) : all[...]
    let more = all.count - shown.count
    let rest = more == 0 ? [] : [words("figure.stake_more", ["count": "\(more)"])]
    return (shown.map { money($0.value, $0.key) } + rest).joined(separator: "\n")
  }

  private func unexplained(_ rows: [ReportRecord]) throws -> String {
    try rows.filter { try $0.int("bridge_unexplained_milliunits") != 0 }
      .map { try Self.money($0.int("bridge_unexplained_milliunits"), $0.text("currency")) }.joined(separator: "\n")
  }
}

/// Formats of numbers, amounts and instants.
extension ReportPage {
  /// Formats an integer as `12,345`.
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

  /// Formats an amount as `1,234.50`, without its currency.
  static func amount(_ milliunits: Int128, _ currency: String) -> String {
    decimal(Money.text(milliunits: milliunits, currency: currency))
  }

  /// Formats `1234.5` as `1,234.50` with at least `places` decimals. A text that is no decimal stays unchanged.
  static func decimal(_ text: String, places: Int = 0) -> String {
    let isNegative = text.hasPrefix("-")
    let parts = (isNegative ? text.dropFirst() : text[...]).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }) else { return text }
    var fraction = parts.count > 1 ? String(parts[1]) : ""
    fraction += String(repeating: "0", count: max(0, places - fraction.count))
    return (isNegative ? "−" : "") + groupedDigits(String(parts[0])) + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  /// Returns the number of decimals of a formatted amount without its currency; nil if it is no number.
  static func decimals(_ text: String) -> Int? {
    let number = text.prefix { $0 != "\u{A0}" }
    guard number.last?.isNumber == true else { return nil }
    return number.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first.map(\.count) ?? 0
  }

  /// Pads an amount after its last digit to the number of decimals in its column.
  static func aligned(_ text: String, places: Int) -> String {
    guard let own = decimals(text), own < places else { return text }
    let end = text.firstIndex(of: "\u{A0}") ?? text.endIndex
    let point = own == 0 ? "\u{2008}" : ""
    return text[..<end] + point + String(repeating: "\u{2007}", count: places - own) + text[end...]
  }

  /// Formats an amount as `1,234.50 CNY` with a no-break space.
  static func money(_ milliunits: Int128, _ currency: String) -> String {
    "\(amount(milliunits, currency))\u{A0}\(currency)"
  }

  /// Formats an RFC 3339 instant in UTC as `2026-05-09 14:05 UTC`.
  static func minute(_ instant: String) -> String {
    let parts = instant.split(separator: "T", maxSplits: 1)
    guard parts.count == 2 else { return instant }
    return "\(parts[0])\u{A0}\(parts[1].prefix(5))\u{A0}UTC"
  }

  /// Formats a rate as `98.3 %`, rounded once. Only all gives 100.0 %; less than a tenth gives `< 0.1 %`.
  static func percent(basisPoints: Int128) -> String {
    (1..<10).contains(basisPoints) ? leastPercent : percent(tenths: Shares.tenths(basisPoints: basisPoints))
  }

  /// Formats a rate as `98.3 %`.
  static func percent(tenths: Int128) -> String { "\(tenths / 10).\(tenths % 10)\u{A0}%" }

  /// Formats a share as `98.3 %`; `–` of nothing.
  static func percent(of part: Int128, in whole: Int128) -> String {
    guard whole > 0 else { return "–" }
    if part > 0, part * 1000 < whole { return leastPercent }
    let tenths = (part * 2000 + whole) / (2 * whole)
    return percent(tenths: part < whole ? min(tenths, 999) : tenths)
  }

  /// The text for more than 0 and less than a tenth of a percent.
  static let leastPercent = "<\u{A0}0.1\u{A0}%"
}

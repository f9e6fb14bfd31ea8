internal import JobCore
internal import Wording

/// Tables of a financial report that summarise its files.
extension FinancialPage {
  /// Maximum number of failed identities shown in full.
  private static let failuresMax = 10

  /// The checks of each identity as one row, then those that fail.
  func identityTable(_ part: FinancialReport.Part) throws -> ReportSection {
    let checks = part.table.records
    let failures = try checks.filter { try $0["holds"] != "yes" }
    let names = try checks.map { try $0.text("identity") }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    var rows = try names.map { name in
      let own = try checks.filter { try $0.text("identity") == name }
      let failed = try own.filter { try $0["holds"] != "yes" }.count
      return try Row([
        Cell(text: words.name("identity", name)),
        Cell(text: words.name("tieout_formula", name, otherwise: own[0].text("formula"))), .number(Int128(own.count)),
        ReportSection.identityResult(of: own.count, failed: failed, in: words),
      ])
    }
    for check in failures.prefix(Self.failuresMax) {
      let places = part.table.columns.prefix { $0 != "formula" }.dropFirst()
      let place = try places.compactMap { try check[$0] }.joined(separator: " · ")
      let numbers = try ["left", "right", "difference"].map { try "\(head($0)) \(ReportPage.decimal(check.text($0)))" }
      let cells = [Cell(text: ""), Cell(text: place), Cell(text: ""), Cell(text: numbers.joined(separator: ", "), style: "alarm")]
      rows.append(Row(cells, style: "detail"))
    }
    let rest = more(failures.count - min(failures.count, Self.failuresMax), of: failures.count, file: part.name)
    return ReportSection(
      title: part.title, note: words("tieout.identities_shown", ["note": words(part.note), "file": "\(part.name).csv"]) + " " + rest,
      head: words.heads(["head.identity", "head.sum"], ["head.checked"]) + [Cell(text: words("head.result"))],
      rows: rows, empty: words(report.emptyText))
  }

  /// The files about money by report and period, newest period first.
  func fileTable(_ part: FinancialReport.Part) throws -> ReportSection {
    let groups = try Dictionary(grouping: part.table.records) { try [$0.text("fiscal_period"), $0.text("report")] }
    let sorted = groups.sorted { ($1.key[0], $0.key[1]) < ($0.key[0], $1.key[1]) }
    let rows = try sorted.prefix(Self.groupsMax).map { key, files in
      let replaced = try files.filter { try $0["is_current"] != "true" }.count
      return try Row([
        Cell(text: key[0].isEmpty ? "–" : key[0]), Cell(text: key[1]), .number(Int128(files.count)), .number(Int128(replaced)),
        .number(files.sum("row_count")),
        Cell(text: ReportPage.minute(files.map { try $0.text("read_at") }.max() ?? "")),
      ])
    }
    let note = words("tieout.files_shown", ["note": words(part.note), "file": "\(part.name).csv"])
    return ReportSection(
      title: part.title, note: note + " " + more(sorted.count - rows.count, of: sorted.count, file: part.name),
      head: ["fiscal_period", "finance_report"].map { Cell(text: head($0)) }
        + ["file_count", "replaced_count", "row_count"].map { Cell(text: head($0), style: "n") } + [Cell(text: head("read_at"))],
      rows: rows, empty: words(report.emptyText))
  }

  /// Maximum number of rows of a summary and of columns for currencies.
  private static let groupsMax = 18, currenciesMax = 7

  /// Maximum number of periods whose bridge is printed, which keeps the page within eight sheets.
  private static let printedPeriodsMax = 2

  /// The audit bridge with one column per currency: the latest period, then the earlier ones folded.
  func bridgeTables(_ part: FinancialReport.Part) throws -> [ReportSection] {
    let periods = try Dictionary(grouping: part.table.records) { try $0.text("fiscal_period") }.sorted { $0.key > $1.key }
    guard !periods.isEmpty else {
      return [ReportSection(title: part.title, note: words(part.note), head: [], rows: [], empty: words(report.emptyText))]
    }
    let command = report.header.command(.bridge)
    let sections = ["customer", "proceeds", "bank"]
    return try periods.prefix(Self.periodsMax).enumerated().flatMap { index, period in
      try sections.map { name in
        let lines = try period.value.filter { try $0.text("section") == name }
        let title = Phrase(
          "auditors.section", ["section": .name("auditors", name), "period": .plain(period.key)])
        var table = try pivot(lines, title: title, command: command)
        table.note = index > 0 ? table.note : [words.name("auditors", "\(name)_note"), table.note].joined(separator: " ")
        if index > 0 { table.folded = words("rows.count", ["count": "\(table.rows.count)"], counting: table.rows.count) }
        table.isPrinted = index < Self.printedPeriodsMax
        return table
      }
    }
  }

  /// Lines of a bridge with one column per currency.
  private func pivot(_ lines: [ReportRecord], title: Phrase, command: FigureCommand) throws -> ReportSection {
    let all = try Set(lines.map { try $0.text("currency") }).sorted()
    let currencies = all.prefix(Self.currenciesMax)
    let byLine = try Dictionary(grouping: lines) { try $0.int("line_no") }.sorted { $0.key < $1.key }
    let rows = try byLine.compactMap { number, line -> Row? in
      let label = try line[0].text("label")
      let cells = try currencies.map { currency in
        try line.first { try $0.text("currency") == currency }
          .map { try cell("amount", $0, in: "tieout_bridge", below: nil, command: command) } ?? Cell(text: "·", style: "n zero")
      }
      let isTotal = label.hasPrefix("=")
      guard isTotal || cells.contains(where: { $0.text != "·" }) else { return nil }
      return Row([Cell(text: words.name("bridge_line", "\(number)", otherwise: label))] + cells, style: isTotal ? "sum" : "")
    }
    return ReportSection(
      title: title, note: moreCurrencies(all.count - currencies.count, file: "tieout_bridge"),
      head: [Cell(text: words("auditors.line"))] + currencies.map { Cell(text: $0, style: "n") }, rows: rows,
      empty: words(report.emptyText))
  }

  /// States how many currencies have no column; empty for none.
  private func moreCurrencies(_ count: Int, file: String) -> String {
    count > 0 ? words("figure.stake_more", ["count": "\(count)"]) + ": \(file).csv." : ""
  }

  /// The money that is still to be earned, by the period in which it is earned, with one column per currency.
  func waterfallTable(_ part: FinancialReport.Part) throws -> ReportSection {
    let lines = try part.table.records.filter { try $0["scope"] == "calendar" && $0.int(WaterfallColumn.toCome) != 0 }
    let all = try Set(lines.map { try $0.text("currency") }).sorted()
    let currencies = all.prefix(Self.currenciesMax)
    let periods = try Dictionary(grouping: lines) { try $0.text(WaterfallColumn.recognisedPeriod) }.sorted { $0.key < $1.key }
    let rows = try periods.prefix(Self.groupsMax).map { period, own in
      let cells = try currencies.map { currency in
        try Cell.amount(own.filter { try $0["currency"] == currency }.sum(WaterfallColumn.toCome), currency)
      }
      return Row([Cell(text: period)] + cells)
    }
    let notes = [
      words(part.note), more(periods.count - rows.count, of: periods.count, file: part.name),
      moreCurrencies(all.count - currencies.count, file: part.name),
    ]
    return ReportSection(
      title: part.title, note: notes.filter { !$0.isEmpty }.joined(separator: " "),
      head: [Cell(text: head(WaterfallColumn.recognisedPeriod))] + currencies.map { Cell(text: $0, style: "n") }, rows: rows,
      empty: words(report.emptyText))
  }

  /// The refund rate of each product over all months, the highest first.
  func rateTable(_ part: FinancialReport.Part) throws -> ReportSection {
    let products = try Dictionary(grouping: part.table.records) { try [$0.text("product_id"), $0.text("bundle_id"), $0.text("type")] }
    let sums = try products.map { key, lines in
      try (
        key: key, charges: lines.sum("charge_count"),
        refunds: lines.sum("refund_count")
      )
    }
    let sorted = sums.sorted { ($1.refunds * $0.charges, $0.key[0]) < ($0.refunds * $1.charges, $1.key[0]) }
    let rows = sorted.prefix(Self.groupsMax).map { product in
      let rate = ReportPage.percent(of: product.refunds, in: product.charges)
      return Row([
        .id(product.key[0], small: product.key[1]), Cell(text: words.name("product_type", product.key[2])), .number(product.charges),
        .number(product.refunds), Cell(text: rate, style: "n"),
      ])
    }
    let rest = more(sorted.count - rows.count, of: sorted.count, file: part.name)
    return ReportSection(
      title: part.title, note: words("refund_rates.shown", ["note": words(part.note)]) + " " + rest,
      head: ["product_id", "type"].map { Cell(text: head($0)) }
        + ["charge_count", "refund_count", "refund_rate_bp"].map { Cell(text: head($0), style: "n") }, rows: rows,
      empty: words(report.emptyText))
  }
}

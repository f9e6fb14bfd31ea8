internal import Domain
internal import JobCore
internal import Wording

/// The page of the renewal report: one HTML file without external resources.
struct RenewalPage {
  typealias Cell = ReportSection.Cell

  /// Maximum number of cells on the page, newest days first. The CSV contains all.
  static let cellsMax = 40

  let report: RenewalReport

  /// Cells by due day × app × product × storefront × currency, sorted by day.
  var rows: [ReportRecord] { report.cells.records }

  var words: Catalogue { report.header.words }

  func html() throws -> String {
    try report.header.page(
      [
        "subtitle": subtitle(),
        "figures": figures().map { $0.model(target: $0.table == "identities.title" ? nil : rowsPage) },
        "charts": charts().map(\.model),
        "sections": [outcomeTable(), moneyTable(), identityTable()].map { $0.model(in: words) },
      ], subject())
  }

  /// Returns the verdict on the renewals alone.
  private func subject() throws -> ReportSubject {
    let failed = report.identities.filter { !$0.holds }.count
    let (alone, unanswered) = try (sum("renewed_no_order"), sum("unpolled") + sum("poll_error"))
    if failed > 0 { return ReportSubject(verdict: .breaks, text: words("subject.identities", ["count": "\(failed)"])) }
    if rows.isEmpty { return .empty("renewals.none", in: words) }
    if alone > 0 { return ReportSubject(verdict: .breaks, text: words("subject.to_book", ["count": ReportPage.grouped(alone)])) }
    if unanswered > 0 {
      return ReportSubject(verdict: .pending, text: words("subject.unanswered", ["count": ReportPage.grouped(unanswered)]))
    }
    let (due, open) = try (sum("due_count"), sum("not_yet_due"))
    if due == open { return ReportSubject(verdict: .pending, text: words("subject.none_due", ["count": ReportPage.grouped(due)])) }
    return ReportSubject(verdict: .clean, text: words("subject.renewed"))
  }

  private var rowsPage: String? { report.header.console?.rows(FigureTable.renewals.rawValue, "", asOf: report.header.asOf) }

  private func subtitle() throws -> String {
    let names = report.header.appNames
    guard let first = try rows.first?["due_day"], let last = try rows.last?["due_day"] else { return names }
    return words("renewals.subtitle", ["apps": names, "first": first, "last": last])
  }

  private func sum(_ column: String) throws -> Int128 { try rows.sum(column) }

  private func figures() throws -> [ReportPage.Figure] {
    let failed = report.identities.filter { !$0.holds }.count
    let (due, toBook, unanswered) = try (sum("due_count"), sum("renewed_no_order"), sum("unpolled") + sum("poll_error"))
    let renewed = try sum("actual_count") - sum("not_in_plan_count")
    let settled = try due - sum("not_yet_due") - unanswered
    let bounds = try ["low": ReportPage.grouped(sum("forecast_low")), "high": ReportPage.grouped(sum("forecast_high"))]
    let figure = { (label: Phrase, value: Int128, note: String) in
      ReportPage.Figure(label: words(label), value: ReportPage.grouped(value), note: note)
    }
    let alarming = { (label: Phrase, value: Int128, note: String) in
      var shown = figure(label, value, note)
      shown.tone = value != 0 ? "alarm" : rows.isEmpty ? "" : "good"
      return shown
    }
    return try [
      figure("renewals.due", due, words("renewals.due_note")),
      figure("renewals.forecast", sum("forecast_count"), words("renewals.forecast_note", bounds)),
      figure("renewals.renewed", renewed, words("renewals.renewed_note", ["count": ReportPage.grouped(settled)])),
      alarming("renewals.to_book", toBook, words("renewals.to_book_note")),
      alarming("renewals.unanswered", unanswered, words("renewals.unanswered_note")),
      .identities(of: report.identities.count, failed: failed, in: words),
    ]
  }

  private var shown: [ReportRecord] { rows.suffix(Self.cellsMax).reversed() }

  private var more: String {
    rows.count > Self.cellsMax ? " " + words("renewals.more", ["count": "\(Self.cellsMax)", "all": "\(rows.count)"]) : ""
  }

  private func lead(_ row: ReportRecord) throws -> [Cell] {
    try [
      Cell(text: row.text("due_day")), .id(row.text("product_id"), small: row.text("bundle_id")),
      Cell(text: "\(row.text("storefront")) \(row.text("currency"))"),
    ]
  }

  private var command: FigureCommand { report.header.command(.renewals) }

  private func counted(_ row: ReportRecord, _ column: String) throws -> Cell { try Cell.number(row.int(column)).rows(command, row, column) }

  private func outcomeTable() throws -> ReportSection {
    let lost = ["expired_voluntary", "expired_billing", "expired_price", "expired_unavailable", "expired_unknown", "revoked_before_due"]
    let table = try shown.map { row in
      let expired = try row.sum(lost)
      let changed = try row.sum(["upgraded", "downgraded", "crossgraded"])
      // A combined count has the rows of its whole line.
      let together = { (value: Int128) in try Cell.number(value).rows(command, row, nil) }
      let numbers =
        try ["due_count", "renewed_on_time_count", "renewed_in_grace_count", "recovered_retry_count"].map { try counted(row, $0) }
        + [together(changed), together(expired), counted(row, "extended")]
        + [together(row.sum(["still_grace", "still_retry"])), together(row.sum(["unpolled", "poll_error"]))]
        + [
          "not_yet_due", "not_in_plan_count", "order_created_count", "renewed_no_order", "order_no_renewal",
          "entitlement_overrun_count",
        ].map { try counted(row, $0) }
      return try ReportSection.Row(lead(row) + numbers)
    }
    return ReportSection(
      title: "renewals.outcomes", note: words("renewals.outcomes_note", ["more": more, "rows": command.note(in: words)]),
      head: words.heads(
        ["renewals.due_day", "renewals.product", "renewals.storefront"],
        [
          "renewals.due", "renewals.on_time", "renewals.in_grace", "renewals.recovered", "renewals.changed", "renewals.expired",
          "renewals.extended", "renewals.trying", "renewals.unanswered", "renewals.not_yet_due", "renewals.not_in_plan",
          "renewals.booked", "renewals.to_book", "renewals.order_alone", "renewals.overrun",
        ]), rows: table, empty: words("renewals.none"))
  }

  private func moneyTable() throws -> ReportSection {
    let names = ["due_amount", "forecast_amount", "actual_amount", "diff_amount", "rate_variance", "price_variance", "mix_variance"]
    let table = try shown.map { row in
      let amounts = try names.map {
        try Cell.amount(row.int("\($0)_milliunits"), row.text("currency")).rows(command, row, "\($0)_milliunits")
      }
      let counts = try [
        Cell.number(
          row.int("forecast_count"), small: "\(row.int("forecast_low"))–\(row.int("forecast_high"))"
        ).rows(command, row, "forecast_count"), counted(row, "actual_count"),
      ]
      return try ReportSection.Row(lead(row) + counts + amounts)
    }
    return ReportSection(
      title: "renewals.money", note: words("renewals.money_note", ["more": more, "rows": command.note(in: words)]),
      head: words.heads(
        ["renewals.due_day", "renewals.product", "renewals.storefront"],
        [
          "renewals.forecast", "renewals.actual", "renewals.due_money", "renewals.forecast_money", "renewals.actual_money",
          "renewals.difference", "renewals.rate", "renewals.price", "renewals.mix",
        ]),
      rows: table, empty: words("renewals.money_none"))
  }

  private func identityTable() throws -> ReportSection {
    try .identities(
      report.identities, sums: ["due", "actual", "actual amount", "variance"],
      keys: ["due_day", "product_id", "storefront", "currency"], note: words("renewals.identities_note"), in: words,
      difference: { "\($0.left - $0.right)" })
  }
}

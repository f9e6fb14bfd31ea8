internal import Domain
internal import JobCore
internal import Mustache

/// The page of the renewal report: one HTML file, nothing loaded from elsewhere.
struct RenewalPage {
  typealias Cell = ReportSection.Cell

  /// Cells on the page, newest days first; the CSV has all.
  static let cellsMax = 200

  let report: RenewalReport
  let apps: [AppSettings]
  var console: ConsoleAddress?

  private var rows: [ReportRecord] { report.cells.records }

  func html() throws -> String {
    var library = MustacheLibrary()
    try library.register(ReportTemplate.table, named: "table")
    try library.register(ReportTemplate.page, named: "page")
    guard let text = try library.render(model, withTemplate: "page") else {
      throw JobError("could not render the renewal page: its template is not registered")
    }
    return text
  }

  private var model: [String: Any] {
    get throws {
      let header = report.header
      return try [
        "title": "Renewals", "subtitle": subtitle, "style": ReportTemplate.style, "verdict": header.verdict.rawValue,
        "verdict_text": header.verdictText, "reasons": header.reasons,
        "figures": figures.map { $0.model(target: $0.label == "Identities" ? nil : rowsPage) },
        "charts": RenewalCharts(rows: rows).all.map { ["title": $0.title, "svg": $0.svg] },
        "sections": [outcomeTable, moneyTable, identityTable].map(\.model),
        "as_of": header.asOf.rfc3339, "run_id": header.runID, "settings": String(header.settingsSHA256.prefix(12)),
        "code_version": header.codeVersion,
      ]
    }
  }

  private var rowsPage: String? { console?.rows(FigureTable.renewals.rawValue, "", asOf: report.header.asOf) }

  private var subtitle: String {
    get throws {
      let names = apps.map(\.bundleID).sorted().joined(separator: ", ")
      guard let first = try rows.first?["due_day"], let last = try rows.last?["due_day"] else { return names }
      return "\(names) · due days \(first) to \(last)"
    }
  }

  private func sum(_ column: String) throws -> Int128 { try rows.reduce(0) { try $0 + $1.int(column) } }

  private var figures: [ReportPage.Figure] {
    get throws {
      let failed = report.identities.filter { !$0.holds }.count
      let renewed = try sum("actual_count") - sum("not_in_plan_count")
      let settled = try sum("due_count") - sum("not_yet_due") - sum("unpolled") - sum("poll_error")
      return try [
        ReportPage.Figure(label: "Due", value: ReportPage.grouped(sum("due_count")), note: "in the frozen plans"),
        ReportPage.Figure(
          label: "Forecast", value: ReportPage.grouped(sum("forecast_count")),
          note: "\(ReportPage.grouped(sum("forecast_low"))) to \(ReportPage.grouped(sum("forecast_high")))"),
        ReportPage.Figure(
          label: "Renewed", value: ReportPage.grouped(renewed), note: "of \(ReportPage.grouped(settled)) settled"),
        ReportPage.Figure(
          label: "To book", value: ReportPage.grouped(sum("renewed_no_order")), note: "renewed, no order",
          tone: sum("renewed_no_order") == 0 ? "good" : "alarm"),
        ReportPage.Figure(
          label: "Not answered", value: ReportPage.grouped(sum("unpolled") + sum("poll_error")),
          note: "unpolled or failed", tone: sum("unpolled") + sum("poll_error") == 0 ? "good" : "alarm"),
        ReportPage.Figure(
          label: "Identities", value: "\(report.identities.count - failed) of \(report.identities.count)", note: "hold",
          tone: failed == 0 ? "good" : "alarm"),
      ]
    }
  }

  private var shown: [ReportRecord] { rows.suffix(Self.cellsMax).reversed() }

  private var more: String {
    rows.count > Self.cellsMax ? " The latest \(Self.cellsMax) of \(rows.count); renewals.csv has all." : ""
  }

  private func lead(_ row: ReportRecord) throws -> [Cell] {
    try [
      Cell(text: row.text("due_day")), .id(row.text("product_id"), small: row.text("bundle_id")),
      Cell(text: "\(row.text("storefront")) \(row.text("currency"))"),
    ]
  }

  private var command: FigureCommand { FigureCommand(table: .renewals, asOf: report.header.asOf, console: console) }

  private func counted(_ row: ReportRecord, _ column: String) throws -> Cell { try Cell.number(row.int(column)).rows(command, row, column) }

  private func heads(_ left: [String], _ right: [String]) -> [Cell] {
    left.map { Cell(text: $0) } + right.map { Cell(text: $0, style: "n") }
  }

  private var outcomeTable: ReportSection {
    get throws {
      let lost = [
        "expired_voluntary", "expired_billing", "expired_price", "expired_unavailable", "expired_unknown",
        "revoked_before_due",
      ]
      let table = try shown.map { row in
        let expired = try lost.reduce(0) { try $0 + row.int($1) }
        let changed = try row.int("upgraded") + row.int("downgraded") + row.int("crossgraded")
        // Of what is told together the rows of the whole line are named.
        let together = { (value: Int128) in try Cell.number(value).rows(command, row, nil) }
        let numbers = try
          ["due_count", "renewed_on_time_count", "renewed_in_grace_count", "recovered_retry_count"].map { try counted(row, $0) }
          + [together(changed), together(expired), counted(row, "extended")]
          + [
            together(row.int("still_grace") + row.int("still_retry")), together(row.int("unpolled") + row.int("poll_error")),
          ]
          + [
            "not_yet_due", "not_in_plan_count", "order_created_count", "renewed_no_order", "order_no_renewal",
            "entitlement_overrun_count",
          ].map { try counted(row, $0) }
        return try (cells: lead(row) + numbers, style: "")
      }
      return ReportSection(
        title: "What became of who fell due",
        note: "Production. Every member of a plan stands in one column from “On time” to “Not yet due”.\(more) \(command.note)",
        head: heads(
          ["Due day", "Product", "Storefront"],
          [
            "Due", "On time", "In grace", "Recovered", "Changed plan", "Expired or revoked", "Extended", "Still trying",
            "Not answered", "Not yet due", "Not in plan", "Booked", "To book", "Order, no renewal", "Access too long",
          ]), rows: table, empty: "No day was planned yet: payrecon renewals plan.")
    }
  }

  private var moneyTable: ReportSection {
    get throws {
      let names = [
        "due_amount", "forecast_amount", "actual_amount", "diff_amount", "rate_variance", "price_variance", "mix_variance",
      ]
      let table = try shown.map { row in
        let amounts = try names.map {
          try Cell.amount(row.int("\($0)_milliunits"), row.text("currency")).rows(command, row, "\($0)_milliunits")
        }
        let counts = try [
          Cell.number(
            row.int("forecast_count"), small: "\(row.int("forecast_low"))–\(row.int("forecast_high"))"
          ).rows(command, row, "forecast_count"), counted(row, "actual_count"),
        ]
        return try (cells: lead(row) + counts + amounts, style: "")
      }
      return ReportSection(
        title: "Forecast and actual",
        note:
          "Rate: more or fewer renewed than forecast, at the planned average price. Price: charged otherwise than planned. "
          + "Mix: others renewed than the average member, and renewals outside of the plan.\(more) \(command.note)",
        head: heads(
          ["Due day", "Product", "Storefront"],
          ["Forecast", "Actual", "Due money", "Forecast money", "Actual money", "Difference", "Rate", "Price", "Mix"]),
        rows: table, empty: "No day was planned yet.")
    }
  }

  private var identityTable: ReportSection {
    get throws {
      try .identities(
        report.identities,
        sums: [
          ("due", "due = outcomes + unpolled + not yet due"), ("actual", "actual = renewed + not in plan"),
          ("actual amount", "actual amount = renewed + not in plan"), ("variance", "difference = rate + price + mix"),
        ], places: ["due_day", "product_id", "storefront", "currency"],
        note: "Sums that must hold in every cell; the actual side is counted apart from the outcomes.",
        difference: { "\($0.left - $0.right)" })
    }
  }
}

extension ReportPage.Figure {
  /// - Parameter target: page that the figure leads to; nil for none.
  func model(target: String?) -> [String: Any] {
    var model: [String: Any] = ["label": label, "value": value, "note": note, "class": tone]
    if let target { model["target"] = target }
    return model
  }
}

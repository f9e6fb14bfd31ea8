internal import JobCore

/// A table, lines or a drawing on a page.
struct Section {
  var title: String
  var note = ""
  var head: [[String: String]] = []
  var rows: [[String: Any]] = []
  /// What stands where there are no rows.
  var empty = "Nothing here."
  /// Preformatted lines; empty for none.
  var lines = ""
  /// Where the next page is; empty where this is the last.
  var more = ""
  /// A drawing that this program made, every text of it escaped.
  var drawing = ""

  var model: [String: Any] {
    var model: [String: Any] = ["title": title, "note": note, "head": head, "rows": rows]
    if !lines.isEmpty { model["lines"] = lines }
    if !drawing.isEmpty { model["drawing"] = drawing }
    if !more.isEmpty { model["more"] = more }
    if rows.isEmpty, lines.isEmpty, drawing.isEmpty { model["empty"] = empty }
    return model
  }

  /// - Parameters:
  ///   - hidden: columns that are not shown.
  ///   - isLinked: whether ids lead to what is known of them.
  init(
    _ title: String, _ table: ReportTable, note: String = "", empty: String = "Nothing here.", hiding hidden: Set<String> = [],
    isLinked: Bool = true, links: Links = Links()
  ) {
    self.title = title
    self.note = note
    self.empty = empty
    let places = table.columns.indices.filter { !hidden.contains(table.columns[$0]) }
    head = places.map { ["text": Self.label(table.columns[$0]), "class": Self.style(table, $0)] }
    rows = table.records.map { record in
      ["cells": places.map { place -> [String: String] in
        let column = table.columns[place]
        let text = record.text(column)
        var cell = ["text": text, "class": Self.style(table, place)]
        if column == "severity" { cell["class"] = "severity \(text)" }
        if column == "due_at", record["is_late"] == "t" { cell["class"] = "alarm" }
        if isLinked, !text.isEmpty, let target = links.target(of: column, text) { cell["target"] = target }
        return cell
      }]
    }
  }

  init(_ title: String, note: String = "") {
    self.title = title
    self.note = note
  }

  private static func style(_ table: ReportTable, _ place: Int) -> String {
    let column = table.columns[place]
    if place < table.isNumeric.count && table.isNumeric[place] || amounts.contains(column) { return "n" }
    return column.hasSuffix("_id") || column == "sha256" ? "id" : ""
  }

  private static let amounts: Set<String> = ["at_stake", "price", "largest", "precision"]

  private static func label(_ column: String) -> String {
    let words = column.split(separator: "_").filter { $0 != "id" && $0 != "at" }.joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

/// Where an id leads, by the column it stands in.
struct Links {
  /// The case on whose card it stands: its evidence is seen as part of it.
  var caseID = ""

  func target(of column: String, _ text: String) -> String? {
    let id = Form.encoded(text)
    switch column {
    case "case_id": return "/cases/\(id)"
    case "break_id": return "/breaks/\(id)"
    case "run_id": return "/runs/\(id)"
    case "sha256": return caseID.isEmpty ? "/evidence/\(id)" : "/cases/\(caseID)/evidence/\(id)"
    case "order_id", "charge_id", "user_id", "transaction_id", "original_transaction_id", "device_id", "app_account_token", "id":
      // Several ids in one cell are no id.
      return text.contains(" ") ? nil : "/search?q=\(id)"
    default: return nil
    }
  }
}

internal import Domain
internal import JobCore
internal import Mustache
internal import Wording

/// A table, lines or a drawing on a page.
struct Section {
  struct Cell {
    var text: Phrase
    var style: String
    /// Where it leads; nil for nowhere.
    var target: String?
  }

  var title: Phrase
  var note: Phrase = .plain("")
  var head: [(label: Phrase, style: String)] = []
  var rows: [[Cell]] = []
  /// What stands where there are no rows.
  var empty: Phrase = "empty.here"
  /// Preformatted lines; empty for none.
  var lines = ""
  /// Whether the lines are sentences.
  var areTold = false
  /// Where the next page is; empty where this is the last.
  var more = ""
  /// Where it is told what each rung tried; empty for nowhere.
  var rungs = ""
  /// A drawing that this program made, every text of it escaped.
  var drawing = ""
  /// Whether its one row is told as names and values.
  var isFacts = false

  func model(in words: Catalogue) -> [String: Any] {
    let labels = head.map { words($0.label) }
    let rows = rows.map { cells in
      zip(cells, labels).map { CellModel(text: words($0.text), style: $0.style, label: $1, target: $0.target) }
    }
    var model: [String: Any] = [
      "title": words(title), "note": words(note), "head": zip(head, labels).map { ["text": $1, "class": $0.style] },
      "rows": rows.map { ["cells": $0] },
    ]
    if !lines.isEmpty { model["lines"] = areTold ? words.toldLines(lines) : lines }
    if !drawing.isEmpty { model["drawing"] = drawing }
    if !more.isEmpty { model["more"] = more }
    if !rungs.isEmpty { model["tried"] = rungs }
    if isFacts, let cells = rows.first { model["facts"] = ["cells": cells.filter { !$0.text.isEmpty }] }
    if rows.isEmpty, lines.isEmpty, drawing.isEmpty { model["empty"] = words(empty) }
    return model
  }

  /// - Parameters:
  ///   - hidden: columns that are not shown.
  ///   - isLinked: whether ids lead to what is known of them.
  ///   - isCompact: leaves out columns in which nothing stands.
  ///   - told: columns of sentences, beside those that are everywhere; a reason is otherwise what somebody wrote.
  init(
    _ title: Phrase, _ table: ReportTable, note: Phrase = .plain(""), empty: Phrase = "empty.here", hiding hidden: Set<String> = [],
    isLinked: Bool = true, isCompact: Bool = false, told: Set<String> = [], links: Links = Links()
  ) {
    self.title = title
    self.note = note
    if table.isCut { self.note = self.note + .plain(" ") + Phrase("note.first_more", ["count": .plain("\(table.rows.count)")]) }
    self.empty = empty
    let places = table.columns.indices.filter { place in
      !hidden.contains(table.columns[place]) && !(isCompact && table.rows.allSatisfy { ($0[place] ?? "").isEmpty })
    }
    head = places.map { (Self.label(table.columns[$0]), Self.style(table, $0)) }
    let shown = zip(places, head).map { place, head in (place: place, column: table.columns[place], style: head.style) }
    let isLate = table.columns.firstIndex(of: "is_late")
    rows = table.rows.map { cells in
      shown.map { place, column, style -> Cell in
        let text = cells[place] ?? ""
        let target = isLinked && !text.isEmpty ? links.target(of: column, text) : nil
        let words = told.contains(column) ? Phrase.told(text) : Self.shown(text, column, isLink: target != nil)
        var cell = Cell(text: words, style: style, target: target)
        if column == "severity" { cell.style = "severity \(text)" }
        if column == "due_at", let isLate, cells[isLate] == "t" { cell.style = "when alarm" }
        return cell
      }
    }
  }

  init(_ title: Phrase, note: Phrase = .plain("")) {
    self.title = title
    self.note = note
  }

  /// Sentences, a line each.
  init(_ title: Phrase, told lines: String) {
    self.init(title)
    self.lines = lines
    areTold = true
  }

  private static func style(_ table: ReportTable, _ place: Int) -> String {
    let column = table.columns[place]
    if place < table.isNumeric.count && table.isNumeric[place] || amounts.contains(column) { return "n" }
    if column.hasSuffix("_at") || ["at", "since", "as_of", "newest", "due"].contains(column) { return "when" }
    if ["detail", "what_to_do", "said"].contains(column) { return "said" }
    return column.hasSuffix("_id") || column.hasSuffix("sha256") ? "id" : ""
  }

  /// Beginning of an id of ours that stands for it where it is a link; a text of few characters finds it, too.
  private static let idCharacters = 12
  private static let shortened: Set<String> = ["case_id", "break_id", "sha256", "charge_id", "attachment", "trial_id"]

  /// A cell as people read it: ids, names and figures as they are, members of closed lists and sentences in their language.
  static func shown(_ text: String, _ column: String, isLink: Bool = false) -> Phrase {
    if isLink, shortened.contains(column) { return .plain(text.prefix(idCharacters)) }
    if let instant = instant(text) { return .plain(instant) }
    if column == "message" { return .joined(text) }
    if spoken.contains(column) || column == "status" && text.contains(" ") { return .told(text) }
    if column == "status" { return .name("status", text) }
    if column.hasPrefix("is_"), ["t", "f"].contains(text) { return .name("word", text == "t" ? "yes" : "no") }
    return named.contains(column) ? .name("word", text) : .plain(text)
  }

  /// Columns of members of closed lists.
  private static let named: Set<String> = [
    "severity", "verdict", "action", "proposed_action", "outcome", "state", "role", "kind", "subject_kind", "list", "step",
    "case_status", "worst_case", "side", "set_by",
  ]
  /// Columns of sentences that a statement puts together.
  private static let spoken: Set<String> = [
    "act", "what", "detail", "what_to_do", "source", "about", "link", "subject", "person", "waits", "done_last",
  ]

  /// An instant as people read it, to the second; nil for any other text.
  static func instant(_ text: String) -> String? {
    Timestamp.toTheSecond(text)?.replacing("T", with: " ")
  }

  private static let amounts: Set<String> = ["at_stake", "price", "largest", "precision"]

  private static func label(_ column: String) -> Phrase {
    let suffix = ["_id", "_at"].first { column.hasSuffix($0) } ?? ""
    let words = column.dropLast(suffix.utf8.count).split(separator: "_").joined(separator: " ")
    return .name("column", column, otherwise: words.prefix(1).uppercased() + words.dropFirst())
  }
}

/// What the template is told of a cell. A page has thousands: what one says nothing of is not looked for in all that it stands in.
private struct CellModel: MustacheParent {
  let text: String
  let style: String
  let label: String
  let target: String?

  func child(named name: String) -> Any? {
    switch name {
    case "text": text
    case "class": style
    case "label": label
    case "target": target
    case "leads": target != nil
    default: nil
    }
  }
}

/// Where an id leads, by the column it stands in.
struct Links {
  /// The case on whose card it stands: its evidence is seen as part of it.
  var caseID = ""
  /// Whether hashes are those of evidence, and not of files.
  var hasEvidence = true
  /// Table of a report whose figures are named, and the clock of the report; empty where there is none.
  var table = ""
  var clock = ""

  func target(of column: String, _ text: String) -> String? {
    var id: String { Form.encoded(text) }
    switch column {
    case "case_id": return "/cases/\(id)"
    case "break_id": return "/breaks/\(id)"
    case "run_id": return "/runs/\(id)"
    case "rule": return "/rules/\(id)"
    case "trial_id": return "/trials/\(id)"
    case "table": return clock.isEmpty ? nil : "/rows/\(id)?as_of=\(Form.encoded(clock))"
    case "figure": return table.isEmpty ? nil : "/rows/\(table)?cell=\(id)&as_of=\(Form.encoded(clock))"
    case "attachment": return "/cases/\(caseID)/attachments/\(id)"
    case "cell_id": return clock.isEmpty ? nil : "/rows/tieout?cell=\(id)&as_of=\(Form.encoded(clock))"
    case "sha256": return !hasEvidence ? nil : caseID.isEmpty ? "/evidence/\(id)" : "/cases/\(caseID)/evidence/\(id)"
    case "order_id", "charge_id", "user_id", "transaction_id", "original_transaction_id", "device_id", "app_account_token", "id":
      // Several ids in one cell are no id.
      return text.contains(" ") ? nil : "/search?q=\(id)"
    default: return nil
    }
  }
}

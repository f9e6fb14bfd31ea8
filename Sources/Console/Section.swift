internal import Domain
internal import JobCore
internal import Mustache
internal import Wording

/// A table, lines or a drawing on a page.
struct Section {
  struct Cell {
    var text: Phrase
    var style: String
    /// Address that the cell links to; nil for none.
    var target: String?
    /// Exact instant of a relative time, or the whole of a shortened id; nil if the text is whole.
    var exact: String?
    /// Class and rule codes behind their titles.
    var codes: [String] = []
    /// Severity or status that the cell shows as a badge; nil for none.
    var badge: String?
  }

  /// Events of one day.
  struct Day {
    var date: String
    var events: [[String: Any]]
  }

  var title: Phrase
  var note: Phrase = .plain("")
  var head: [(label: Phrase, style: String)] = []
  var rows: [[Cell]] = []
  /// Text shown if there are no rows.
  var empty: Phrase = "empty.here"
  /// Preformatted lines; empty for none.
  var lines = ""
  /// Whether the lines are sentences to translate.
  var areTranslated = false
  /// Address of the next page; empty on the last page.
  var more = ""
  /// Address of the match trace; empty for none.
  var rungs = ""
  /// SVG drawing made by this program, with every text escaped.
  var drawing = ""
  /// Whether the only row is shown as names and values.
  var isFacts = false
  /// Days of a timeline; empty for a table.
  var days: [Day] = []

  func model(in words: Catalogue) -> [String: Any] {
    let labels = head.map { words($0.label) }
    let rows = rows.map { cells in
      zip(cells, labels).map { cell, label in
        CellModel(cell, text: words(cell.text), label: label)
      }
    }
    var model: [String: Any] = [
      "title": words(title), "note": words(note), "head": zip(head, labels).map { ["text": $1, "class": $0.style] },
      "rows": rows.map { ["cells": $0] },
    ]
    if !lines.isEmpty { model["lines"] = areTranslated ? words.translatedLines(lines) : lines }
    if !drawing.isEmpty { model["drawing"] = drawing }
    if !more.isEmpty { model["more"] = more }
    if !rungs.isEmpty { model["tried"] = rungs }
    if isFacts, let cells = rows.first { model["facts"] = ["cells": cells.filter { !$0.text.isEmpty }] }
    if !days.isEmpty {
      model["timeline"] = ["days": days.map { ["day": $0.date, "events": $0.events.map { Page.said($0, words) }] as [String: Any] }]
    }
    if rows.isEmpty, lines.isEmpty, drawing.isEmpty, days.isEmpty { model["empty"] = words(empty) }
    return model
  }

  /// Columns of sentences are translated; a reason is translated only if the caller names its column.
  ///
  /// - Parameters:
  ///   - hidden: columns that are not shown.
  ///   - isLinked: whether ids link to their pages.
  ///   - isCompact: whether empty columns are omitted.
  ///   - clock: instant to which due times are related; nil shows them as they are.
  init(
    _ title: Phrase, _ table: ReportTable, note: Phrase = .plain(""), empty: Phrase = "empty.here", hiding hidden: Set<String> = [],
    isLinked: Bool = true, isCompact: Bool = false, sentences: Set<String> = [], links: Links = Links(), clock: Timestamp? = nil
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
        let words = sentences.contains(column) ? Phrase.sentence(text) : Self.shown(text, column, isLink: target != nil)
        var cell = Cell(text: words, style: style, target: target)
        if Self.badges.contains(column), !text.isEmpty, !text.contains(" ") { cell.badge = text }
        let isShort = target != nil && Self.shortened.contains(column) || column == "signal_id"
        if isShort, text.count > Self.idCharacters { cell.exact = text }
        if Self.coded.contains(column) { (cell.text, cell.codes) = Self.titled(text, cell.text) }
        if column == "due_at", let clock, let due = Self.due(text, at: clock) { (cell.text, cell.exact) = (due.text, Self.instant(text)) }
        if column == "due_at", let isLate, cells[isLate] == "t" { cell.style = "when alarm" }
        return cell
      }
    }
  }

  init(_ title: Phrase, note: Phrase = .plain("")) {
    self.title = title
    self.note = note
  }

  /// Creates a section of sentences, one per line.
  init(_ title: Phrase, lines: String) {
    self.init(title)
    self.lines = lines
    areTranslated = true
  }

  /// Creates a timeline, grouped by day, from rows with `at`, `what`, `about` and `source`.
  ///
  /// - Parameter links: link targets of evidence.
  init(timeline table: ReportTable, empty: Phrase, links: Links = Links()) {
    self.init("section.timeline", note: "timeline.note")
    self.empty = empty
    if table.isCut { note = note + .plain(" ") + Phrase("note.first_more", ["count": .plain("\(table.rows.count)")]) }
    for row in table.rows {
      let texts = row.map { $0 ?? "" }
      guard texts.count == 4, let instant = Self.instant(texts[0]) else { continue }
      let (day, time) = (String(instant.prefix(Self.dayCharacters)), String(instant.dropFirst(Self.dayCharacters + 1)))
      var event: [String: Any] = [
        "time": time, "exact": instant, "what": Phrase.sentence(texts[1]), "about": Phrase.sentence(Self.brief(texts[2])),
        "source": Phrase.sentence(Self.brief(texts[3])),
      ]
      if let hash = texts[3].split(separator: " ").last, CaseController.isID(String(hash), digits: 64),
        let target = links.target(of: "sha256", String(hash))
      { event["link"] = ["address": target] }
      if days.last?.date == day { days[days.count - 1].events.append(event) } else { days.append(Day(date: day, events: [event])) }
    }
  }

  /// Shortens the id at the end of a text such as `charge ID`.
  private static func brief(_ text: String) -> String {
    guard let space = text.lastIndex(of: " ") else { return text }
    let id = String(text[text.index(after: space)...])
    return text[...space] + (CaseController.isID(id, digits: 64) ? String(id.prefix(idCharacters)) : shortened(id))
  }

  /// Columns whose values are badges.
  private static let badges: Set<String> = ["severity", "status", "verdict", "worst_case", "case_status"]
  /// Characters of a date, such as `2026-12-31`.
  private static let dayCharacters = 10
  /// Columns with classes and rules, separated by spaces.
  private static let coded: Set<String> = ["class", "name", "about"]

  /// Returns the titles of classes and rules with their codes; the text unchanged if it is not a list of codes.
  private static func titled(_ text: String, _ shown: Phrase) -> (Phrase, [String]) {
    let codes = Headline.ordered(text)
    let isList = !codes.isEmpty && codes.allSatisfy { code in
      Headline.isRule(code) || code.contains("_") && code.allSatisfy { $0 == "_" || $0.isNumber || ($0.isASCII && $0.isUppercase) }
    }
    guard isList else { return (shown, []) }
    let titles = codes.map(Headline.title)
    return (titles.dropFirst().reduce(titles[0]) { Phrase("join.and", ["first": $0, "second": $1]) }, codes)
  }

  /// Returns a due time relative to a clock, and whether it has passed; nil for a text that is no instant.
  static func due(_ text: String, at clock: Timestamp) -> (text: Phrase, isLate: Bool)? {
    guard let due = Timestamp(rfc3339: text) else { return nil }
    let seconds = (due.microseconds - clock.microseconds) / 1_000_000
    return (Phrase(seconds < 0 ? "due.overdue" : "due.left", ["time": .span(seconds: abs(seconds))]), seconds < 0)
  }

  /// Shortens an id of payrecon for display. Other ids are returned whole.
  static func shortened(_ id: String) -> String { CaseController.isID(id) ? String(id.prefix(idCharacters)) : id }

  private static func style(_ table: ReportTable, _ place: Int) -> String {
    let column = table.columns[place]
    if place < table.isNumeric.count && table.isNumeric[place] || amounts.contains(column) { return "n" }
    if column.hasSuffix("_at") || ["at", "since", "as_of", "newest", "due"].contains(column) { return "when" }
    if ["detail", "what_to_do", "said"].contains(column) { return "said" }
    return column.hasSuffix("_id") || column.hasSuffix("sha256") ? "id" : ""
  }

  /// Length to which a linked id is shortened, in characters. Search accepts such a prefix.
  private static let idCharacters = 12
  private static let shortened: Set<String> = ["case_id", "break_id", "sha256", "charge_id", "attachment", "trial_id"]

  /// Returns the display text of a cell. Values of closed lists and sentences are translated; ids, names and figures are not.
  static func shown(_ text: String, _ column: String, isLink: Bool = false) -> Phrase {
    if isLink && shortened.contains(column) || column == "signal_id" { return .plain(text.prefix(idCharacters)) }
    if let instant = instant(text) { return .plain(instant) }
    if column == "message" { return .joined(text) }
    if spoken.contains(column) || column == "status" && text.contains(" ") { return .sentence(text) }
    if column == "status" { return .name("status", text) }
    if column.hasPrefix("is_"), ["t", "f"].contains(text) { return .name("word", text == "t" ? "yes" : "no") }
    return named.contains(column) ? .name("word", text) : .plain(text)
  }

  /// Columns with values of closed lists.
  private static let named: Set<String> = [
    "severity", "verdict", "action", "proposed_action", "outcome", "state", "role", "kind", "subject_kind", "list", "step",
    "case_status", "worst_case", "side", "set_by",
  ]
  /// Columns with sentences that a query builds.
  private static let spoken: Set<String> = [
    "act", "what", "detail", "what_to_do", "source", "about", "link", "subject", "person", "waits", "done_last",
  ]

  /// Formats an RFC 3339 instant for display, to the second; nil for other texts.
  static func instant(_ text: String) -> String? { Timestamp.toTheSecond(text)?.replacing("T", with: " ") }

  private static let amounts: Set<String> = ["at_stake", "price", "largest", "precision"]

  private static func label(_ column: String) -> Phrase {
    let suffix = ["_id", "_at"].first { column.hasSuffix($0) } ?? ""
    let words = column.dropLast(suffix.utf8.count).split(separator: "_").joined(separator: " ")
    return .name("column", column, otherwise: words.prefix(1).uppercased() + words.dropFirst())
  }
}

/// Template values of a cell. A page has thousands of cells, so an absent value is not searched in the parent models.
private struct CellModel: MustacheParent {
  let cell: Section.Cell
  let text: String
  let label: String

  init(_ cell: Section.Cell, text: String, label: String) { (self.cell, self.text, self.label) = (cell, text, label) }

  func child(named name: String) -> Any? {
    switch name {
    case "text": text
    case "class": cell.style
    case "label": label
    case "target": cell.target
    case "leads": cell.target != nil
    case "exact": cell.exact
    case "has_exact": cell.exact != nil
    case "codes": cell.codes
    case "badge": cell.badge
    case "has_badge": cell.badge != nil
    default: nil
    }
  }
}

/// Link targets of ids, by column.
struct Links {
  /// Case whose card shows the id. Its evidence opens as part of the case.
  var caseID = ""
  /// Whether hashes are those of evidence, not of files.
  var hasEvidence = true
  /// Report table whose figures are linked, and the report's clock; empty for none.
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
      // A cell with several ids gets no link.
      return text.contains(" ") ? nil : "/search?q=\(id)"
    default: return nil
    }
  }
}

internal import Domain
internal import JobCore
internal import Review
internal import Wording

/// A table, lines or a drawing on a page.
struct Section {
  struct Cell {
    var text: Phrase
    var style: String
    var target: String?
    var moment: Moment?
    var ids: [ShownID] = []
    var codes = ""
    var hashes: [ShownID] = []
    /// Severity or status that the cell shows as a badge; nil for none.
    var badge: String?
  }

  var title: Phrase
  var note: Phrase = .plain("")
  var head: [(label: Phrase, style: String)] = []
  var rows: [[Cell]] = []
  var empty: Phrase = "empty.here"
  /// Preformatted lines; empty for none.
  var lines = Phrase.plain("")
  /// Address of the next page; empty on the last page.
  var more = ""
  /// Address of the match trace; empty for none.
  var rungs = ""
  /// SVG drawing made by this program, with every text escaped.
  var drawing = ""
  var isFacts = false
  var events: [(at: Timestamp, fields: [String: Any])] = []

  func model(for reader: Reader) -> [String: Any] {
    let words = reader.words
    let labels = head.map { words($0.label) }
    var model: [String: Any] = [
      "title": words(title), "note": words(note), "head": zip(head, labels).map { ["text": $1, "class": $0.style] },
      "rows": isFacts ? "" : html(of: rows, labels, for: reader),
    ]
    if !lines.isEmpty { model["lines"] = words(lines) }
    if !drawing.isEmpty { model["drawing"] = drawing }
    if !more.isEmpty { model["more"] = more }
    if !rungs.isEmpty { model["tried"] = rungs }
    if isFacts, let cells = rows.first {
      let facts = zip(labels, cells).map { ["label": $0, "html": $1.html(for: reader)] }
      model["facts"] = ["cells": facts.filter { $0["html"] != "" }]
    }
    if !events.isEmpty {
      model["timeline"] = ["days": days(for: reader).map { ["day": $0.date, "events": $0.events] as [String: Any] }]
    }
    if rows.isEmpty, lines.isEmpty, drawing.isEmpty, events.isEmpty { model["empty"] = words(empty) }
    return model
  }

  /// Returns the rows of the table. A page has thousands of cells, which a template would take ten times as long for.
  private func html(of rows: [[Cell]], _ labels: [String], for reader: Reader) -> String {
    let starts = zip(head, labels).map { "<td class=\"\($0.style)\" data-label=\"\(Markup.escaped($1))\">" }
    return rows.reduce(into: "") { html, cells in
      html += "<tr>"
      for (start, cell) in zip(starts, cells) { html += start + cell.html(for: reader) + "</td>" }
      html += "</tr>\n"
    }
  }

  private func days(for reader: Reader) -> [(date: String, events: [[String: Any]])] {
    events.reduce(into: []) { days, event in
      let time: [String: Any] = ["time": reader.time(event.at), "exact": reader.exact(event.at), "iso": event.at.rfc3339]
      let model = event.fields.mapValues { Page.translated($0, reader) }.merging(time) { $1 }
      let day = reader.day(event.at)
      if days.last?.date == day { days[days.count - 1].events.append(model) } else { days.append((day, [model])) }
    }
  }

  /// - Parameters:
  ///   - hidden: columns that are not shown.
  ///   - isLinked: whether ids link to their pages.
  ///   - isCompact: whether empty columns are omitted.
  ///   - isFacts: whether the only row is shown as names and values.
  init(
    _ title: Phrase, _ table: ReportTable, note: Phrase = .plain(""), empty: Phrase = "empty.here", hiding hidden: Set<String> = [],
    isLinked: Bool = true, isCompact: Bool = false, isFacts: Bool = false, links: Links = Links()
  ) {
    self.init(title, note: note)
    self.isFacts = isFacts
    if table.isTruncated { self.note = self.note + .plain(" ") + Phrase("note.first_more", ["count": .plain("\(table.rows.count)")]) }
    self.empty = empty
    let places = table.columns.indices.filter { place in
      !hidden.contains(table.columns[place]) && !(isCompact && table.rows.allSatisfy { ($0[place] ?? "").isEmpty })
    }
    head = places.map { (Self.label(table.columns[$0]), Self.style(table, $0)) }
    let shown = zip(places, head).map { place, head in (place: place, column: table.columns[place], style: head.style) }
    rows = table.rows.map { cells in
      shown.map { place, column, style -> Cell in
        let text = cells[place] ?? ""
        let target = isLinked && !text.isEmpty ? links.target(of: column, text) : nil
        var words = table.phrases[column]?[text] ?? Self.shown(text, column)
        if column == "subject" || column == "link" { words = words.withShortIDs }
        var cell = Cell(text: words, style: style, target: target)
        if Self.badges.contains(column), !text.isEmpty, !text.contains(" ") { cell.badge = text }
        cell.moment = Moment(text, isDue: column == "due_at")
        if style == "id" && !Self.articles.contains(column) || Self.ids.contains(column) {
          cell.ids = Self.ids(in: text, column).map { id in ShownID(text: id, target: isLinked ? links.target(of: column, id) : nil) }
        }
        if Self.coded.contains(column), Self.areCodes(text) { cell.codes = text }
        if style == "said" {
          cell.hashes = text.matches(of: /[0-9a-f]{64}/).map { found in
            let hash = String(found.output)
            return ShownID(text: hash, target: isLinked ? links.target(of: "sha256", hash) : nil)
          }
        }
        return cell
      }
    }
  }

  init(_ title: Phrase, note: Phrase = .plain("")) { (self.title, self.note) = (title, note) }

  init(_ title: Phrase, lines: Phrase) {
    self.init(title)
    self.lines = lines
  }

  /// Creates a timeline from rows with `at`, `what`, `about` and `source`.
  init(timeline table: ReportTable, empty: Phrase, links: Links = Links()) {
    self.init("section.timeline", note: "timeline.note")
    self.empty = empty
    if table.isTruncated { note = note + .plain(" ") + Phrase("note.first_more", ["count": .plain("\(table.rows.count)")]) }
    for row in table.rows {
      let texts = row.map { $0 ?? "" }
      guard texts.count == 4, let at = Timestamp(rfc3339: texts[0]) else { continue }
      var event: [String: Any] = [
        "what": table.phrase("what", texts[1]), "about": table.phrase("about", texts[2]).withShortIDs,
        "source": table.phrase("source", texts[3]).withShortIDs, "is_apart": texts[2] != texts[3],
      ]
      if let hash = texts[3].split(separator: " ").last, CaseController.isID(String(hash), digits: 64),
        let target = links.target(of: "sha256", String(hash))
      {
        event["link"] = ["address": target]
      }
      events.append((at, event))
    }
  }

  private static let badges: Set<String> = ["severity", "status", "verdict", "worst_case", "case_status"]
  /// Columns with ids whose names do not end like those of ids.
  private static let ids: Set<String> = ["id", "tokens", "app_account_token", "attachment", "linked_users"]

  /// Returns the ids of a cell. Ids of users and orders may contain blanks.
  private static func ids(in text: String, _ column: String) -> [String] {
    let separators: [String: Character] = ["tokens": " ", "linked_users": "\n", "transaction_id": "\n"]
    guard let separator = separators[column] else { return text.isEmpty ? [] : [text] }
    return text.split(separator: separator).map(String.init)
  }

  /// Columns with names of articles, which are no ids to copy.
  private static let articles: Set<String> = ["product_id", "bundle_id"]
  /// Columns with classes and rules, separated by spaces.
  private static let coded: Set<String> = ["class", "name", "about"]

  private static func areCodes(_ text: String) -> Bool {
    let codes = text.split(separator: " ")
    return !codes.isEmpty
      && codes.allSatisfy { code in
        Headline.isRule(String(code))
          || code.contains("_") && code.allSatisfy { $0 == "_" || $0.isNumber || ($0.isASCII && $0.isUppercase) }
      }
  }

  private static func style(_ table: ReportTable, _ place: Int) -> String {
    let column = table.columns[place]
    if place < table.isNumeric.count && table.isNumeric[place] || amounts.contains(column) || column.hasSuffix("_amount") { return "n" }
    if column.hasSuffix("_at") || ["at", "since", "as_of", "newest", "due"].contains(column) { return "when" }
    if ["detail", "what_to_do", "said"].contains(column) { return "said" }
    return column.hasSuffix("_id") || column.hasSuffix("sha256") ? "id" : ""
  }

  /// Returns the display text of a cell. Values of closed lists are translated; ids, names and figures are not.
  static func shown(_ text: String, _ column: String) -> Phrase {
    if column == "inboxes", text.isEmpty { return "people.all_inboxes" }
    if column == "source" || column == "about" { return .code(text) }
    if column == "why" || column == "inboxes" { return .list(text.split(separator: " ").map { .code(String($0)) }, separator: " ") }
    if column == "status" { return .name("status", text) }
    if column == "proposed_action" || column == "action" && CaseAction(rawValue: text) != nil { return CaseController.actionName(text) }
    if column == "outcome", CaseOutcome(rawValue: text.replacing("fraud_", with: "")) != nil { return .name("finding", text) }
    if column.hasPrefix("is_"), ["t", "f"].contains(text) { return .name("word", text == "t" ? "yes" : "no") }
    return named.contains(column) ? .name("word", text, otherwise: text.replacing("_", with: " ")) : .plain(text)
  }

  /// Columns with values of closed lists.
  private static let named: Set<String> = [
    "severity", "verdict", "action", "outcome", "state", "role", "kind", "subject_kind", "list", "step",
    "case_status", "worst_case", "side", "set_by",
  ]

  private static let amounts: Set<String> = [
    "at_stake", "price", "largest", "precision", "in_sandbox", "amount", "coverage_percent", "target_percent",
  ]

  private static func label(_ column: String) -> Phrase {
    let suffix = ["_id", "_at"].first { column.hasSuffix($0) } ?? ""
    let words = column.dropLast(suffix.utf8.count).split(separator: "_").joined(separator: " ")
    return .name("column", column, otherwise: words.prefix(1).uppercased() + words.dropFirst())
  }
}

extension Section.Cell {
  fileprivate func html(for reader: Reader) -> String {
    if let moment { return moment.html(for: reader) }
    if !ids.isEmpty { return ids.map(\.html).joined() }
    if !codes.isEmpty { return ShownNames(codes: codes).html(in: reader.words) }
    let text = reader.words(text)
    if !hashes.isEmpty { return withLinkedHashes(text) }
    let shown = target.map { "<a href=\"\(Markup.escaped($0))\">\(Markup.escaped(text))</a>" } ?? Markup.escaped(text)
    return badge.map { "<span class=\"badge \(Markup.escaped($0))\">\(shown)</span>" } ?? shown
  }

  private func withLinkedHashes(_ text: String) -> String {
    var (rest, html) = (text[...], "")
    for hash in hashes {
      guard let place = rest.firstRange(of: hash.text) else { continue }
      html += Markup.escaped(String(rest[..<place.lowerBound])) + hash.html
      rest = rest[place.upperBound...]
    }
    return html + Markup.escaped(String(rest))
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
    var id: String { PercentEncoding.of(text) }
    switch column {
    case "case_id": return "/cases/\(id)"
    case "break_id": return "/breaks/\(id)"
    case "run_id": return "/runs/\(id)"
    case "rule": return "/rules/\(id)"
    case "trial_id": return "/trials/\(id)"
    case "table": return clock.isEmpty ? nil : "/rows/\(id)?as_of=\(PercentEncoding.of(clock))"
    case "figure": return table.isEmpty ? nil : "/rows/\(table)?cell=\(id)&as_of=\(PercentEncoding.of(clock))"
    case "attachment": return "/cases/\(caseID)/attachments/\(id)"
    case "cell_id": return clock.isEmpty ? nil : "/rows/tieout?cell=\(id)&as_of=\(PercentEncoding.of(clock))"
    case "sha256": return !hasEvidence ? nil : caseID.isEmpty ? "/evidence/\(id)" : "/cases/\(caseID)/evidence/\(id)"
    case "user_id", "linked_users": return "/customer?q=\(id)"
    case "order_id", "charge_id", "transaction_id", "original_transaction_id", "device_id", "app_account_token", "id":
      return "/search?q=\(id)"
    default: return nil
    }
  }
}

extension Phrase {
  /// The phrase with its long ids truncated.
  var withShortIDs: Phrase { mapping(ShownID.short) }
}

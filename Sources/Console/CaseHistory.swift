internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// Actions on a case, with the reason given for each.
struct CaseHistory {
  /// One row per action. `said` is English, because programs read it.
  private(set) var table = ReportTable(columns: ["at", "act", "person", "account", "said"])
  /// The `said` text of each row as a phrase, for translation.
  private let said: [Phrase]

  init(_ parts: ReportTable) throws {
    let records = parts.records
    said = try records.map(Self.said)
    (table.isTruncated, table.phrases) = (parts.isTruncated, parts.phrases)
    table.rows = try zip(records, said).map { record, said in
      try ["at", "act", "person", "account"].map { try record[$0] } + [said.english]
    }
  }

  var section: Section {
    var section = Section("case.history", table, note: "note.newest_first", empty: "case.history_none")
    for (row, words) in said.enumerated() { section.rows[row][table.columns.count - 1].text = words }
    return section
  }

  private static func said(_ row: ReportRecord) throws -> Phrase {
    func part(_ key: String, _ place: String, _ column: String) throws -> Phrase {
      try row.text(column).isEmpty ? .plain("") : Phrase(key, [place: .plain(row.text(column))])
    }
    let (act, reason) = try (row.text("act"), row.text("reason"))
    // A decision releases the case with the reason `decided`, which is translated.
    let why: Phrase = act == "released" && reason == "decided" ? .name("word", reason) : .plain(reason)
    let outcome = try row.text("outcome")
    let parts: [Phrase] = try [
      outcome.isEmpty ? why : Phrase("said.outcome", ["outcome": .name("word", outcome), "reason": why]),
      part("said.for", "account", "assignee"), part("said.order", "id", "order_id"), part("said.charge", "id", "charge_id"),
      part("said.breaks", "ids", "break_ids"), part("said.until", "at", "until"), .name("apple_answer", row.text("apple")),
    ].filter { !$0.isEmpty }
    return parts.dropFirst().reduce(parts.first ?? .plain("")) { Phrase("said.also", ["first": $0, "more": $1]) }
  }
}

internal import Domain
internal import JobCore
internal import Review
internal import Wording

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
    return .joined(parts, by: "said.also")
  }
}

extension CaseController {
  /// Returns the latest decision of a case: its proposal, conclusion and undo, with person and reason; nil without a decision.
  ///
  /// - Parameter steps: rows of `case_outcome.sql`.
  static func latestDecision(_ steps: [ReportRecord], _ status: String, for reader: Reader) throws -> [String: Any]? {
    guard let last = steps.last, let first = steps.first else { return nil }
    let isUndone = try steps.contains { try $0.text("what") == "undo" && $0.text("step") == "effective" }
    let isOver = try ["rejected", "withdrawn"].contains(last.text("step")) && last.text("what") == "decision"
    let undo = try status == "undo_proposed" && last.text("what") == "undo" ? last : nil
    let pending: [String: Phrase] = ["undo_proposed": "decision.undo_proposed", "waiting_approval": "decision.pending"]
    let title = pending[status] ?? (isUndone ? "decision.undone" : isOver ? "decision.refused" : "decision.decided")
    let action = try first.text("action")
    var model: [String: Any] = try [
      "title": title,
      "action": actionName(action), "finding": Phrase.name("finding", first.text("outcome")),
      "steps": steps.dropLast(undo == nil ? 0 : 1).enumerated().map { try step($1, follows: $0 > 0) },
    ]
    if let undo {
      let start = try steps.last { try $0.text("what") == "decision" && $0.text("step") == "effective" }?.text("at") ?? ""
      let arguments: [String: Phrase] = try [
        "at": .plain(Timestamp(rfc3339: start).map(reader.exact) ?? start), "account": .plain(undo.text("account")),
      ]
      model["undo"] = try ["words": Phrase("decision.undo_asked", arguments), "reason": undo.text("reason")] as [String: Any]
    } else if !isUndone, !isOver {
      model["effect"] = ["words": Phrase.name("effect", action)]
    }
    for name in ["order", "charge"] where try !first.text("\(name)_id").isEmpty {
      model[name] = try ["ids": [ShownID(text: first.text("\(name)_id"))]] as [String: Any]
    }
    if let until = try Moment(first.text("until")) { model["until"] = until }
    return model
  }

  /// - Parameter follows: whether a proposal precedes the step.
  private static func step(_ row: ReportRecord, follows: Bool) throws -> [String: Any] {
    let phrase: Phrase =
      switch try (row.text("step"), row.text("what") == "undo") {
      case ("proposed", false): "steps.proposed"
      case ("effective", false): follows ? "steps.approved" : "steps.effective"
      case ("rejected", false): "steps.rejected"
      case ("withdrawn", false): "steps.withdrawn"
      case ("proposed", true): "steps.undo_proposed"
      case ("effective", true): "steps.undone"
      case ("rejected", true): "steps.undo_rejected"
      default: "steps.undo_withdrawn"
      }
    return try ["account": row.text("account"), "act": phrase, "reason": row.text("reason"), "at": Moment(row.text("at")) as Any? ?? ""]
  }

  /// The decision form of a case with these classes and rules, the leading one first. `typed` has the fields of a refused form.
  static func decisionFields(_ names: [String], _ typed: Form) -> [String: Any] {
    var fields: [String: Any] = [
      "actions": CaseAction.allCases.map { option($0.rawValue, chosen: typed["action"]) },
      "outcomes": CaseOutcome.allCases.map { option($0.rawValue, chosen: typed["outcome"]) },
      "effects": effects(CaseAction.allCases),
      "has_named": ["order", "charge", "until"].contains { !typed[$0].isEmpty },
      "typed": ["order": typed["order"], "charge": typed["charge"], "until": typed["until"], "reason": typed["reason"]],
    ]
    if let usual = names.lazy.compactMap(UsualDecision.action).first, let outcome = usual.outcomes.first {
      fields["usual"] = [
        "action": actionName(usual.rawValue), "outcome": actionName(outcome.rawValue), "effect": Phrase.name("effect", usual.rawValue),
      ]
    }
    return fields
  }

  static func effects(_ actions: [CaseAction]) -> [[String: Any]] {
    actions.map { action in
      let findings = action.outcomes.map { actionName($0.rawValue) }
      let list = findings.dropFirst().reduce(findings[0]) { Phrase("join.or", ["first": $0, "second": $1]) }
      return [
        "name": action.rawValue, "words": actionName(action.rawValue), "effect": Phrase.name("effect", action.rawValue),
        "findings": list,
      ]
    }
  }

  static func option(_ name: String, chosen: String = "") -> [String: Any] {
    let words = actionName(name)
    let isByTwo = CaseAction(rawValue: name)?.needsSecondPerson == true
    return ["name": name, "words": isByTwo ? Phrase("decide.by_two", ["action": words]) : words, "chosen": name == chosen]
  }

  /// Returns the candidate orders of each ambiguous charge of the case as template fields; nil without any.
  static func candidates(_ found: ReportTable, canDecide: Bool) throws -> [String: Any]? {
    guard !found.rows.isEmpty else { return nil }
    let charges = try Dictionary(grouping: found.records) { try $0.text("charge_id") }.sorted { $0.key < $1.key }
    return [
      "can_decide": canDecide,
      "charges": try charges.map { charge, rows in
        ["charge": charge, "ids": [ShownID(text: charge)], "rows": try rows.map { try candidate($0, in: found) }] as [String: Any]
      },
    ]
  }

  private static func candidate(_ row: ReportRecord, in table: ReportTable) throws -> [String: Any] {
    let delay = try Int64(row.text("delay_seconds")) ?? 0
    var model: [String: Any] = try [
      "order": row.text("order_id"), "user": row.text("user_id"), "status": Phrase.name("status", row.text("status")),
      "product": row.text("product_id"), "other_product": row.text("is_same_product") != "t",
      "price": row.text("price"), "other_price": row.text("is_same_price") != "t",
      "created": Moment(row.text("created_at")) as Any? ?? "",
      "delay": Phrase(delay < 0 ? "candidates.before" : "candidates.after", ["time": .span(seconds: abs(delay))]),
      "detail": table.phrase("detail", row.text("detail")),
    ]
    if try !row.text("device_id").isEmpty { model["device"] = try ["ids": [ShownID(text: row.text("device_id"))]] }
    return model
  }
}

/// Explanations of every order and charge, compared with the recorded decisions.
struct ExplanationCheck {
  let scenario: Scenario
  let clock: String

  /// Classes of an order without charge whose only reason is a refused claim.
  private static let refusals: Set = ["REPLAY_MULTI_USER", "DUP_DELIVERY", "LATE_VERIFICATION", "USER_DIFF", "PRODUCT_DIFF"]
  /// Phrases of an explanation that contradicts a decision.
  private static let doubts = ["decides otherwise", "not decided yet", "as decided then", "were not evaluated", "passed it by"]

  /// The explanation of one subject.
  private struct ParsedExplanation {
    var id: String
    var lines: [Substring]
    /// The rung of its match, and the other side.
    var match: (rung: Substring, other: Substring)?
    var refused: Substring?
    /// Rungs that granted and that refused, in the order of the explanation.
    var granting: [Substring] = []
    var refusing: [Substring] = []

    init(_ id: String, kind: String, in text: String) {
      self.id = id
      let all = text.split(separator: "\n")
      let first = all.firstIndex { $0.hasPrefix("\(kind) \(id):") } ?? all.endIndex
      lines = Array(all[first...].prefix(1) + all[first...].dropFirst().prefix { $0.hasPrefix(" ") })
      for line in lines {
        if let found = line.firstMatch(of: /^  matched by (M\d) with (?:charge|order) ([^,]+),/) {
          match = (found.output.1, found.output.2)
        }
        if let found = line.firstMatch(of: /^  no match: (\w+) on rung/) { refused = found.output.1 }
        if let found = line.firstMatch(of: /^    (M[1-6]):/) { granting.append(found.output.1) }
        if let found = line.firstMatch(of: /^    not (M[1-6]):/) { refusing.append(found.output.1) }
      }
    }
  }

  /// Returns the contradictions between explanations and records, and any change of the database.
  func differences() async throws -> [String] {
    let before = try await content()
    let matches = try await scenario.rows(.matches, asOf: clock)
    var classes: [String: Set<String>] = [:]
    for list in [ExportList.breaks, .pending] {
      for row in try await scenario.rows(list, asOf: clock) where row["status"] != "resolved" {
        classes[row["order_id"] ?? "", default: []].insert(row["class"] ?? "")
      }
    }
    let context = try scenario.context(asOf: clock)
    var faults: [String] = []
    for (list, kind) in [(ExportList.orders, "order"), (.charges, "charge")] {
      for row in try await scenario.rows(list, asOf: clock) {
        let id = row["\(kind)_id"] ?? ""
        let explanation = ParsedExplanation(id, kind: kind, in: try await ExplainJob(context: context).explain(id))
        let match = matches.first { $0["\(kind)_id"] == id }
        var found = Self.faults(explanation, match: match, other: kind == "order" ? "charge_id" : "order_id")
        let refusals = kind == "order" && match == nil ? Self.refusals.intersection(classes[id] ?? []) : []
        if let refusal = refusals.first, explanation.refused.map(String.init) != refusal { found.append("breaks say \(refusal)") }
        faults += found.map { "explain \(clock) \(kind) \(id): \($0)\n\(explanation.lines.joined(separator: "\n"))" }
      }
    }
    if try await content() != before { faults.append("explain \(clock): the database changed") }
    return faults
  }

  private static func faults(_ explanation: ParsedExplanation, match: [String: String]?, other: String) -> [String] {
    var faults = doubts.filter { doubt in explanation.lines.contains { $0.contains(doubt) } }
    if explanation.lines.isEmpty { faults.append("nothing is explained") }
    guard let match, let rung = match["rung"] else {
      if explanation.match != nil || !explanation.granting.isEmpty { faults.append("no match is recorded") }
      if explanation.refused == nil, explanation.lines.contains("  no match") || explanation.lines.contains("  no order") {
        let all = (1...6).map { Substring("M\($0)") }
        if explanation.refusing != all { faults.append("not every rung is explained") }
      }
      return faults
    }
    if explanation.match?.rung ?? "" != rung || explanation.match?.other ?? "" != match[other] ?? "" {
      faults.append("recorded is \(match[other] ?? "") by \(rung)")
    }
    guard other == "charge_id", rung != "M0" else { return faults }
    let above = ["M1", "M2", "M3", "M4", "M5", "M6"].prefix { $0 != rung }.map { Substring($0) }
    if explanation.granting != [Substring(rung)] || explanation.refusing != above { faults.append("the rungs are not those up to \(rung)") }
    return faults
  }

  /// Returns a hash of all rows of all tables.
  private func content() async throws -> String {
    let query = """
      select md5(string_agg(query_to_xml(
          format('select t::text as content from payrecon.%I as t order by 1', tablename), true, true, '')::text, '' order by tablename))
      from pg_tables where schemaname = 'payrecon'
      """
    let found = try await scenario.answers(query)
    return found.joined()
  }
}

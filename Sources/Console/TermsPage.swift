internal import Domain
internal import JobCore
internal import Review
internal import Wording

extension CaseController {
  func terms() async throws -> Page {
    let classes = try await table(ConsoleSQL.terms)
    var page = Page(title: "terms.title", visit: visit, subtitle: "terms.subtitle")
    let rules = visit.seesRules ? context.settings.rules.catalogue.map(\.name).sorted() : []
    page.fields["terms"] = [
      "groups": try [
        ["title": "terms.classes" as Phrase, "rows": classes.records.map { try Self.term($0.text("class"), $0) }] as [String: Any]
      ] + (rules.isEmpty ? [] : [["title": "terms.rules" as Phrase, "rows": try rules.map { try Self.term($0, nil) }] as [String: Any]])
    ]
    try await viewed("terms")
    return page
  }

  private static func term(_ name: String, _ row: ReportRecord?) throws -> [String: Any] {
    var model: [String: Any] = [
      "code": name, "title": Headline.title(of: name), "example": Headline.phrase(.example(name)),
      "queue": "/queue?name=\(PercentEncoding.of(name))",
    ]
    if let usual = UsualDecision.action(for: name) {
      model["usual"] = ["action": actionName(usual.rawValue), "effect": Phrase.name("effect", usual.rawValue)]
    }
    guard let row else { return model }
    model["facts"] =
      try [
        "severity": row.text("severity"), "severity_words": Section.shown(row.text("severity"), "severity"),
        "team": Phrase.name("word", row.text("owner_team")), "hours": row.text("due_hours"), "runbook": Phrase.name("runbook", name),
      ] as [String: Any]
    return model
  }
}

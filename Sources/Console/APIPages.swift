internal import Domain
internal import HTTPTypes
internal import Hummingbird
internal import JobCore
internal import Postgres

/// What programs ask for; the same rules and the same work as the pages.
extension ConsoleServer {
  static let apiPages = [
    "/api/v1/me", "/api/v1/cases", "/api/v1/cases/:id", "/api/v1/breaks", "/api/v1/runs",
  ]
  static let apiForms = ["/api/v1/cases/next", "/api/v1/cases/:id/:act"]

  /// - Throws: `ConsoleFault` for a filter that a program has wrong; a person sees an empty list.
  private static func check(_ query: Form) throws {
    try Desk.checkLength(query["after"], ConsoleLimits.queryCharactersMax, "The place after which a page begins")
    guard query["severity"].isEmpty || Severity(rawValue: query["severity"]) != nil else {
      throw ConsoleFault(status: .badRequest, message: "There is no such severity.")
    }
  }

  static func isAPI(_ path: String) -> Bool { path.hasPrefix("/api/") }

  /// What somebody asks for who shows a token of theirs.
  func api(_ exchange: Exchange, _ visit: Visit) async throws -> Response {
    let (desk, query, id) = (Desk(visit: visit), exchange.query, exchange["id"])
    try Self.check(query)
    switch exchange.path {
    case "/api/v1/me":
      let inboxes = visit.inboxes.map(ReportText.quoted).joined(separator: ",")
      return Answer.json(
        APIText.object([
          ("account", ReportText.quoted(visit.account)), ("role", ReportText.quoted(visit.role)), ("inboxes", "[\(inboxes)]"),
        ]))
    case "/api/v1/cases": return Answer.json(APIText.page("cases", try await desk.queueRows(query)))
    case "/api/v1/cases/:id": return Answer.json(try await desk.caseText(id))
    case "/api/v1/breaks": return Answer.json(APIText.page("breaks", try await desk.breakRows(query)))
    case "/api/v1/runs": return Answer.json(APIText.page("runs", try await desk.runRows(query)))
    case "/api/v1/cases/next":
      let taken = try await desk.takeNext()
      return Answer.json(APIText.object([("case_id", taken.map(ReportText.quoted) ?? "null")]))
    case "/api/v1/cases/:id/:act":
      let done = try await desk.act(exchange["act"], on: id, exchange.form)
      return Answer.json(APIText.object([("done", ReportText.quoted(done))]))
    default: throw ConsoleFault.notThere
    }
  }
}

extension Desk {
  /// A case with what it is made of and what people did with it.
  func caseText(_ id: String) async throws -> String {
    let head = try await head(of: id)
    let history = try await table("case_history", ["case_id": .text(id), "as_of": asOf, "rows": .int8(Self.cardRows)])
    let items = try await items(of: head)
    try await viewed(id)
    let fields = ["case_id", "status", "severity", "subject_kind", "subject_id", "about", "app", "storefront", "at_stake",
      "opened_at", "due_at", "holder", "lease_until", "assignee", "returns_at", "proposed_action", "proposed_by"]
    let amount = head["amount_milliunits"] ?? "null"
    return APIText.object(
      fields.map { ($0, head[$0].map(ReportText.quoted) ?? "null") } + [
        ("amount_milliunits", amount), ("currency", head["currency"].map(ReportText.quoted) ?? "null"),
        ("items", APIText.rows(items, hiding: [])), ("history", APIText.rows(history, hiding: [])),
      ])
  }
}

/// JSON of tables: every value as text but counts, and null for what is not there.
enum APIText {
  static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(ReportText.quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
  }

  static func rows(_ table: ReportTable, hiding hidden: Set<String>) -> String {
    let places = table.columns.indices.filter { !hidden.contains(table.columns[$0]) }
    let rows = table.rows.map { row in
      object(places.map { place in
        let isNumber = place < table.isNumeric.count && table.isNumeric[place]
        return (table.columns[place], row[place].map { isNumber ? $0 : ReportText.quoted($0) } ?? "null")
      })
    }
    return "[" + rows.joined(separator: ",") + "]"
  }

  /// A page of a list, and where the next one begins.
  static func page(_ name: String, _ list: (table: ReportTable, after: String?)) -> String {
    object([
      (name, rows(list.table, hiding: ["place", "is_late"])), ("after", list.after.map(ReportText.quoted) ?? "null"),
    ])
  }
}

internal import Domain
internal import HTTPTypes
internal import Hummingbird
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

/// JSON endpoints with the permissions and actions of the pages.
extension ConsoleServer {
  static let apiPages = [
    "/api/v1/me", "/api/v1/cases", "/api/v1/cases/:id", "/api/v1/breaks", "/api/v1/runs", "/api/v1/search",
    "/api/v1/evidence/:hash", "/api/v1/evidence/:hash/raw", "/api/v1/cases/:id/evidence/:hash",
    "/api/v1/cases/:id/evidence/:hash/raw", "/api/v1/batches/:id",
  ]
  static let apiForms = ["/api/v1/cases/next", "/api/v1/cases/:id/:act", "/api/v1/bulk", "/api/v1/bulk/preview", "/api/v1/batches/:id/undo"]

  static func isAPI(_ path: String) -> Bool { path.hasPrefix("/api/") }

  /// Request fields with a closed list of values. A page may leave one empty; a program must omit it.
  private static let closedFields = [
    "severity": Severity.allCases.map(\.rawValue), "action": CaseAction.allCases.map(\.rawValue),
    "outcome": CaseOutcome.allCases.map(\.rawValue), "unasked": ["yes"],
  ]

  /// - Throws: `ConsoleFault` for a value outside the field's list, including an empty value.
  private static func checkClosedFields(_ exchange: Exchange) throws {
    for (name, values) in closedFields.sorted(by: { $0.key < $1.key }) {
      guard (exchange.query.all(name) + exchange.form.all(name)).allSatisfy(values.contains) else {
        throw ConsoleFault(
          status: .badRequest,
          message: Phrase("fault.no_such_value", ["name": .plain(name), "values": .plain(values.joined(separator: ", "))]))
      }
    }
  }

  /// Answers an API request that carries a valid token.
  func api(_ exchange: Exchange, _ visit: Visitor) async throws -> Response {
    try Self.checkClosedFields(exchange)
    let (controller, query, id) = (CaseController(visit: visit, storeAccess: settings.storeAccess), exchange.query, exchange["id"])
    switch exchange.path {
    case "/api/v1/me":
      let inboxes = visit.inboxes.map(ReportText.quoted).joined(separator: ",")
      return Answer.json(
        APIText.object([
          ("account", ReportText.quoted(visit.account)), ("role", ReportText.quoted(visit.role)), ("inboxes", "[\(inboxes)]"),
        ]))
    case "/api/v1/cases": return Answer.json(APIText.page("cases", try await controller.queueRows(query)))
    case "/api/v1/cases/:id": return Answer.json(try await controller.caseText(id))
    case "/api/v1/breaks": return Answer.json(APIText.page("breaks", try await controller.breakRows(query)))
    case "/api/v1/runs": return Answer.json(APIText.page("runs", try await controller.runRows(query)))
    case "/api/v1/search": return Answer.json(try await controller.searchText(query["q"]))
    case "/api/v1/evidence/:hash", "/api/v1/cases/:id/evidence/:hash":
      return Answer.json(try await controller.evidenceText(exchange["hash"], of: id.isEmpty ? nil : id))
    case "/api/v1/evidence/:hash/raw", "/api/v1/cases/:id/evidence/:hash/raw":
      let hash = exchange["hash"]
      return Answer.download(try await controller.rawEvidence(hash, of: id.isEmpty ? nil : id), name: "\(hash).txt")
    case "/api/v1/bulk/preview": return Answer.json(try await controller.bulkText(exchange.form, isDryRun: true))
    case "/api/v1/bulk": return Answer.json(try await controller.bulkText(exchange.form, isDryRun: false))
    case "/api/v1/batches/:id": return Answer.json(try await controller.batchText(id))
    case "/api/v1/batches/:id/undo":
      return Answer.json(APIText.object([("done", ReportText.quoted(try await controller.undoBatch(id, exchange.form)))]))
    case "/api/v1/cases/next":
      let taken = try await controller.takeNext()
      return Answer.json(APIText.object([("case_id", taken.map(ReportText.quoted) ?? "null")]))
    case "/api/v1/cases/:id/:act":
      let done = try await controller.act(exchange["act"], on: id, exchange.form)
      let late = done.late.isEmpty ? [] : [("late", "[\(done.late.map(ReportText.quoted).joined(separator: ","))]")]
      return Answer.json(APIText.object([("done", ReportText.quoted(done.word))] + late))
    default: throw ConsoleFault.notThere
    }
  }
}

/// JSON text of tables. Counts are numbers, other values are strings, and missing values are null.
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

  /// Returns one page of a list as JSON, with the position at which the next page begins.
  static func page(_ name: String, _ list: (table: ReportTable, after: String?)) -> String {
    object([(name, rows(list.table, hiding: ["place", "is_late"])), ("after", list.after.map(ReportText.quoted) ?? "null")])
  }
}

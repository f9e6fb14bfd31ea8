internal import Domain
internal import HTTPTypes
internal import Hummingbird
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

/// JSON endpoints with the permissions and actions of the pages.
extension ConsoleServer {
  static let apiPages: [ConsoleRoute] = [
    .json("/api/v1/me") { controller, _ in controller.accountText() },
    .json("/api/v1/cases") { APIText.page("cases", try await $0.queueRows($1.query)) },
    .json("/api/v1/cases/:id") { try await $0.caseText($1["id"]) },
    .json("/api/v1/breaks") { APIText.page("breaks", try await $0.breakRows($1.query)) },
    .json("/api/v1/runs") { APIText.page("runs", try await $0.runRows($1.query)) },
    .json("/api/v1/search") { try await $0.searchText($1.query["q"]) },
    .json("/api/v1/evidence/:hash") { try await $0.evidenceText($1["hash"], of: nil) },
    .rawEvidence("/api/v1/evidence/:hash/raw"),
    .json("/api/v1/cases/:id/evidence/:hash") { try await $0.evidenceText($1["hash"], of: $1["id"]) },
    .rawEvidence("/api/v1/cases/:id/evidence/:hash/raw"),
    .json("/api/v1/batches/:id") { try await $0.batchText($1["id"]) },
  ]
  static let apiForms: [ConsoleRoute] = [
    .json("/api/v1/cases/next") { controller, _ in
      APIText.object([("case_id", try await controller.takeNext().map(ReportText.quoted) ?? "null")])
    },
    .json("/api/v1/cases/:id/:act") { APIText.done(try await $0.act($1["act"], on: $1["id"], $1.form)) },
    .json("/api/v1/bulk") { try await $0.bulkText($1.form, isDryRun: false) },
    .json("/api/v1/bulk/preview") { try await $0.bulkText($1.form, isDryRun: true) },
    .json("/api/v1/batches/:id/undo") { APIText.done(ActOutcome(word: try await $0.undoBatch($1["id"], $1.form))) },
  ]

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
        throw ConsoleFault.invalid(Phrase("fault.no_such_value", ["name": .plain(name), "values": .plain(values.joined(separator: ", "))]))
      }
    }
  }

  func api(_ exchange: Exchange, _ visit: Visitor) async throws -> Response {
    try Self.checkClosedFields(exchange)
    return try await answer(exchange, visit, among: exchange.isPost ? Self.apiForms : Self.apiPages)
  }
}

/// JSON text of tables. Counts are numbers, other values are strings, and missing values are null.
enum APIText {
  static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(ReportText.quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
  }

  static func strings(_ texts: [String]) -> String { "[\(texts.map(ReportText.quoted).joined(separator: ","))]" }

  static func done(_ done: ActOutcome) -> String {
    object([("done", ReportText.quoted(done.word))] + (done.late.isEmpty ? [] : [("late", strings(done.late))]))
  }

  static func rows(_ table: ReportTable, hiding hidden: Set<String>) -> String {
    let places = table.columns.indices.filter { !hidden.contains(table.columns[$0]) }
    let rows = table.rows.map { row in
      object(
        places.map { place in
          let isNumber = place < table.isNumeric.count && table.isNumeric[place]
          return (table.columns[place], row[place].map { isNumber ? $0 : ReportText.quoted($0) } ?? "null")
        })
    }
    return "[" + rows.joined(separator: ",") + "]"
  }

  static func page(_ name: String, _ list: (table: ReportTable, after: String?)) -> String {
    object([(name, rows(list.table, hiding: ["place"])), ("after", list.after.map(ReportText.quoted) ?? "null")])
  }
}

extension CaseController {
  func accountText() -> String {
    APIText.object([
      ("account", ReportText.quoted(visit.account)), ("role", ReportText.quoted(visit.role)), ("inboxes", APIText.strings(visit.inboxes)),
    ])
  }

  func caseText(_ id: String) async throws -> String {
    let head = try await head(of: id)
    let history = try CaseHistory(await table(ConsoleSQL.caseHistory, ["case_id": .text(id)])).table
    let items = try await items(of: head)
    try await viewed(id)
    let fields = [
      "case_id", "status", "severity", "subject_kind", "subject_id", "about", "app", "storefront", "at_stake",
      "opened_at", "due_at", "holder", "lease_until", "assignee", "returns_at", "proposed_action", "proposed_by", "proposed_at",
      "proposal_id",
    ]
    let amount = try head["amount_milliunits"] ?? "null"
    return try APIText.object(
      fields.map { try ($0, head[$0].map(ReportText.quoted) ?? "null") } + [
        ("amount_milliunits", amount), ("currency", head["currency"].map(ReportText.quoted) ?? "null"),
        ("items", APIText.rows(items, hiding: [])), ("history", APIText.rows(history, hiding: [])),
      ])
  }

  func searchText(_ text: String) async throws -> String {
    guard !text.isEmpty else { throw ConsoleFault.invalid("fault.no_query") }
    let known: KnownFacts
    do { known = try await self.known(of: text, includesTrace: true) } catch let error as JobError {
      throw ConsoleFault(status: .notFound, message: ConsoleFault(error).message)
    }
    let tables = [("identities", known.identities), ("timeline", known.timeline), ("evidence", known.evidence)]
    return APIText.object(
      [("id", ReportText.quoted(known.id)), ("known", ReportText.quoted(known.lines.english))]
        + tables.map { ($0.0, $0.1.map { APIText.rows($0, hiding: []) } ?? "[]") })
  }

  func evidenceText(_ hash: String, of caseID: String?) async throws -> String {
    let (fields, _, count) = try await fields(of: hash, caseID)
    let table = ReportTable(columns: ["part", "name", "value"], rows: fields.map { [$0.part, $0.name, $0.value] })
    return APIText.object([("sha256", ReportText.quoted(hash)), ("byte_count", "\(count)"), ("claims", APIText.rows(table, hiding: []))])
  }

  func bulkText(_ form: Form, isDryRun: Bool) async throws -> String {
    let outcome = try await decideMany(form, isDryRun: isDryRun)
    return APIText.object([
      ("batch_id", outcome.batchID.map(ReportText.quoted) ?? "null"), ("decided_count", "\(outcome.decidedCount)"),
      ("left", APIText.strings(outcome.left.map(\.caseID))), ("preview", ReportText.quoted(outcome.preview)),
    ])
  }

  func batchText(_ id: String) async throws -> String {
    let found = try await batchRows(id)
    try await viewed(id)
    return APIText.object([("batch_id", ReportText.quoted(id)), ("decisions", APIText.rows(found, hiding: []))])
  }
}

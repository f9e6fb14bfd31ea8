internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

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
    let fields = ["case_id", "status", "severity", "subject_kind", "subject_id", "about", "app", "storefront", "at_stake",
      "opened_at", "due_at", "holder", "lease_until", "assignee", "returns_at", "proposed_action", "proposed_by", "proposed_at"]
    let amount = try head["amount_milliunits"] ?? "null"
    return try APIText.object(
      fields.map { try ($0, head[$0].map(ReportText.quoted) ?? "null") } + [
        ("amount_milliunits", amount), ("currency", head["currency"].map(ReportText.quoted) ?? "null"),
        ("items", APIText.rows(items, hiding: [])), ("history", APIText.rows(history, hiding: [])),
      ])
  }

  func searchText(_ text: String) async throws -> String {
    guard !text.isEmpty else { throw ConsoleFault(status: .badRequest, message: "fault.no_query") }
    let known: Known
    do { known = try await self.known(of: text, includesTrace: true) } catch let error as JobError {
      throw ConsoleFault(status: .notFound, message: ConsoleFault(error).message)
    }
    let tables = [("identities", known.identities), ("timeline", known.timeline), ("evidence", known.evidence)]
    return APIText.object(
      [("id", ReportText.quoted(known.id)), ("known", ReportText.quoted(known.lines.english))]
        + tables.map { ($0.0, $0.1.map { APIText.rows($0, hiding: []) } ?? "[]") })
  }

  func evidenceText(_ hash: String, of caseID: String?) async throws -> String {
    let (claims, _, count) = try await claims(of: hash, caseID)
    let table = ReportTable(columns: ["part", "name", "value"], rows: claims.map { [$0.part, $0.name, $0.value] })
    return APIText.object([("sha256", ReportText.quoted(hash)), ("byte_count", "\(count)"), ("claims", APIText.rows(table, hiding: []))])
  }

  func bulkText(_ form: Form, isDryRun: Bool) async throws -> String {
    let outcome = try await decideMany(form, isDryRun: isDryRun)
    return APIText.object([
      ("batch_id", outcome.batchID.map(ReportText.quoted) ?? "null"), ("decided_count", "\(outcome.decidedCount)"),
      ("left", APIText.strings(outcome.left.map(\.caseID))),
    ])
  }

  func batchText(_ id: String) async throws -> String {
    let found = try await batchRows(id)
    try await viewed(id)
    return APIText.object([("batch_id", ReportText.quoted(id)), ("decisions", APIText.rows(found, hiding: []))])
  }
}

internal import Cryptography
internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Matching
internal import Postgres
internal import Review

/// What a person sees and does: all of it done by the jobs of the command line, as the account of the visit.
struct ConsoleDesk {
  private static let pageRows = 50
  private static let leaseSeconds: Int64 = 1800
  private static let idCharacters = 32
  private static let queryCharactersMax = 200

  let visit: Visit

  private var context: JobContext { visit.context }
  private var job: CaseJob { CaseJob(context: context) }

  func queue(_ query: Form) async throws -> Page {
    let filters = ["name", "severity", "app", "owner"]
    var parameters: [String: Value] = [
      "as_of": context.asOfValue, "inboxes": .textArray(visit.inboxes), "after": .text(query["after"]),
      "rows": .int8(Int64(Self.pageRows + 1)),
    ]
    for name in filters { parameters[name] = .text(query[name]) }
    let (statement, values) = (try context.sql("console/queue.sql"), parameters)
    let rows = try await context.transaction(as: .review, .readOnlySnapshot) { tx in
      try tx.rows(statement, values) { row throws(PostgresError) in
        [
          "id": try row.text(), "status": try row.text(), "severity": try row.text(), "subject": try row.text(),
          "names": try row.text(), "amount": try row.text(), "due": try row.text(), "holder": try row.text(),
          "place": try row.text(),
        ]
      }
    }
    try await viewed("queue")
    var fields: [String: Any] = ["is_queue": true, "rows": Array(rows.prefix(Self.pageRows))]
    for name in filters { fields[name] = query[name] }
    if rows.count > Self.pageRows, let last = rows.prefix(Self.pageRows).last?["place"] {
      let kept = filters.filter { !query[$0].isEmpty }.map { "\($0)=\(Form.encoded(query[$0]))&" }.joined()
      fields["more"] = "/queue?\(kept)after=\(Form.encoded(last))"
    }
    return Page(title: "Queue", visit: visit, fields: fields)
  }

  func show(_ id: String) async throws -> Page {
    try await checkReach(id)
    let lines = try await job.show(id)
    try await viewed(id)
    return Page(
      title: "Case \(id)", visit: visit,
      fields: [
        "case_id": id, "lines": lines, "can_work": visit.canWork, "can_settle": visit.canSettle,
        "actions": CaseAction.allCases.map(\.rawValue),
      ])
  }

  /// What is known of an id; support looks customers up without an inbox.
  func search(_ text: String) async throws -> Page {
    var fields: [String: Any] = ["is_search": true, "q": text]
    guard !text.isEmpty else { return Page(title: "Search", visit: visit, fields: fields) }
    guard text.count <= Self.queryCharactersMax else {
      throw ConsoleFault(status: .badRequest, message: "That is no id: it is too long.")
    }
    guard visit.inboxes.isEmpty else {
      throw ConsoleFault(status: .forbidden, message: "Accounts with an inbox see its cases alone.")
    }
    let id = try await IDResolver(context: context).whole(text, among: IDKind.explained)
    // An id of a customer is told by its hash, so that it can be forgotten.
    try await viewed("search \(SHA256.hex(Array(id.utf8)))")
    fields["lines"] = try await ExplainJob(context: context).explain(id)
    return Page(title: "Search", visit: visit, fields: fields)
  }

  /// The best case that the account may have; nil when nothing waits.
  func takeNext() async throws -> String? {
    guard visit.canWork else { throw ConsoleFault(status: .forbidden, message: "Your role does not allow this.") }
    let parameters: [String: Value] = [
      "as_of": context.asOfValue, "inboxes": .textArray(visit.inboxes), "after": .text(""), "rows": .int8(Int64(Self.pageRows)),
      "name": .text(""), "severity": .text(""), "app": .text(""), "owner": .text(""),
    ]
    let statement = try context.sql("console/queue.sql")
    return try await context.transaction(as: .review, .readOnlySnapshot) { tx in
      try tx.rows(statement, parameters) { row throws(PostgresError) in
        let found = (id: try row.text(), status: try row.text())
        for _ in 0..<7 { _ = try row.text() }
        return found
      }
    }.first { $0.status == "open" }?.id
  }

  func act(_ name: String, on id: String, _ form: Form) async throws {
    try await checkReach(id)
    let settles = ["approve": CaseJob.Settlement.approved, "reject": .rejected, "withdraw": .withdrawn]
    let isAllowed = ["approve", "reject"].contains(name) ? visit.canSettle : visit.canWork
    guard isAllowed else {
      try await refused(name, id)
      throw ConsoleFault(status: .forbidden, message: "Your role does not allow this.")
    }
    if let settlement = settles[name] { return try await job.settle(id, settlement, by: Person(), reason: form["reason"]) }
    switch name {
    case "take": _ = try await job.take(id, by: Person(), leaseSeconds: Self.leaseSeconds)
    case "release": try await job.release(id, by: Person(), reason: form["reason"])
    case "decide": _ = try await job.decide(id, try decision(form), by: Person())
    default: throw ConsoleFault(status: .notFound, message: "There is no such act.")
    }
  }

  private func decision(_ form: Form) throws -> CaseDecision {
    guard let action = CaseAction(rawValue: form["action"]) else {
      throw ConsoleFault(status: .badRequest, message: "There is no such decision.")
    }
    var decision = CaseDecision(
      action: action, outcome: action == .dismiss ? .falsePositive : .confirmed, reason: form["reason"])
    if !form["order"].isEmpty { decision.orderID = form["order"] }
    if !form["charge"].isEmpty { decision.chargeID = form["charge"] }
    return decision
  }

  /// - Throws: `ConsoleFault` for a case that is not there or in none of the account's inboxes: both look alike.
  private func checkReach(_ id: String) async throws {
    guard id.utf8.count == Self.idCharacters, id.allSatisfy(\.isHexDigit) else {
      throw ConsoleFault(status: .notFound, message: "There is no such case here.")
    }
    let parameters: [String: Value] = [
      "case_id": .text(id), "inboxes": .textArray(visit.inboxes), "as_of": context.asOfValue,
    ]
    let statement = try context.sql("console/reaches.sql")
    let found = try await context.transaction(as: .review, .readOnlySnapshot) { tx in
      try tx.rows(statement, parameters) { row throws(PostgresError) in try row.text() }
    }
    guard found.isEmpty else { return }
    try await refused("view", id)
    throw ConsoleFault(status: .notFound, message: "There is no such case here.")
  }

  private func viewed(_ subject: String) async throws { try await record(.recordViewed, subject, []) }

  private func refused(_ act: String, _ subject: String) async throws {
    try await record(.actRefused, subject, [.text("act", act), .text("role", visit.role)])
  }

  private func record(_ act: AuditAct, _ subject: String, _ details: [AuditEntry.Detail]) async throws {
    let (context, actor) = (context, visit.account)
    try await context.transaction(as: .review) { tx in
      try tx.audit(AuditEntry(actor: actor, act: act, subject: subject, details: details), in: context)
    }
  }
}

internal import Collect
internal import Cryptography
internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

/// The pages and actions of one request. The command line's jobs perform each action as the visiting account.
struct CaseController {
  let visit: Visitor
  var storeAccess: (@Sendable (JobContext) throws -> StoreAccess)?

  var context: JobContext { visit.context }
  var job: CaseJob { CaseJob(context: context, stateSource: storeAccess.map { LimitedStateSource(context: context, access: $0) }) }
  var consoleCases: ConsoleCases { ConsoleCases(context: context) }

  /// Returns the rows of a query, about some ids if it has any. `commonParameters` are passed to every query that has them.
  func table(_ listing: Listing, about ids: CaseIDs? = nil, _ parameters: [String: Value] = [:]) async throws -> ReportTable {
    let bound = try context.sql(listing).picking(from: commonParameters.merging(ids?.parameters ?? [:]) { $1 }).merging(parameters) { $1 }
    var found = try await context.table(listing, bound, as: .review)
    if case .int8(Self.cardRows)? = bound["rows"], found.rows.count == Int(Self.cardRows) {
      found.rows.removeLast()
      found.isTruncated = true
    }
    return found
  }

  /// The account, its inboxes, the clock, and the limits of a card.
  var commonParameters: [String: Value] {
    [
      "account": .text(visit.account), "inboxes": .textArray(visit.inboxes), "as_of": context.asOfValue, "rows": .int8(Self.cardRows),
      "orders": .int8(Int64(ConsoleLimits.linkedOrdersMax)), "decisions": .int8(Int64(ConsoleLimits.similarMax)),
    ]
  }

  /// - Throws: `ConsoleFault` for an account that is limited to its inboxes.
  func checkSeesAll() throws {
    guard visit.seesAll else { throw ConsoleFault(status: .forbidden, message: "fault.inbox_alone") }
  }

  /// - Throws: `ConsoleFault` for a text of more than `max` characters.
  static func checkLength(_ text: String, _ max: Int, _ what: Phrase) throws {
    guard text.count <= max else { throw ConsoleFault.invalid(Phrase("fault.too_long", ["what": what, "max": .plain("\(max)")])) }
  }

  /// Whether a text is a payrecon id: 32 lowercase hexadecimal digits, or 64 for a hash.
  static func isID(_ text: String, digits: Int = 32) -> Bool {
    text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Makes a change and records it in the audit chain, in one transaction; returns whether there was something to change.
  @discardableResult
  func record(
    _ act: AuditAct, of subject: String, _ details: [AuditEntry.Detail] = [],
    with change: @Sendable (inout DatabaseTransaction) throws -> Bool = { _ in true }
  ) async throws -> Bool {
    try await context.transaction(as: .review) { tx in
      guard try change(&tx) else { return false }
      try tx.audit(AuditEntry(actor: visit.account, act: act, subject: subject, details: details), in: context)
      return true
    }
  }

  /// Records a view in the audit chain, before the record is shown.
  func viewed(_ subject: String, _ details: [AuditEntry.Detail] = []) async throws {
    try await record(.recordViewed, of: subject, details)
  }

  func refused(_ path: String, _ status: HTTPResponse.Status) async throws {
    try await record(.actRefused, of: path, [.text("role", visit.role), .number("status", Int64(status.code))])
  }

  static func paged(_ table: ReportTable) throws -> (table: ReportTable, after: String?) {
    guard table.rows.count > ConsoleLimits.pageRows else { return (table, nil) }
    var page = table
    page.rows = Array(table.rows.prefix(ConsoleLimits.pageRows))
    return try (page, page.records.last.map { try withChecksum($0.text("place")) })
  }

  /// Returns a list position with a checksum that detects a truncated or mistyped address. The checksum protects no secret.
  private static func withChecksum(_ place: String) -> String { "\(place)~\(SHA256.hex(Array(place.utf8)).prefix(8))" }

  /// Returns the position after which the requested page begins; empty for the first page.
  ///
  /// - Throws: `ConsoleFault` if the checksum is wrong, because a damaged position could make the list look empty.
  private static func place(in query: Form) throws -> Value {
    let text = query["after"]
    guard !text.isEmpty else { return .text("") }
    try checkLength(text, ConsoleLimits.queryCharactersMax, "term.after")
    guard let end = text.lastIndex(of: "~"), case let place = String(text[..<end]), withChecksum(place) == text else {
      throw ConsoleFault.invalid("fault.no_place")
    }
    return .text(place)
  }

  static func page(of query: Form, by filters: [String]) throws -> [String: Value] {
    guard !filters.contains("severity") || query["severity"].isEmpty || Severity(rawValue: query["severity"]) != nil else {
      throw ConsoleFault.invalid("fault.no_severity")
    }
    var parameters: [String: Value] = ["after": try place(in: query), "rows": .int8(Int64(ConsoleLimits.pageRows + 1))]
    for name in filters {
      try checkLength(query[name], ConsoleLimits.queryCharactersMax, "term.filter")
      parameters[name] = .text(query[name])
    }
    return parameters
  }

  /// Returns the class or rule that a list is limited to; an empty text for all.
  ///
  /// - Throws: `ConsoleFault` for an unknown one, because an empty list for a misspelt name would look like good news.
  func filteredName(_ query: Form) throws -> Value {
    let name = query["name"].uppercased()
    guard try name.isEmpty || RuleCatalogue.names(context.sql).contains(name) else { throw ConsoleFault.invalid("fault.no_name") }
    return .text(name)
  }

  static func severities(_ query: Form) -> [[String: Any]] {
    Severity.allCases.map { severity in
      ["value": severity.rawValue, "words": Section.shown(severity.rawValue, "severity"), "chosen": query["severity"] == severity.rawValue]
    }
  }

  /// Returns the text of an empty list. It differs if a filter is set.
  static func nothing(_ phrase: Phrase, _ query: Form, by names: [String]) -> Phrase {
    (names + ["after"]).allSatisfy { query[$0].isEmpty } ? phrase : "list.nothing_of_these"
  }

  static func address(_ path: String, _ query: Form, keeping names: [String], after: String = "") -> String {
    let kept = names.filter { !query[$0].isEmpty }.map { "\($0)=\(PercentEncoding.of(query[$0]))" }
    let fields = kept + (after.isEmpty ? [] : ["after=\(PercentEncoding.of(after))"])
    return fields.isEmpty ? path : "\(path)?\(fields.joined(separator: "&"))"
  }
}

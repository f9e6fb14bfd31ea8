public import Collect
public import JobCore
internal import Domain
internal import JSON
internal import Matching
internal import Postgres
internal import Wording

/// Answers support's question about an id, from the database or else from Apple.
public struct LookupJob: Sendable {
  let context: JobContext
  /// Reads the keys. Called only for an id that the database does not know.
  let access: @Sendable () throws -> StoreAccess

  public init(context: JobContext, access: @autoclosure @escaping @Sendable () throws -> StoreAccess) {
    self.context = context
    self.access = access
  }

  /// Returns the facts about an order, transaction, charge, break, user, token or device, or about Apple's order id of an invoice.
  /// A prefix of the id suffices for all but the last.
  ///
  /// Apple's answer is stored as evidence. The next match assigns it to a charge.
  /// - Throws: `JobError` if neither the database nor Apple knows the id, or if several ids have the prefix.
  public func run(_ text: String) async throws -> String {
    let (id, isAsked, found) = try await find(text)
    return ((isAsked ? ["Apple knows \(id):"] : []) + found.map(\.text.english)).joined(separator: "\n")
  }

  /// Returns the result of `run` as one JSON object, with Apple's answer as fields.
  ///
  /// - Throws: the errors of `run`.
  public func json(_ text: String) async throws -> String {
    let (id, isAsked, found) = try await find(text)
    var answer = JSONObject()
    answer.append("id", .string(id))
    answer.append("is_asked_from_apple", .bool(isAsked))
    answer.append("lines", .array(JSONArray(found.flatMap { $0.lines + $0.facts.map(\.line) }.map { .string($0.english) })))
    for (name, kind) in Self.lists {
      let facts = found.flatMap(\.facts).filter { $0.kind == kind }.compactMap(\.fields)
      let objects = try facts.map { JSONValue.object(try JSONObject(parsing: Array($0.utf8)[...])) }
      answer.append(name, .array(JSONArray(objects)))
    }
    return String(decoding: JSONText.bytes(answer), as: UTF8.self)
  }

  /// Members of the JSON object, by the kind of Apple's fact.
  private static let lists = [
    ("subscriptions", "subscription"), ("open_requests", "request"), ("consumption_answers", "answer"),
    ("notifications", "notification"), ("sources_not_asked", "source"),
  ]

  /// Returns whether the command looks at the past, where an answer of today does not belong.
  private func isPast() async throws -> Bool {
    guard context.isClockGiven else { return false }
    let (clock, files) = (context.asOf, context.sql)
    return try await context.transaction(as: .report, .readOnlySnapshot) { tx in try tx.knowsMore(than: clock, files: files) }
  }

  /// Maximum number of open parked items that are searched for an id, the newest first, and of those that are shown.
  static let parkedSearchedMax = 10_000
  static let parkedShownMax = 5
  /// A shorter number is not searched in parked items: it would be found in amounts and dates.
  private static let numberLengthMin = 4

  /// Returns a line for each open parked item that names an id.
  private func parkedLines(_ id: String) async throws -> [Phrase] {
    let isNumber = id.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard !id.isEmpty, !isNumber || id.utf8.count >= Self.numberLengthMin else { return [] }
    let file = try context.sql(ParkedSQL.itemsNaming)
    let values: [String: Value] = [
      "id": .text(id), "as_of": context.asOfValue, "searched_max": .int8(Int64(Self.parkedSearchedMax)),
      "row_max": .int8(Int64(Self.parkedShownMax)),
    ]
    let found = try await context.transaction(as: .report, .readOnlySnapshot) { tx in try tx.rows(file, values) }
    return try found.map { parked, kind, file, line, field, reason in
      let place = field.isEmpty ? "" : "\(field): "
      let why = try Phrase(json: reason)
      return .plain(
        "Line \(line) of \(kind) file \"\(file)\" names \(id) and is parked: \(place)\(why). Nothing above contains it. "
          + "Correct the cause, then: payrecon deadletter retry \(parked)")
    }
  }

  /// Returns the command that shows an id of another kind, a case or a run, or the beginning of one; nil if the id is neither.
  private func otherCommand(_ id: String) async throws -> Explanation? {
    let found = try await IDResolver(context: context).candidates(id, among: [.caseID, .run])
    guard found.count == 1, let known = found.first else { return nil }
    let command = known.kind == .run ? "payrecon runs show" : "payrecon queue show"
    return Explanation(lines: [.plain("\(known.id) is a \(known.kind.rawValue): \(command) \(known.id) shows it.")])
  }

  private func find(_ text: String) async throws -> (id: String, isAsked: Bool, found: [Explanation]) {
    let typed = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    let id = try await IDResolver(context: context).completed(typed, among: IDKind.explainable)
    let parked = try await parkedLines(id)
    do {
      var found = try await ExplainJob(context: context).explanations(of: [id])
      found[found.count - 1].lines += parked
      return (id, false, found)
    } catch let error as JobError where error.isNotFound {
      if !parked.isEmpty { return (id, false, [Explanation(lines: parked)]) }
      if let other = try await otherCommand(id) { return (id, false, [other]) }
      guard try await !isPast() else {
        throw error.adding("Apple was not asked: \(context.asOf.rfc3339) is in the past, before facts that are known here")
      }
      let question = AppleQuestion(context: context, access: try access())
      guard question.canAsk else { throw error.adding("Apple was not asked: no app of the settings has an API key") }
      let found = try await question.ask(id)
      guard !found.isEmpty else { throw error.adding("Apple was asked, and does not know it either") }
      return (id, true, try await ExplainJob(context: context).explanations(of: found))
    }
  }
}

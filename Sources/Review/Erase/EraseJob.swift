internal import Domain
internal import Intake
public import JobCore
internal import Postgres

/// Erasure of a person. The books continue under an irreversible pseudonym.
public struct EraseJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// The changes made, or expected in a dry run.
  public struct Outcome: Sendable {
    public var pseudonym: String
    /// Whether the user was erased before, so that nothing changed.
    public var isRepeated = false
    public var changes: [(table: String, count: Int)]
  }

  /// Replaces a user id by its pseudonym in all tables written by payrecon, in one transaction.
  ///
  /// - Parameters:
  ///   - person: name of the responsible person; the account is also recorded.
  ///   - isDryRun: whether the changes are rolled back.
  /// - Throws: `JobError` if the user is unknown, or with status 4 while another writing job runs.
  public func run(userID: String, by person: Person, reason: String, isDryRun: Bool) async throws -> Outcome {
    guard !userID.isEmpty, !reason.isBlank else { throw JobError("could not erase: user and reason must be said", status: .usage) }
    guard !Self.names(userID, in: reason) else {
      throw JobError(
        "could not erase: the reason names the user", hint: "The audit chain keeps reasons for ever; name a ticket.",
        status: .usage)
    }
    return try await context.withSession(as: .erase) { session in
      let actor = try await session.actor(person, in: context)
      // Prevents a running job from writing the old name after the erasure.
      try await JobLock.take(JobLock.writers, on: session, in: context)
      return try await erase(userID, by: actor, reason: reason, isDryRun: isDryRun, on: session)
    }
  }

  /// Erases as `run`, on a session that has the locks of all writers.
  func erase(_ userID: String, by actor: Actor, reason: String, isDryRun: Bool, on session: Session) async throws -> Outcome {
    // On one snapshot, each entry that a page view appends to the audit chain would be a conflict.
    try await session.deciding(isDryRun: isDryRun, in: .readWrite) { tx in
      let outcome = try rename(userID, in: &tx)
      guard !outcome.isRepeated else { return outcome }
      let counts = outcome.changes.map { AuditEntry.Detail.number($0.table, Int64($0.count)) }
      try tx.audit(
        AuditEntry(
          actor: actor.name, act: .personErased, subject: outcome.pseudonym,
          details: [.text("account", actor.account), .text("reason", reason)] + counts), in: context)
      return outcome
    }
  }

  private func rename(_ userID: String, in tx: inout DatabaseTransaction) throws -> Outcome {
    let (isKnown, erasedAs) = try tx.rows(context.sql(EraseSQL.known), ["user_id": .text(userID)])[0]
    if let erasedAs { return Outcome(pseudonym: erasedAs, isRepeated: true, changes: []) }
    guard isKnown else { throw JobError("could not erase: no user, order or upload has this user id") }
    let person: [String: Value] = ["user_id": .text(userID), "erased_at": context.asOfValue]
    guard let (pseudonym, pattern) = try tx.rows(context.sql(EraseSQL.tombstone), person).first else {
      throw JobError("could not erase: somebody else is erasing this user", status: .temporary)
    }
    let bytes = ErasedBytes(of: userID, by: pseudonym)
    let others = try parkedRowsOfOthers(than: userID, bytes, &tx)
    let all: [String: Value] = [
      "user_id": .text(userID), "erased_at": context.asOfValue, "pseudonym": .text(pseudonym), "pattern": .text(pattern),
      "byte_forms": .textArray(bytes.forms), "byte_patterns": .textArray(bytes.patterns),
      "byte_replacements": .textArray(bytes.replacements), "other_rows": .textArray(others),
    ]
    return Outcome(pseudonym: pseudonym, changes: try EraseSQL.tables.map { ($0.name, try replace(in: $0, all, &tx)) })
  }

  /// Whether a text contains a user id that is not inside a word of Latin letters and digits. Other scripts write words without spaces.
  private static func names(_ userID: String, in text: String) -> Bool {
    func isOfWord(_ character: Character?) -> Bool {
      character.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? false
    }
    return text.ranges(of: userID).contains { !isOfWord(text[..<$0.lowerBound].last) && !isOfWord(text[$0.upperBound...].first) }
  }

  /// Returns the ids of parked rows that contain the bytes of the user id, but are rows of other users.
  private func parkedRowsOfOthers(
    than userID: String, _ bytes: ErasedBytes, _ tx: inout DatabaseTransaction
  ) throws -> [String] {
    try tx.rows(context.sql(EraseSQL.parkedRows), ["byte_forms": .textArray(bytes.forms)]).compactMap { id, name, file, header, raw in
      // A file that was rejected as a whole has many rows.
      guard let kind = InputKind(rawValue: name), !raw.contains(UInt8(ascii: "\n")) else { return nil }
      let mappings: [InputMapping?] = [nil] + context.settings.inputs[kind].mappings.flatMap { [$0, $0.ofDatabaseRows] }
      let users = mappings.flatMap { mapping in
        kind == .orders
          ? namedUsers(OrderRow.self, raw, header, file, mapping) : namedUsers(UserRow.self, raw, header, file, mapping)
      }
      return users.isEmpty || users.contains(userID) ? nil : id
    }
  }

  /// Returns the user and the operator that a parked row names; none if its user cannot be read.
  private func namedUsers<Row: InputRow>(
    _ type: Row.Type, _ raw: [UInt8], _ header: [UInt8]?, _ file: String, _ mapping: InputMapping?
  ) -> [String] {
    guard var reader = try? RowFileReader<Row>(bytes: raw, header: header, file: file, mapping: mapping), (try? reader.next()) != nil
    else { return [] }
    let values = reader.lastValues.filter { ["user_id", "operator_id"].contains($0.column) }
    return values.contains { $0.column == "user_id" } ? values.map(\.value) : []
  }

  private func replace(in table: EraseSQL.Table, _ values: [String: Value], _ tx: inout DatabaseTransaction) throws -> Int {
    if let statement = table.statement {
      let file = try context.sql(statement)
      return try tx.run(file, file.picking(from: values))
    }
    let file = try context.sql(EraseSQL.columns)
    let named: [String: Value] = [
      "table": .text(table.name), "columns": .textArray(table.columns.map(\.key)), "kinds": .textArray(table.columns.map(\.value.rawValue)),
    ]
    return Int(try tx.rows(file, file.picking(from: values).merging(named) { $1 })[0])
  }
}

extension JobLock {
  /// Locks of all jobs that write user ids.
  static let writers: [JobLock] = [
    .nightly, .orders, .users, .apple, .match, .detect, .collect, .renewals,
  ]
}

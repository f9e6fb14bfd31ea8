internal import Domain
internal import Postgres

/// Tells what happened to an id, as a person would: what was compared, which rung or rule decided, on which evidence.
public struct ExplainJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// The bytes of a piece of evidence, as Apple or a client handed them over.
  ///
  /// - Parameter sha256: the item's hash, in hexadecimal.
  /// - Throws: `JobError` when there is no such evidence.
  public func evidenceBytes(_ sha256: String) async throws -> [UInt8] {
    let session = try await context.open(as: .report)
    let file = try context.sql("explain/evidence_bytes.sql")
    let found = try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(file, ["sha256": .text(sha256)]) { row throws(PostgresError) in try row.bytes() }
    }
    await session.close()
    guard let bytes = found.first else {
      throw JobError("could not find evidence \"\(sha256)\"", hint: "Hashes are listed by: payrecon export evidence.")
    }
    return bytes
  }

  /// Lines on every order, charge and break that an id leads to.
  ///
  /// - Parameter id: order id, transaction id, original transaction id, line item, charge id, break id or evidence hash.
  /// - Throws: `JobError` when nothing is known about it.
  public func explain(_ id: String) async throws -> String {
    let session = try await context.open(as: .report)
    let sql = context.sql
    let lines = try await session.transaction(.readOnlySnapshot) { tx in
      func text(_ file: String, _ subject: String, _ tx: inout Transaction) throws -> [String] {
        try tx.rows(sql("explain/\(file).sql"), ["id": .text(subject)]) { row throws(PostgresError) in try row.text() }
      }
      let subjects = try tx.rows(sql("explain/subject.sql"), ["id": .text(id)]) { row throws(PostgresError) in
        (kind: try row.text(), id: try row.text())
      }
      var lines: [String] = []
      for subject in subjects {
        lines += try text(subject.kind == "order" ? "order" : "charge", subject.id, &tx)
        lines += try text("breaks", subject.id, &tx)
        lines += try text("signals", subject.id, &tx)
      }
      if subjects.isEmpty { lines = try text("breaks", id, &tx) + text("signals", id, &tx) }
      return lines
    }
    await session.close()
    guard !lines.isEmpty else {
      throw JobError(
        "could not find \"\(id)\" among orders, transactions, charges, breaks and evidence",
        hint: "Check the spelling; ids are compared exactly.")
    }
    var seen = Set<String>()
    let repeated = ["break ", "pending ", "signal "]
    return lines.filter { line in
      !repeated.contains { line.hasPrefix($0) } || seen.insert(line).inserted
    }.joined(separator: "\n")
  }
}

internal import Cryptography
internal import Domain
public import JobCore
internal import Postgres

extension CaseJob {
  public static let attachmentBytesMax = 4 << 20
  public static let attachmentsMax: Int64 = 20
  public static let attachmentCharactersMax = 100

  /// Attaches a file to a case, without a leading path of its name. Returns the SHA-256 of its bytes.
  ///
  /// - Throws: `JobError` if the file is empty, too large or already attached, or if the case has too many.
  @discardableResult
  public func attach(_ caseID: String, _ bytes: [UInt8], name: String, by person: Person) async throws -> String {
    let name = String((name.split { $0 == "/" || $0 == "\\" }.last ?? "").filter { !$0.isNewline && $0 != "\0" })
    guard (1...Self.attachmentBytesMax).contains(bytes.count), (1...Self.attachmentCharactersMax).contains(name.count) else {
      throw JobError("refusal.attach", ["bytes": "\(Self.attachmentBytesMax)", "max": "\(Self.attachmentCharactersMax)"], status: .usage)
    }
    let hash = SHA256.hex(bytes)
    try await withSession(of: person, [caseID]) { session, cases in
      _ = try await cases.state(on: session)
      let values: [String: Value] = [
        "sha256": .text(hash), "name": .text(name), "body": .bytes(bytes), "attachments": .int8(Self.attachmentsMax),
      ]
      try await session.retrying { tx in
        guard try cases.run(QueueSQL.attach, values, in: &tx) == 1 else {
          throw JobError("refusal.attached", ["id": caseID, "max": "\(Self.attachmentsMax)"])
        }
        // The file name may name a person, so the audit chain omits it.
        try cases.audit(.attachmentAdded, [.text("sha256", hash)], in: &tx)
      }
    }
    return hash
  }

  /// Returns the attachments of a case, newest first. The column `attachment` is the SHA-256 of each file.
  package func attachments(_ caseID: String) async throws -> ReportTable {
    try await context.table(QueueSQL.attachments, ["case_id": .text(caseID), "as_of": context.asOfValue], as: .review)
  }

  /// Returns the bytes of an attachment and records the view in the audit chain.
  ///
  /// - Throws: `JobError` if the file is not attached or was erased with the person.
  public func attachment(_ caseID: String, _ hash: String, by person: Person) async throws -> [UInt8] {
    try await withSession(of: person, [caseID]) { session, cases in
      try await session.retrying { tx in
        guard let bytes = try cases.rows(QueueSQL.attachment, ["sha256": .text(hash)], in: &tx).first else {
          throw JobError("refusal.find_file", ["file": hash, "case": caseID], hint: "See payrecon queue attachments.")
        }
        try cases.audit(.recordViewed, [.text("attachment", hash)], in: &tx)
        return bytes
      }
    }
  }
}

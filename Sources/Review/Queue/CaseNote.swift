internal import Domain
public import JobCore
internal import Postgres

extension CaseJob {
  public static let noteCharactersMax = 4000

  /// Adds a note to a case.
  ///
  /// - Throws: `JobError` for a note that is empty or too long.
  public func note(_ caseID: String, _ note: String, by person: Person) async throws {
    guard !note.isBlank, note.count <= Self.noteCharactersMax else {
      throw JobError("refusal.note", ["max": "\(Self.noteCharactersMax)"], status: .usage)
    }
    try await withSession(of: person) { session, actor in
      let context = context
      let parameters: [String: Value] = [
        "case_id": .text(caseID), "person": .text(actor.name), "note": .text(note), "as_of": context.asOfValue,
      ]
      try await session.retrying { tx in
        guard try tx.run(context.sql(ConsoleSQL.note), parameters) == 1 else { return }
        // A note may name a person, so the permanent audit chain omits its text.
        try tx.audit(Self.entry(.noteAdded, caseID, actor), in: context)
      }
    }
  }
}

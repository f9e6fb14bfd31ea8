internal import Domain
public import JobCore
internal import Postgres
internal import Wording

/// A job that explains an id to a reader: the compared fields, the deciding rung or rule, and its evidence.
public struct ExplainJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Returns the original bytes of a piece of evidence or of a quarantine sample.
  ///
  /// - Parameter sha256: the item's hash, in hexadecimal.
  /// - Throws: `JobError` if there is no such evidence.
  public func evidenceBytes(_ sha256: String) async throws -> [UInt8] { try await evidence(sha256).bytes }

  /// Returns the text from which a hash was computed.
  ///
  /// This is the evidence itself, except for an unsigned item inside a container that is not genuine. The text of such an item is the
  /// container's hash in hexadecimal, followed by the item's bytes.
  ///
  /// - Returns: the text, and the hash of the container if the text begins with it.
  public func hashedText(_ sha256: String) async throws -> (bytes: [UInt8], container: String?) {
    let (bytes, container) = try await evidence(sha256)
    return (Array((container ?? "").utf8) + bytes, container)
  }

  private func evidence(_ sha256: String) async throws -> (bytes: [UInt8], container: String?) {
    let file = try context.sql(ExplainSQL.evidenceBytes)
    let found = try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try tx.rows(file, ["sha256": .text(sha256)])
    }
    guard let found = found.first else {
      throw JobError(
        "refusal.find_evidence", ["id": sha256],
        hint: "Hashes are listed by payrecon export evidence and export quarantine; of a sample that the quarantine kept no longer, only "
          + "the hash in a report is left.")
    }
    return found
  }

  /// Returns English lines on every order, charge, break and user to which an id leads, as of the clock if one was given.
  ///
  /// The ladder decides everything connected to the id again; its trace gives the reasons. Nothing is written.
  ///
  /// - Parameter id: an order, transaction, original transaction, line item, charge, break, evidence hash, user, app account token or
  ///   device.
  /// - Throws: `JobError` if the id is unknown.
  public func explain(_ id: String) async throws -> String {
    try await explanations(of: [id], hasFacts: false).first?.text.english ?? ""
  }

  /// Returns the explanations of several ids in their order, with one decision for all.
  ///
  /// - Parameters:
  ///   - includesTrace: whether the ladder decides again. Otherwise the lines contain only recorded decisions, without rungs.
  ///   - hasFacts: whether to add Apple's statements about the subscriptions and refunds.
  /// - Throws: `JobError` if an id is unknown.
  public func explanations(of ids: [String], includesTrace: Bool = true, hasFacts: Bool = true) async throws -> [Explanation] {
    let context = context
    let explanations = try await context.withSession(as: .report) { session in
      try await session.deciding(isDryRun: true) { tx in
        let isPast = try context.isClockGiven && tx.lookBack(to: context.asOf, files: context.sql)
        let builder = ExplanationBuilder(context: context, isPast: isPast, includesTrace: includesTrace)
        return try builder.explanations(of: ids, hasFacts: hasFacts, &tx)
      }
    }
    for (id, explanation) in zip(ids, explanations) {
      guard !explanation.lines.isEmpty else {
        throw JobError("refusal.find", ["id": id], hint: "Check the spelling: letter case and leading zeros count.", isNotFound: true)
      }
    }
    return explanations
  }
}

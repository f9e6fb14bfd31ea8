internal import Domain
public import JobCore
internal import Postgres

/// Tells what happened to an id, as a person would: what was compared, which rung or rule decided, on which evidence.
public struct ExplainJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// The bytes of a piece of evidence, or of a sample of the quarantine, as they were handed over.
  ///
  /// - Parameter sha256: the item's hash, in hexadecimal.
  /// - Throws: `JobError` when there is no such evidence.
  public func evidenceBytes(_ sha256: String) async throws -> [UInt8] { try await evidence(sha256).bytes }

  /// The text that has a hash, to be held against it: the bytes of the evidence.
  ///
  /// What has no signature of its own and lies in something that is not genuine is known by the hash of both. Its text is the hash
  /// of the container, in hexadecimal, and its own bytes behind it.
  /// - Returns: the text, and the hash of the container where the text begins with it.
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
        "could not find evidence \"\(sha256)\"",
        hint: "Hashes are listed by payrecon export evidence and export quarantine; of a sample that the quarantine kept no longer, only "
          + "the hash in a report is left.")
    }
    return found
  }

  /// Lines on every order, charge, break and user that an id leads to, as they were known at the clock when one was given.
  ///
  /// The ladder decides again on all that bears on the id, and its trace gives the reasons. The role may not write.
  ///
  /// - Parameters:
  ///   - id: order id, transaction id, original transaction id, line item, charge id, break id, evidence hash, user id, app account
  ///     token or device.
  ///   - climbs: whether the ladder decides again; otherwise only what is recorded is given, without the rungs.
  /// - Throws: `JobError` when nothing is known about it.
  public func explain(_ id: String, climbs: Bool = true) async throws -> String {
    try await explain([id], climbs: climbs).first ?? ""
  }

  /// The same of several ids, in their order, by one decision for all of them.
  ///
  /// - Throws: as for one.
  public func explain(_ ids: [String], climbs: Bool = true) async throws -> [String] {
    try await explained(ids, climbs: climbs, hasFacts: false).map(\.text)
  }

  /// The same, and what Apple said about the subscriptions and refunds behind each id.
  ///
  /// - Throws: as for one.
  public func explained(_ ids: [String], climbs: Bool = true) async throws -> [Explained] {
    try await explained(ids, climbs: climbs, hasFacts: true)
  }

  private func explained(_ ids: [String], climbs: Bool, hasFacts: Bool) async throws -> [Explained] {
    let context = context
    let told = try await context.withSession(as: .report) { session in
      try await session.deciding(isDryRun: true) { tx in
        let isPast = try context.isClockGiven && tx.lookBack(to: context.asOf, files: context.sql)
        return try Explanation(context: context, isPast: isPast, climbs: climbs).explained(ids, hasFacts: hasFacts, &tx)
      }
    }
    for (id, explained) in zip(ids, told) {
      guard !explained.lines.isEmpty else {
        throw JobError(
          "could not find \"\(id)\" among orders, transactions, charges, breaks, evidence, users, tokens and devices",
          hint: "Check the spelling: letter case and leading zeros count.", isNotFound: true)
      }
    }
    return told
  }
}

package import JobCore
package import Postgres

/// The members of each partition of a run: whole components, computed once for all partitions.
///
/// Every connected component ends with one label, which determines its partition. Most components belong to one user and have that user's
/// label at once. The few keys that connect several users, or charges without a user, are merged in iterations.
package struct PieceMembers {
  /// Maximum nesting depth of evidence. An answer contains notifications, which contain transactions.
  private static let levelsMax = 64
  /// Maximum number of iterations that merge labels. Two iterations at least halve the labels.
  private static let roundsMax = 64

  let context: JobContext

  package init(context: JobContext) { self.context = context }

  /// Assigns all rows to partitions.
  ///
  /// - Parameter shares: number of partitions.
  /// - Throws: `JobError` if evidence is nested, or users are connected, beyond the maximum number of iterations.
  package func deal(to shares: Int32, for job: DecisionState.Name, _ tx: inout DatabaseTransaction) throws {
    try tx.execute("set local enable_nestloop = off")
    try tx.run(context.sql(PiecesSQL.evidence))
    try rounds(Self.levelsMax, of: "evidence that lies in other evidence", &tx) { tx in
      try tx.run(context.sql(PiecesSQL.innerEvidence)) > 0
    }
    for script in PiecesSQL.labels { try tx.run(context.sql(script)) }
    try rounds(Self.roundsMax, of: "what ties users together", &tx) { tx in
      guard try tx.rows(context.sql(PiecesSQL.hasTies)).first == true else { return false }
      try tx.run(context.sql(PiecesSQL.hook))
      try rounds(Self.roundsMax, of: "what ties users together", &tx) { tx in try tx.run(context.sql(PiecesSQL.follow)) > 0 }
      try tx.run(context.sql(PiecesSQL.contract))
      return true
    }
    _ = try tx.run(context.sql(PiecesSQL.members), ["job": .text(job.rawValue), "share_count": .int4(shares)])
    try tx.execute("set local enable_nestloop = on")
  }

  private func rounds(
    _ most: Int, of what: String, _ tx: inout DatabaseTransaction, _ goesOn: (inout DatabaseTransaction) throws -> Bool
  ) throws {
    for _ in 0..<most where try !goesOn(&tx) { return }
    throw JobError(
      "could not cut everything into pieces: \(what) is farther apart than \(most) steps",
      hint: "Decide with --pieces 1, and see what payrecon doctor says of hubs.")
  }
}

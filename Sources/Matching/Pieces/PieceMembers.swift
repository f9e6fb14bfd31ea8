package import JobCore
package import Postgres

/// What each piece of a run holds: whole components, found once for all pieces when they are cut.
///
/// Whatever hangs together, as a `Component` does, has one label in the end, by which it is dealt out. Nearly all of it is one user's
/// and has that user's label at once; what ties several users, or charges that are nobody's, is little, and is followed in rounds.
package struct PieceMembers {
  /// Levels of evidence in evidence; an answer holds notifications, which hold transactions.
  private static let levelsMax = 64
  /// Rounds in which labels that are one become one: two at least halve them.
  private static let roundsMax = 64

  let context: JobContext

  package init(context: JobContext) { self.context = context }

  /// Deals out everything there is.
  ///
  /// - Parameter shares: how many pieces there are.
  /// - Throws: `JobError` where evidence lies deeper, or users are tied farther, than anybody looks.
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

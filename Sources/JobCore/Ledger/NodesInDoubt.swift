internal import Domain
internal import Logging
internal import Postgres

extension JobContext {
  /// Maximum number of seconds for a node to finish earlier commits. Citus recovers them once a minute.
  private static let waitSecondsMax = 150

  /// Waits until all nodes have finished earlier commits. Until then, parts of them are not readable.
  ///
  /// - Throws: `JobError` with status 75 if a node does not answer or takes too long.
  func awaitNodes(on session: Session) async throws {
    for second in 0... {
      let nodes = try await rows(RunsSQL.nodesInDoubt, on: session)
      if let (node, fault) = nodes.first(where: { $0.1 != nil }) {
        throw JobError(
          "could not start: the node \(node), which holds a part of the tables, does not answer: \(fault ?? "")",
          hint: "Start again when it does; nothing was changed.", status: .temporary)
      }
      guard let (node, _) = nodes.first else { return }
      guard second < Self.waitSecondsMax else {
        throw JobError(
          "could not start: the node \(node) has not finished what was committed before it failed",
          hint: "An administrator has it do so: select recover_prepared_transactions(); then start again; nothing was changed.",
          status: .temporary)
      }
      if second == 0 { log.notice("waiting until nodes have finished what was committed", metadata: ["node": "\(node)"]) }
      try await Task.sleep(for: .seconds(1))
    }
  }
}

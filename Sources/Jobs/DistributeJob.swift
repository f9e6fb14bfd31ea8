internal import Cryptography
internal import Domain
public import JobCore
internal import Postgres

/// Distributes the large tables over the nodes of a Citus server.
public struct DistributeJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Distributes the tables. Acts as the login itself, because it lets roles log in on other nodes.
  ///
  /// - Returns: the changes, one line each.
  /// - Throws: `JobError` if the server cannot distribute tables.
  public func run() async throws -> [String] {
    var connection = context.connection
    connection.role = nil
    let migrator = Migrator(files: context.sql, hash: { SHA256.hex($0) })
    let outcome: Distribution.Outcome
    do {
      outcome = try await Session.open(connection).use { try await migrator.distribute($0) }
    } catch let error as MigrationError {
      throw JobError(error.description, status: .usage)
    }
    var lines = ["Citus \(outcome.version), \(outcome.nodeCount) nodes that hold parts of tables"]
    if outcome.unchangedCount > 0 { lines.append("\(outcome.unchangedCount) tables were distributed before") }
    let (added, removed) = (outcome.distributed, outcome.undistributed)
    if !added.isEmpty { lines.append("spread by their keys: \(added.joined(separator: ", "))") }
    if !removed.isEmpty { lines.append("on one node again: \(removed.joined(separator: ", "))") }
    return lines + (added.isEmpty && removed.isEmpty ? ["nothing was left to do"] : [])
  }
}

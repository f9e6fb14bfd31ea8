internal import Domain
internal import Logging
package import Postgres

/// Advisory locks: one writer for each kind of work.
package enum JobLock: Int64, Sendable {
  case orders = 0x7061_7901, users, catalogue, apple, match, detect, nightly, collect, renewals, retain, finance, tieout, reports
  case webhooks, trials, consumption
}

extension InputKind {
  package var lock: JobLock {
    switch self {
    case .orders: .orders
    case .users: .users
    case .catalogue: .catalogue
    case .apple: .apple
    case .finance, .bank: .finance
    }
  }
}

extension JobLock {
  /// Maximum number of seconds for a node to finish earlier commits. Citus recovers them once a minute.
  private static let waitSecondsMax = 150

  /// Takes the lock until the session ends. Throws as `take(_:on:in:)`.
  package func take(on session: Session, in context: JobContext) async throws {
    try await Self.take([self], on: session, in: context)
  }

  /// Takes locks until the session ends, and waits until all nodes of the server have finished earlier commits. Until then, parts of
  /// them are not readable.
  ///
  /// - Throws: `JobError` with status 4 if another process has a lock, naming it; with status 75 if a node does not answer or takes too
  ///   long.
  package static func take(_ locks: [JobLock], on session: Session, in context: JobContext) async throws {
    var keys = locks.map { "\($0.rawValue)" }
    for second in 0... {
      let rows = try await context.rows(RunsSQL.takeLocks, ["keys": .textArray(keys)], on: session)
      if let key = rows.first?.0 { throw try await refusal(locks.first { $0.rawValue == key } ?? locks[0], in: context) }
      let nodes = rows.compactMap { row in row.1.map { (name: $0, fault: row.2) } }
      if let (name, fault) = nodes.first(where: { $0.fault != nil }) {
        throw JobError(
          "could not start: the node \(name), which holds a part of the tables, does not answer: \(fault ?? "")",
          hint: "Start again when it does; nothing was changed.", status: .temporary)
      }
      guard let node = nodes.first else { return }
      guard second < waitSecondsMax else {
        throw JobError(
          "could not start: the node \(node.name) has not finished what was committed before it failed",
          hint: "An administrator has it do so: select recover_prepared_transactions(); then start again; nothing was changed.",
          status: .temporary)
      }
      if second == 0 { context.log.notice("waiting until nodes have finished what was committed", metadata: ["node": "\(node.name)"]) }
      keys = []
      try await Task.sleep(for: .seconds(1))
    }
  }

  private static func refusal(_ lock: JobLock, in context: JobContext) async throws -> JobError {
    let holder = try await LockHolder.find(lock.rawValue, in: context).map { ": \($0.text)" } ?? ""
    return JobError(
      "could not start: another process holds the lock of \"\(lock)\"\(holder)",
      hint: "Wait until it ends, then start again; nothing was changed.", status: .lockHeld)
  }
}

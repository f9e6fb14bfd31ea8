internal import Domain
internal import JobCore
internal import Postgres

/// The rows that one match run decides: everything, or the changes and everything connected to them.
struct MatchScope {
  let context: JobContext
  /// Whether everything is decided regardless of changes.
  var isFull = false
  /// Whether partitions decided everything, so that only later changes and everything connected to them are left.
  var partitionsAreDecided = false

  enum Extent {
    case all, part
    /// No order and no chain, so no match changes. Orders may have changed states.
    case states
    /// No change at all.
    case nothing
  }

  private var connected: ConnectedRows { ConnectedRows(context: context) }

  /// Returns the settings and SQL texts that decide matches now.
  static func state(_ context: JobContext) throws -> DecisionState {
    try DecisionState.current(context, folders: ["ladder", "match", "partitions", "scope", "inputs"])
  }

  /// Removes the changes since the last run and adds them to the scope with everything connected.
  ///
  /// - Returns: the extent of the decision.
  func open(_ tx: inout DatabaseTransaction) throws -> Extent {
    let state = try DecisionState.read(.match, &tx, in: context)
    let now = try Self.state(context)
    let isNarrow = partitionsAreDecided || (!isFull && state?.decidesAs(now) == true)
    try now.record(.match, &tx, in: context)
    let hasDecisions = try tx.run(context.sql(ScopeSQL.takeDecisions), ["as_of": context.asOfValue]) > 0
    try tx.send(context.sql(ScopeSQL.storeDecisions))
    guard isNarrow else {
      try connected.discardChanges(&tx)
      return .all
    }
    if !hasDecisions, try tx.rows(context.sql(ScopeSQL.hasChanges)) == [false] { return .nothing }
    tx.send("set local work_mem = '256MB'")
    try connected.prepare(&tx)
    let isFew = try connected.seedChanges(&tx, takes: true)
    if partitionsAreDecided {
      // A partition may have decided another match, based on another instant. The order's recorded state takes precedence.
      tx.send("insert into scope_order select order_id, 0 from scope_state on conflict do nothing; truncate scope_state")
    }
    try tx.send(context.sql(ScopeSQL.seedsOfDecisions))
    guard try connected.logExtent(isNarrow: isFew && close(connected, upTo: .many, &tx)) else { return .all }
    return try connected.rowCount(&tx) > 0 ? .part : .states
  }

  /// Restricts the ladder to the facts of the open scope, for the rest of the transaction.
  func bindInputs(_ tx: inout DatabaseTransaction) throws { try connected.bindInputs([InputsSQL.componentOfMatch], &tx) }

  /// Removes all changes, because partitions will decide their facts. Until all partitions are recorded, any other run decides everything.
  func openPartitions(_ tx: inout DatabaseTransaction) throws {
    try connected.discardChanges(&tx)
    try DecisionState.forget(.match, &tx, in: context)
  }

  /// Restricts the ladder to the rows of a question and everything connected to them, for the rest of the transaction.
  ///
  /// - Parameter isPast: whether the transaction reads a past clock.
  /// - Returns: false if the component is too large for one answer.
  func openSubjects(orders: [String], chains: [String], isPast: Bool, _ tx: inout DatabaseTransaction) throws -> Bool {
    let connected = ConnectedRows(context: context, isPast: isPast)
    try connected.openSubjects(orders: orders, chains: chains, &tx)
    return try narrow(connected, &tx)
  }

  /// Queues this run's decisions for the next detect run.
  func queueForDetection(_ tx: inout DatabaseTransaction, of extent: Extent) throws {
    switch extent {
    case .all: try DecisionState.forget(.detect, &tx, in: context)
    case .part, .states: try tx.send(context.sql(ScopeSQL.queueForDetection))
    case .nothing: break
    }
  }

  /// Closes the scope and restricts the ladder to its facts.
  ///
  /// - Returns: false if the scope is too large.
  private func narrow(_ connected: ConnectedRows, _ tx: inout DatabaseTransaction) throws -> Bool {
    guard try close(connected, upTo: .few, &tx) else { return false }
    try connected.bindInputs([InputsSQL.componentOfMatch], &tx)
    return true
  }

  private func close(_ connected: ConnectedRows, upTo limit: ConnectedRows.SizeLimit, _ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.withNestedLoops { tx in try connected.close(&tx, upTo: limit) }
  }
}

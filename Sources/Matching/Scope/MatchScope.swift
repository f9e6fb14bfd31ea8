internal import Domain
internal import JobCore
internal import Postgres

/// What one match run looks at: everything, or what changed and whatever that can reach.
struct MatchScope {
  let context: JobContext
  /// Decides everything, whatever changed.
  var isFull = false
  /// Everything was decided in pieces: what changed since, and whatever that can reach, is left.
  var isCut = false

  enum Extent {
    case all, part
    /// No order and no chain, so no match can be another than it was.
    case nothing
  }

  private var component: Component { Component(context: context) }

  /// With what matches are decided now.
  static func state(_ context: JobContext) throws -> DecisionState {
    try DecisionState.current(context, folders: ["ladder", "match", "pieces", "scope", "inputs"])
  }

  /// Takes the changes since the last run and finds the facts that they reach.
  ///
  /// - Returns: how much is to be decided.
  func open(_ tx: inout DatabaseTransaction) throws -> Extent {
    let state = try DecisionState.read(.match, &tx, in: context)
    let now = try Self.state(context)
    let isNarrow = isCut || (!isFull && state?.decidesAs(now) == true)
    try now.record(.match, &tx, in: context)
    _ = try tx.run(context.sql(ScopeSQL.takeDecisions), ["as_of": context.asOfValue])
    try tx.run(context.sql(ScopeSQL.honourDecisions))
    guard isNarrow else {
      try component.discardChanges(&tx)
      return .all
    }
    try tx.execute("set local work_mem = '256MB'")
    try component.prepare(&tx)
    let isFew = try component.seedChanges(&tx, takes: true)
    if isCut {
      // A piece may have given an order another match than it has, by time: then its state counts.
      try tx.execute("insert into scope_order select order_id, 0 from scope_state on conflict do nothing; truncate scope_state")
    }
    try tx.run(context.sql(ScopeSQL.seedsOfDecisions))
    guard try component.telling(isNarrow: isFew && close(component, upTo: .many, &tx)) else { return .all }
    return try component.rowCount(&tx) > 0 ? .part : .nothing
  }

  /// Has the ladder read the facts of the open scope, for the rest of the transaction.
  func showInputs(_ tx: inout DatabaseTransaction) throws { try component.showInputs([InputsSQL.componentOfMatch], &tx) }

  /// Takes all changes, whose facts pieces are about to decide.
  func openPieces(_ tx: inout DatabaseTransaction) throws {
    try component.discardChanges(&tx)
    try DecisionState.inPieces.record(.match, &tx, in: context)
  }

  /// Has the ladder read what somebody asks about, and all that it reaches, for the rest of the transaction.
  ///
  /// - Parameter isPast: the transaction looks back to a clock.
  /// - Returns: false when that is too much to be gone through for one answer.
  func openSubjects(orders: [String], chains: [String], isPast: Bool, _ tx: inout DatabaseTransaction) throws -> Bool {
    let component = Component(context: context, isPast: isPast)
    try component.openSubjects(orders: orders, chains: chains, &tx)
    return try narrow(component, &tx)
  }

  /// Tells the next detect run what this run decided.
  func handOn(_ tx: inout DatabaseTransaction, of extent: Extent) throws {
    _ = try tx.run(context.sql(extent == .all ? ScopeSQL.detectAll : ScopeSQL.handOn))
  }

  /// Closes the scope and has the ladder read its facts.
  ///
  /// - Returns: false when it reaches too much.
  private func narrow(_ component: Component, _ tx: inout DatabaseTransaction) throws -> Bool {
    guard try close(component, upTo: .few, &tx) else { return false }
    try component.showInputs([InputsSQL.componentOfMatch], &tx)
    return true
  }

  private func close(_ component: Component, upTo reach: Component.Reach, _ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.lookingUp { tx in try component.close(&tx, upTo: reach) }
  }
}

internal import Domain
internal import JobCore
internal import Postgres

/// What one match run looks at: everything, or what changed and whatever that can reach.
struct MatchScope {
  let context: JobContext
  /// Decides everything, whatever changed.
  var isFull = false

  enum Extent {
    case all, part
    /// No order and no chain, so no match can be another than it was.
    case nothing
  }

  private var component: Component { Component(context: context) }

  /// Takes the changes since the last run, and has the ladder read the facts that they reach, for the rest of the
  /// transaction.
  ///
  /// - Returns: how much is to be decided.
  func open(_ tx: inout DatabaseTransaction) throws -> Extent {
    let state = try DecisionState.read(.match, &tx, in: context)
    let hasKeys = state?.hasKeys ?? false
    var now = try DecisionState.current(context, folders: ["match", "scope", "inputs"])
    let isNarrow = !isFull && state?.decidesAs(now) == true
    now.hasKeys = hasKeys || isNarrow
    try now.record(.match, &tx, in: context)
    _ = try tx.run(component.file("01_take_decisions"), ["as_of": context.asOfValue])
    try tx.execute(context.sql.text("scope/02_honour_decisions.sql"))
    guard now.hasKeys else {
      _ = try tx.run(component.file("02_discard_changes"))
      return .all
    }
    try tx.execute("set local work_mem = '256MB'")
    try component.prepare(&tx)
    let isFew = try component.seedChanges(&tx, takes: true, keys: hasKeys)
    try tx.execute(context.sql.text("scope/04_seeds_of_decisions.sql"))
    if !hasKeys { try component.writeAllKeys(&tx) }
    guard isNarrow, try component.telling(isNarrow: isFew && close(component, &tx)) else { return .all }
    guard try component.hasRows(&tx) else { return .nothing }
    try showInputs(component, &tx)
    return .part
  }

  /// Has the ladder read a self-check's orders and the facts that they reach, for the rest of the transaction.
  ///
  /// - Returns: false when they reach too much, or when no keys are written yet.
  func openSample(_ tx: inout DatabaseTransaction) throws -> Bool {
    try component.openSample(&tx) ? component.telling(isNarrow: narrow(component, &tx)) : false
  }

  /// Has the ladder read what somebody asks about, and all that it reaches, for the rest of the transaction.
  ///
  /// - Parameter isPast: the transaction looks back to a clock.
  /// - Returns: false when that is too much to be gone through for one answer.
  func openSubjects(orders: [String], chains: [String], isPast: Bool, _ tx: inout DatabaseTransaction) throws -> Bool {
    let component = Component(context: context, hasNews: true, isPast: isPast)
    return try component.openSubjects(orders: orders, chains: chains, &tx) && narrow(component, &tx)
  }

  /// Tells the next detect run what this run decided.
  func handOn(_ tx: inout DatabaseTransaction, of extent: Extent) throws {
    _ = try tx.run(component.file(extent == .all ? "51_detect_all" : "50_hand_on"))
  }

  /// Closes the scope and has the ladder read its facts.
  ///
  /// - Returns: false when it reaches too much.
  private func narrow(_ component: Component, _ tx: inout DatabaseTransaction) throws -> Bool {
    guard try close(component, &tx) else { return false }
    try showInputs(component, &tx)
    return true
  }

  private func close(_ component: Component, _ tx: inout DatabaseTransaction) throws -> Bool {
    try tx.lookingUp { tx in try component.close(&tx) }
  }

  private func showInputs(_ component: Component, _ tx: inout DatabaseTransaction) throws {
    try tx.lookingUp { tx in try component.showInputs(["component_of_match"], &tx) }
  }
}

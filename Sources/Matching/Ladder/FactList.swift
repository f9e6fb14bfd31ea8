internal import JobCore
internal import Postgres

/// A list of facts that the ladder reads, and the columns by which its rows are connected.
///
/// Rows are connected in the order of the cases. The id of an order or a charge connects only if an earlier list names it. A device
/// connects only if evidence was uploaded on it.
enum FactList: Int32, CaseIterable {
  case uploads, decisions, evidence, unproven, tokenHolders, orders, charges, aliases

  /// A column whose values connect rows.
  struct Key {
    enum Kind: UInt8 {
      case order, charge, user, token, transaction, lineItem, device, evidence

      /// Whether the ladder decides about what the values identify.
      var isDecided: Bool { self == .order || self == .charge }
    }

    var column: Int
    var kind: Kind
    /// Whether the value connects only with rows that were read before.
    var isPassive = false
  }

  /// The connecting columns, in ascending order.
  var keys: [Key] {
    switch self {
    case .uploads: [Key(column: 0, kind: .charge), Key(column: 1, kind: .user), Key(column: 2, kind: .device)]
    case .decisions: [Key(column: 0, kind: .order), Key(column: 1, kind: .charge)]
    case .evidence: [Key(column: 0, kind: .order), Key(column: 1, kind: .charge), Key(column: 2, kind: .evidence)]
    case .unproven: [Key(column: 0, kind: .order), Key(column: 1, kind: .evidence)]
    case .tokenHolders: [Key(column: 0, kind: .token), Key(column: 1, kind: .user)]
    case .orders:
      [
        Key(column: 0, kind: .order, isPassive: true), Key(column: 4, kind: .user), Key(column: 11, kind: .token),
        Key(column: 12, kind: .transaction), Key(column: 13, kind: .transaction), Key(column: 14, kind: .lineItem),
        Key(column: 15, kind: .device, isPassive: true),
      ]
    case .charges:
      [
        Key(column: 0, kind: .charge, isPassive: true), Key(column: 4, kind: .transaction), Key(column: 5, kind: .transaction),
        Key(column: 8, kind: .lineItem), Key(column: 9, kind: .token),
      ]
    case .aliases: [Key(column: 0, kind: .charge, isPassive: true), Key(column: 1, kind: .transaction), Key(column: 2, kind: .transaction)]
    }
  }

  /// Calls `body` with each row of the input views, which show all facts, in a transaction without nested loops. Few orders name or
  /// upload evidence, so these rows are looked up by key, except in copies of distributed tables, which have no indexes.
  func readWhole(_ tx: inout DatabaseTransaction, sql: SQLFiles, _ body: (inout CopyRow) throws -> Void) throws {
    let isLookedUp = try (self == .evidence || self == .unproven) && !tx.isDistributed(files: sql)
    if isLookedUp { tx.send("set local enable_nestloop = on") }
    try read(&tx, sql: sql, body)
    if isLookedUp { tx.send("set local enable_nestloop = off") }
  }

  /// Calls `body` with each row of the input views.
  func read(_ tx: inout DatabaseTransaction, sql: SQLFiles, _ body: (inout CopyRow) throws -> Void) throws {
    switch self {
    case .uploads: try tx.copyRows(sql(LadderSQL.uploads), body)
    case .decisions: try tx.copyRows(sql(LadderSQL.decisions), body)
    case .evidence: try tx.copyRows(sql(LadderSQL.evidence), body)
    case .unproven: try tx.copyRows(sql(LadderSQL.unproven), body)
    case .tokenHolders: try tx.copyRows(sql(LadderSQL.tokenHolders), body)
    case .orders: try tx.copyRows(sql(LadderSQL.orders), body)
    case .charges: try tx.copyRows(sql(LadderSQL.charges), body)
    case .aliases: try tx.copyRows(sql(LadderSQL.aliases), body)
    }
  }
}

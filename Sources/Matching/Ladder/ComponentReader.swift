internal import JobCore
package import Ladder
package import Postgres

/// The facts of components as the ladder reads them, and the ids that their numbers stand for.
package struct ComponentFacts {
  package var component = LadderComponent()
  package var orderIDs: [String] = []
  package var chargeIDs: [String] = []
  /// Texts by number.
  package var productIDs: [String] = []
  package var appIDs: [String] = []
  package var environments: [String] = []
  package var userIDs: [String] = []
  package var transactionIDs: [String] = []
  package var lineItems: [String] = []
  /// Hashes of evidence in letters, by number.
  package var hashes: [String] = []

  func user(_ number: ID) -> String { userIDs[Int(number)] }
  func transaction(_ number: ID?) -> String { number.map { transactionIDs[Int($0)] } ?? "" }
}

/// Reads the facts of the orders and charges at hand from the input views.
package struct ComponentReader {
  private let sql: SQLFiles
  private let testers: [String]
  private var facts = ComponentFacts()
  private var orderNumbers: [String: Int] = [:]
  private var chargeNumbers: [String: Int] = [:]
  private var hashNumbers: [String: ID] = [:]
  private var environments = Numbering()
  private var apps = Numbering()
  private var products = Numbering()
  private var users = Numbering()
  private var tokens = Numbering()
  private var devices = Numbering()
  private var chains = Numbering()
  /// Transaction ids and original transaction ids.
  private var transactions = Numbering()
  private var lineItems = Numbering()

  /// - Parameter testers: users that the settings name as testers.
  package init(sql: SQLFiles, testers: [String]) {
    (self.sql, self.testers) = (sql, testers)
    // The number of Environment.production.
    _ = environments.number("Production") as ID
  }

  /// Reads everything that the input views show.
  package static func read(_ tx: inout DatabaseTransaction, sql: SQLFiles, testers: [String]) throws -> ComponentFacts {
    var reader = ComponentReader(sql: sql, testers: testers)
    try reader.readOrders(&tx)
    try reader.readCharges(&tx)
    try reader.readPeople(&tx)
    try reader.readEvidence(&tx)
    reader.facts.productIDs = reader.products.texts
    (reader.facts.appIDs, reader.facts.environments) = (reader.apps.texts, reader.environments.texts)
    (reader.facts.userIDs, reader.facts.transactionIDs) = (reader.users.texts, reader.transactions.texts)
    reader.facts.lineItems = reader.lineItems.texts
    return reader.facts
  }

  private mutating func productKey(_ environment: String, _ app: String, _ product: String) -> ProductKey {
    ProductKey(environment: Environment(id: environments.number(environment)), app: apps.number(app), product: products.number(product))
  }

  private mutating func readOrders(_ tx: inout DatabaseTransaction) throws {
    for row in try tx.rows(sql(LadderSQL.orders), ["testers": .textArray(testers)]) {
      orderNumbers[row.0] = facts.orderIDs.count
      facts.orderIDs.append(row.0)
      facts.component.orders.append(
        Order(
          productKey: productKey(row.1, row.2, row.3), user: users.number(row.4), status: Order.Status(name: row.5),
          quantity: Int32(row.6), createdAt: row.7, paidAt: row.8, deliveredAt: row.9, accessUntil: row.10,
          token: tokens.number(row.11), transaction: transactions.number(row.12), original: transactions.number(row.13),
          lineItem: lineItems.number(row.14), device: devices.number(row.15), isTester: row.16))
    }
  }

  private mutating func readCharges(_ tx: inout DatabaseTransaction) throws {
    for row in try tx.rows(sql(LadderSQL.charges)) {
      chargeNumbers[row.0] = facts.chargeIDs.count
      facts.chargeIDs.append(row.0)
      facts.component.charges.append(
        Charge(
          productKey: productKey(row.1, row.2, row.3), original: transactions.number(row.4),
          chain: row.5 ? chains.number("\(row.1) \(row.2) \(row.4)") : nil, lineItem: lineItems.number(row.7),
          token: tokens.number(row.8), quantity: Int32(row.9), purchasedAt: row.10, expiresAt: row.11, isRenewal: row.12,
          isFamilyShared: row.6))
    }
    for (chargeID, transactionID) in try tx.rows(sql(LadderSQL.aliases)) {
      guard let charge = chargeNumbers[chargeID] else { continue }
      facts.component.aliases.append(Alias(transaction: transactions.number(transactionID), charge: charge))
    }
  }

  private mutating func readPeople(_ tx: inout DatabaseTransaction) throws {
    for (token, user) in try tx.rows(sql(LadderSQL.tokenHolders)) {
      facts.component.tokenHolders.append(TokenHolder(token: tokens.number(token), user: users.number(user)))
    }
    for (chargeID, user, device) in try tx.rows(sql(LadderSQL.uploads)) {
      let charge = chargeID.flatMap { chargeNumbers[$0] }
      facts.component.uploads.append(Upload(charge: charge, user: users.number(user), device: devices.number(device)))
    }
    for (orderID, chargeID, action) in try tx.rows(sql(LadderSQL.decisions)) {
      guard let order = orderNumbers[orderID], let charge = chargeNumbers[chargeID] else { continue }
      facts.component.decisions.append(PairDecision(order: order, charge: charge, action: PairDecision.Action(name: action)))
    }
  }

  private mutating func readEvidence(_ tx: inout DatabaseTransaction) throws {
    let shown = try tx.rows(sql(LadderSQL.evidence))
    let unproven = try tx.rows(sql(LadderSQL.unproven))
    facts.hashes = Set(shown.compactMap(\.2) + unproven.compactMap(\.1)).sorted()
    for (number, hash) in facts.hashes.enumerated() { hashNumbers[hash] = ID(number) }
    for (orderID, chargeID, hash, isListed) in shown {
      guard let order = orderNumbers[orderID], let charge = chargeNumbers[chargeID] else { continue }
      facts.component.evidence.append(
        EvidenceClaim(order: order, charge: charge, evidence: hash.flatMap { hashNumbers[$0] }, isListed: isListed))
    }
    for (orderID, hash, verdict, reason, namesTransaction) in unproven {
      guard let order = orderNumbers[orderID] else { continue }
      facts.component.unproven.append(
        UnprovenClaim(
          order: order, evidence: hash.flatMap { hashNumbers[$0] }, reason: UnprovenClaim.Reason(verdict: verdict, reason: reason ?? ""),
          way: namesTransaction ? .transaction : .evidence))
    }
  }
}

extension Order.Status {
  /// - Parameter name: a value of the order's status; the table admits no other.
  fileprivate init(name: String) {
    switch name {
    case "created": self = .created
    case "paid": self = .paid
    case "delivered": self = .delivered
    case "cancelled": self = .cancelled
    case "refunded": self = .refunded
    default: self = .revoked
    }
  }
}

extension PairDecision.Action {
  fileprivate init(name: String) {
    switch name {
    case "forced_match": self = .forcedMatch
    case "unmatch": self = .unmatch
    default: self = .benignDuplicate
    }
  }
}

extension UnprovenClaim.Reason {
  fileprivate init(verdict: String?, reason: String) {
    switch verdict {
    case nil: self = .unknownTransaction
    case "forged": self = .forged
    default: self = reason.hasPrefix("app_id") ? .otherAppleID : reason.hasPrefix("environment") ? .wrongEnvironment : .otherApp
    }
  }
}

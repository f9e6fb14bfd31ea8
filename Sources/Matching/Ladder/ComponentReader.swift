internal import Cryptography
internal import JobCore
internal import Ladder
internal import Postgres

/// The facts of components in the ladder's form, and the texts that its numbers represent.
struct ComponentFacts {
  var component = Component()
  /// By the number of the order or charge.
  var orderIDs = TextNumbers()
  var chargeIDs = TextNumbers()
  var environments = TextNumbers()
  var apps = TextNumbers()
  var products = TextNumbers()
  var users = TextNumbers()
  var tokens = TextNumbers()
  var devices = TextNumbers()
  /// Transaction ids and original transaction ids.
  var transactions = TextNumbers()
  var lineItems = TextNumbers()
  /// Hashes of evidence as bytes, sorted.
  var hashes = TextNumbers()

  func user(_ number: ID) -> String { users[Int(number)] }
  func transaction(_ number: ID?) -> String { number.map { transactions[Int($0)] } ?? "" }
  func hash(_ evidence: ID) -> String { Hexadecimal.text(Array(hashes.bytes(Int(evidence)))) }
}

/// A reader of facts, either of the input views or of the rows that a run stored.
struct ComponentReader {
  /// Passes the rows of a list on one by one.
  typealias Rows = (FactList, (inout CopyRow) throws -> Void) throws -> Void

  private struct ChainKey: Hashable {
    var environment: Environment
    var app: ID
    var original: ID
  }

  private var facts = ComponentFacts()
  /// Users that the settings name as testers.
  private let testers: Set<ID>
  private var chains: [ChainKey: ID] = [:]
  private var productKeys: [ProductKey] = []
  /// By the number of the product key, its three columns as the row has them.
  private var productKeyTexts = TextNumbers()

  private init(testers: [String]) {
    var users = TextNumbers()
    self.testers = Set(testers.map { users.number(Array($0.utf8)[...]) })
    facts.users = users
    // Text number 0, the id of `Environment.production`.
    _ = facts.environments.number(Array("Production".utf8)[...]) as ID
  }

  /// Reads all rows of the input views.
  static func read(_ tx: inout DatabaseTransaction, in context: JobContext) throws -> ComponentFacts {
    try read(in: context) { list, row in try list.read(&tx, sql: context.sql, row) }
  }

  /// Reads the rows of every list.
  static func read(in context: JobContext, _ rows: Rows) throws -> ComponentFacts {
    var reader = ComponentReader(testers: context.settings.apps.flatMap(\.testers))
    try reader.readOrders(rows)
    try reader.readCharges(rows)
    try reader.readPeople(rows)
    try reader.readEvidence(rows)
    return reader.facts
  }

  /// Reads environment, app and product, of which a component has few.
  private mutating func productKey(_ row: inout CopyRow) throws -> ProductKey {
    var start = row
    try row.skip(3)
    let number = Int(productKeyTexts.number(row.bytes(since: start)) as ID)
    if number == productKeys.count {
      productKeys.append(
        ProductKey(
          environment: Environment(id: facts.environments.number(try start.text())), app: facts.apps.number(try start.text()),
          product: facts.products.number(try start.text())))
    }
    return productKeys[number]
  }

  private mutating func readOrders(_ rows: Rows) throws {
    try rows(.orders) { row in
      _ = facts.orderIDs.number(try row.text()) as ID
      var order = Order(
        productKey: try productKey(&row), user: facts.users.number(try row.text()), status: Order.Status(name: try row.string()),
        quantity: Int32(try row.int8()), createdAt: try row.timestamptz(), paidAt: try row.optionalTimestamptz(),
        deliveredAt: try row.optionalTimestamptz(), accessUntil: try row.optionalTimestamptz(),
        token: facts.tokens.number(try row.cell()), transaction: facts.transactions.number(try row.cell()),
        original: facts.transactions.number(try row.cell()), lineItem: facts.lineItems.number(try row.cell()),
        device: facts.devices.number(try row.cell()), isTester: try row.bool())
      if testers.contains(order.user) { order.isTester = true }
      facts.component.orders.append(order)
    }
    facts.orderIDs.sort(with: &facts.component.orders)
  }

  private mutating func readCharges(_ rows: Rows) throws {
    var charges: [(charge: Charge, transaction: ID?)] = []
    try rows(.charges) { row in
      _ = facts.chargeIDs.number(try row.text()) as ID
      let (key, original) = (try productKey(&row), facts.transactions.number(try row.text()) as ID)
      let transaction: ID? = facts.transactions.number(try row.cell())
      let chain = try row.bool() ? chain(ChainKey(environment: key.environment, app: key.app, original: original)) : nil
      let isFamilyShared = try row.bool()
      let charge = Charge(
        productKey: key, original: original, chain: chain, lineItem: facts.lineItems.number(try row.cell()),
        token: facts.tokens.number(try row.cell()), quantity: Int32(try row.int8()), purchasedAt: try row.timestamptz(),
        expiresAt: try row.optionalTimestamptz(), isRenewal: try row.bool(), isFamilyShared: isFamilyShared)
      charges.append((charge, transaction))
    }
    facts.chargeIDs.sort(with: &charges)
    facts.component.charges = charges.map(\.charge)
    for (index, read) in charges.enumerated() {
      if let transaction = read.transaction { facts.component.aliases.append(Alias(transaction: transaction, charge: index)) }
    }
    try rows(.aliases) { row in
      let (charge, transaction) = (facts.chargeIDs.known(try row.text()), facts.transactions.number(try row.text()) as ID)
      try row.skipRest()
      if let charge { facts.component.aliases.append(Alias(transaction: transaction, charge: charge)) }
    }
  }

  private mutating func chain(_ key: ChainKey) -> ID {
    if let known = chains[key] { return known }
    let next = ID(chains.count)
    chains[key] = next
    return next
  }

  private mutating func readPeople(_ rows: Rows) throws {
    try rows(.tokenHolders) { row in
      let token: ID = facts.tokens.number(try row.text())
      facts.component.tokenHolders.append(TokenHolder(token: token, user: facts.users.number(try row.text())))
    }
    try rows(.uploads) { row in
      let charge = try row.cell().flatMap { facts.chargeIDs.known($0) }
      let user: ID? = facts.users.number(try row.cell())
      facts.component.uploads.append(Upload(charge: charge, user: user, device: facts.devices.number(try row.cell())))
    }
    try rows(.decisions) { row in
      let (order, charge) = (facts.orderIDs.known(try row.text()), facts.chargeIDs.known(try row.text()))
      let action = PairDecision.Action(name: try row.string())
      guard let order, let charge else { return }
      facts.component.decisions.append(PairDecision(order: order, charge: charge, action: action))
    }
  }

  private mutating func readEvidence(_ rows: Rows) throws {
    try rows(.evidence) { row in
      let (order, charge) = (facts.orderIDs.known(try row.text()), facts.chargeIDs.known(try row.text()))
      let (evidence, isListed): (ID?, Bool) = (facts.hashes.number(try row.cell()), try row.bool())
      guard let order, let charge else { return }
      facts.component.evidence.append(EvidenceClaim(order: order, charge: charge, evidence: evidence, isListed: isListed))
    }
    try rows(.unproven) { row in
      let (order, evidence): (Int?, ID?) = (facts.orderIDs.known(try row.text()), facts.hashes.number(try row.cell()))
      let reason = UnprovenClaim.Reason(verdict: try row.optionalString(), reason: try row.optionalString() ?? "")
      let way: UnprovenClaim.Way = try row.bool() ? .transaction : .evidence
      guard let order else { return }
      facts.component.unproven.append(UnprovenClaim(order: order, evidence: evidence, reason: reason, way: way))
    }
    sortHashes()
  }

  /// Numbers hashes in sorted order, which decides between otherwise equal claims.
  private mutating func sortHashes() {
    let (read, sorted) = (facts.hashes, facts.hashes.sorted())
    func sortedNumber(_ number: ID?) -> ID? { number.flatMap { sorted.known(read.bytes(Int($0))) }.map { ID($0) } }
    for index in facts.component.evidence.indices {
      facts.component.evidence[index].evidence = sortedNumber(facts.component.evidence[index].evidence)
    }
    for index in facts.component.unproven.indices {
      facts.component.unproven[index].evidence = sortedNumber(facts.component.unproven[index].evidence)
    }
    facts.hashes = sorted
  }
}

extension Order.Status {
  /// - Parameter name: a value of the order's status; the table allows no other.
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
    default: self = reason == "word.app_id" ? .otherAppleID : reason == "word.environment" ? .wrongEnvironment : .otherApp
    }
  }
}

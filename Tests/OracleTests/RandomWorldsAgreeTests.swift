import FoundationEssentials

/// Random small worlds, decided by payrecon and by an oracle that does not share its SQL.
///
/// PAYRECON_ORACLE_WORLDS and PAYRECON_ORACLE_SEED set the number of worlds and the first seed. PAYRECON_ORACLE_SHRINK=1 reduces a
/// failing world to the smallest one that still fails, which takes many minutes.
@Suite struct RandomWorldsAgreeTests {
  private static let variables = ProcessInfo.processInfo.environment
  static let count = variables["PAYRECON_ORACLE_WORLDS"].flatMap(Int.init) ?? 12
  static let first = variables["PAYRECON_ORACLE_SEED"].flatMap(UInt64.init) ?? 1

  @Test(arguments: Array(first..<first + UInt64(count))) func world(seed: UInt64) async throws {
    let world = World.make(seed: seed)
    var differences = try await compare(world)
    guard !differences.isEmpty else { return }
    var smallest = world
    if Self.variables["PAYRECON_ORACLE_SHRINK"] == "1" { smallest = try await shrink(world, differences: &differences) }
    Issue.record("\(description(of: smallest))\n\(differences.joined(separator: "\n"))")
  }

  /// An explanation evaluates the ladder again. It states the recorded decision for every order and charge, and changes nothing.
  @Test(arguments: [first, first + 1]) func explanations(seed: UInt64) async throws {
    let world = World.make(seed: seed)
    let products = try await WorldRun(world: world, isExplained: true).outcomes(at: [World.end + 2 * hour, World.end + 5 * day])
    let faults = products.joined().filter { $0.hasPrefix("explain ") }
    #expect(faults == [], "\(description(of: world))\n\(faults.joined(separator: "\n"))")
  }

  /// Returns the world reduced to the facts that the difference needs.
  func shrink(_ world: World, differences: inout [String]) async throws -> World {
    var smallest = world
    // The line to reproduce: the first one of the first comparison.
    let wanted = differences[0]
    var (found, trials) = (differences, 0)
    func reduce<Fact>(_ facts: WritableKeyPath<World, [Fact]>, by size: Int) async throws {
      var index = 0
      while index < smallest[keyPath: facts].count, trials < 150 {
        var candidate = smallest
        candidate[keyPath: facts].removeSubrange(index..<min(index + size, candidate[keyPath: facts].count))
        trials += 1
        let lines = try await compare(candidate)
        if lines.contains(wanted) { (smallest, found) = (candidate, lines) } else { index += size }
      }
    }
    for size in [8, 4, 1, 1] {
      try await reduce(\.items, by: size)
      try await reduce(\.orders, by: size)
    }
    try await reduce(\.users, by: 1)
    differences = found
    return smallest
  }

  /// Returns the lines in which payrecon and the oracle differ, sorted, or none if they agree.
  func compare(_ world: World) async throws -> [String] {
    let instants = [World.end + 2 * hour, World.end + 5 * day]
    let products = try await WorldRun(world: world).outcomes(at: instants)
    var lines: [String] = []
    for (instant, product) in zip(instants, products) {
      let differences = ExpectedDifferences(world, asOf: instant)
      var expected = differences.ladder.matches.map { "match \($0)" }
      for difference in differences.found {
        // `+ 2 hours`: events of the last days may be after the clock. Their evidence is pending.
        if difference.due <= instant {
          expected.append("break \(difference.name) \(difference.subject)")
        } else {
          expected.append("pending \(difference.name) \(difference.subject) at \(rfc(difference.due))")
        }
      }
      lines += product.sorted().difference(from: expected.sorted()).map { change in
        switch change {
        case .remove(_, let line, _): "oracle only:  \(line)"
        case .insert(_, let line, _): "product only: \(line)"
        }
      }
    }
    return lines.sorted()
  }

  func description(of world: World) -> String {
    var lines = ["seed \(world.seed)"] + world.starts.map { "  app \($0) from \(rfc($1))" }.sorted()
    for user in world.users { lines.append("  user \(user.line)") }
    for order in world.orders { lines.append("  order \(order.line { "item\($0)" })") }
    for item in world.items {
      let purchase = item.purchase
      var words = [
        "item\(item.id)", item.isForged ? "FORGED" : "", item.notification ?? "", "tx=\(purchase.transactionID)",
        purchase.productID, "at \(rfc(item.purchased))", "signed \(rfc(item.signed))",
        purchase.environment == "Production" ? "" : purchase.environment,
        purchase.bundleID == World.bundles[0] ? "" : purchase.bundleID, purchase.reason,
        purchase.ownership == "PURCHASED" ? "" : purchase.ownership, "price=\(purchase.priceMilliunits)",
      ]
      if purchase.originalTransactionID != purchase.transactionID { words.append("original=\(purchase.originalTransactionID)") }
      if let lineItem = purchase.webOrderLineItemID { words.append("line=\(lineItem)") }
      if let expires = purchase.expiresAt { words.append("until=\(expires.rfc3339)") }
      if purchase.quantity != 1 { words.append("quantity=\(purchase.quantity)") }
      if let token = purchase.token { words.append("token=\(token.prefix(8))") }
      if let revoked = purchase.revokedAt { words.append("revoked=\(revoked.rfc3339) \(purchase.revocationType ?? "")") }
      if item.user != nil || item.order != nil {
        words.append("upload(user=\(item.user ?? "-") device=\(item.device ?? "-") order=\(item.order ?? "-"))")
      }
      lines.append("  " + words.filter { !$0.isEmpty }.joined(separator: " "))
    }
    if world.hasCatalogue {
      lines += world.prices.map { "  price \($0.product) \($0.storefront) \($0.milliunits) from \(rfc($0.from))" }
    }
    return lines.joined(separator: "\n")
  }
}

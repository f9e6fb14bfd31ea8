/// Properties of every component, tested on random ones.
@Suite struct PropertyTests {
  static let seeds: [UInt64] = Array(1...20)
  static let componentsPerSeed = 500

  @Test(arguments: seeds) func eachOrderAndChargeIsMatchedOnce(seed: UInt64) {
    var dice = Dice(seed: seed)
    for _ in 0..<Self.componentsPerSeed {
      let matches = Ladder.decide(RandomComponent.make(&dice), Facts.settings).matches
      #expect(Set(matches.map(\.order)).count == matches.count, "seed \(seed)")
      #expect(Set(matches.map(\.charge)).count == matches.count, "seed \(seed)")
    }
  }

  @Test(arguments: seeds) func factsCountInAnyOrderAndRepeated(seed: UInt64) {
    var dice = Dice(seed: seed)
    for _ in 0..<Self.componentsPerSeed {
      let component = RandomComponent.make(&dice)
      var other = component
      other.aliases = dice.shuffled(component.aliases)
      other.tokenHolders = dice.shuffled(component.tokenHolders + component.tokenHolders)
      other.uploads = dice.shuffled(component.uploads + component.uploads)
      other.evidence = dice.shuffled(component.evidence)
      #expect(lines(component) == lines(other), "seed \(seed)")
    }
  }

  @Test(arguments: seeds) func componentsAreDecidedTogetherAsAlone(seed: UInt64) {
    var dice = Dice(seed: seed)
    for _ in 0..<Self.componentsPerSeed / 2 {
      let (one, other) = (RandomComponent.make(&dice), RandomComponent.make(&dice))
      let (first, second) = (Ladder.decide(one, Facts.settings).matches, Ladder.decide(other, Facts.settings).matches)
      let moved = second.map { Match(order: $0.order + one.orders.count, charge: $0.charge + one.charges.count, rung: $0.rung) }
      #expect(Ladder.decide(RandomComponent.joined(one, other), Facts.settings).matches == first + moved, "seed \(seed)")
    }
  }

  @Test(arguments: seeds) func strongerEvidenceNeverLowersARung(seed: UInt64) {
    var dice = Dice(seed: seed)
    for _ in 0..<Self.componentsPerSeed {
      var component = RandomComponent.make(&dice)
      let matches = Ladder.decide(component, Facts.settings).matches
      guard let match = matches.first(where: { component.orders[$0.order].transaction == nil && $0.rung > .transactionID }),
        let alias = component.aliases.first(where: { $0.charge == match.charge })
      else { continue }
      component.orders[match.order].transaction = alias.transaction
      let better = Ladder.decide(component, Facts.settings).matches.first { $0.order == match.order }
      #expect(better.map { $0.rung <= match.rung } ?? true, "seed \(seed)")
    }
  }

  private func lines(_ component: Component) -> [String] {
    let decision = Ladder.decide(component, Facts.settings)
    return decision.matches.map { "\($0)" } + decision.refusals.map { "\($0)" } + decision.secondCharges.map { "\($0)" }
      + decision.ambiguities.map { "\($0)" }
  }
}

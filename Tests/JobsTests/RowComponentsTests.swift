/// The components of rows that share keys are those that a plain search finds, whatever the memory.
@Suite struct RowComponentsTests {
  @Test(arguments: 1...80 as ClosedRange<UInt64>) func componentsAreThoseOfAPlainSearch(seed: UInt64) {
    var dice = Dice(seed: seed)
    let keyCount = dice.number(1...40)
    let rows = (0..<dice.number(1...60)).map { _ in
      (0..<dice.number(0...3)).map { _ in Key(number: UInt64(dice.number(1...keyCount)), isPassive: dice.number(0...4) == 0) }
    }
    let expected = Self.search(rows)
    // From all keys in memory to twelve at a time.
    for slots in [1 << 12, 64, 16] {
      var components = RowComponents(slots: slots)
      var passes = 0
      repeat {
        passes += 1
        for row in rows {
          components.add(row.map { RowComponents.Key(hash: $0.number &* 0x9E37_79B9_7F4A_7C15, isPassive: $0.isPassive) })
        }
      } while components.endPass()
      #expect(components.rowCount == rows.count)
      let found = rows.indices.map { components.root(of: UInt32($0)) }
      #expect(found == expected, "seed \(seed), \(slots) slots")
      let held = Set(rows.joined().filter { !$0.isPassive }.map(\.number))
      #expect((passes > 1) == (held.count > slots / 4 * 3), "seed \(seed), \(slots) slots")
      for row in rows.indices {
        let partitions = [row, Int(found[row])].map { components.partition(ofRow: $0, of: 7) }
        #expect(partitions[0] == partitions[1] && (0..<7).contains(partitions[0]))
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func partitionDoesNotDependOnTheOrder(seed: UInt64) {
    var dice = Dice(seed: seed)
    let rows = (0..<60).map { _ in (0..<dice.number(1...3)).map { _ in UInt64(dice.number(1...50)) &* 0x9E37_79B9_7F4A_7C15 } }
    func partitions(_ order: [Int]) -> [Int: Int] {
      var components = RowComponents(slots: 64)
      repeat {
        for row in order { components.add(rows[row].map { RowComponents.Key(hash: $0) }) }
      } while components.endPass()
      var found: [Int: Int] = [:]
      for (index, row) in order.enumerated() { found[row] = components.partition(ofRow: index, of: 1000) }
      return found
    }
    let forward = Array(rows.indices)
    #expect(partitions(forward) == partitions(forward.reversed()), "seed \(seed)")
  }

  private struct Key {
    var number: UInt64
    var isPassive: Bool
  }

  /// Returns the smallest row of each row's component. A passive key connects a row only if an earlier row has the key actively.
  private static func search(_ rows: [[Key]]) -> [UInt32] {
    var roots = rows.indices.map { UInt32($0) }
    var holders: [UInt64: Int] = [:]
    for (row, keys) in rows.enumerated() {
      for key in keys {
        if let holder = holders[key.number] {
          let (one, other) = (roots[holder], roots[row])
          for index in roots.indices where roots[index] == max(one, other) { roots[index] = min(one, other) }
        } else if !key.isPassive {
          holders[key.number] = row
        }
      }
    }
    return roots
  }
}

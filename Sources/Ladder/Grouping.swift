/// Values grouped by small integer keys. Each group keeps the order of insertion.
struct Grouping: Sendable {
  private var starts: [Int]
  private var values: [Int]

  /// Groups values by key.
  ///
  /// - Parameter pairs: keys from 0 to `keyCount - 1`, each with its value.
  init(keyCount: Int, pairs: [(key: Int, value: Int)]) {
    starts = Array(repeating: 0, count: keyCount + 1)
    values = Array(repeating: 0, count: pairs.count)
    for pair in pairs { starts[pair.key + 1] += 1 }
    for key in 0..<keyCount { starts[key + 1] += starts[key] }
    var next = starts
    for pair in pairs {
      values[next[pair.key]] = pair.value
      next[pair.key] += 1
    }
  }

  /// The values of a key; empty if the key is nil or unknown.
  subscript(key: Int?) -> ArraySlice<Int> {
    guard let key, key + 1 < starts.count else { return [] }
    return values[starts[key]..<starts[key + 1]]
  }

  subscript(key: ID?) -> ArraySlice<Int> { self[key.map { Int($0) }] }

  /// Returns the same groups with each value replaced by `values[value]`.
  func mapped(_ values: [Int]) -> Grouping {
    var copy = self
    for index in copy.values.indices { copy.values[index] = values[copy.values[index]] }
    return copy
  }
}

extension Grouping {
  /// Groups indices by a key; an index without a key is in no group.
  init(_ count: Int, by key: (Int) -> ID?) {
    var pairs: [(key: Int, value: Int)] = []
    var keyCount = 0
    for index in 0..<count {
      guard let key = key(index) else { continue }
      pairs.append((Int(key), index))
      keyCount = max(keyCount, Int(key) + 1)
    }
    self.init(keyCount: keyCount, pairs: pairs)
  }
}

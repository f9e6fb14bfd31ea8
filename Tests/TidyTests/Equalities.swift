/// Columns, as `alias.name`, that are equal directly or through others.
struct Equalities {
  private var next: [String: String] = [:]
  private(set) var columns: Set<String> = []

  func root(_ column: String) -> String {
    var column = column
    while let further = next[column] { column = further }
    return column
  }

  func areEqual(_ one: String, _ other: String) -> Bool { root(one) == root(other) }

  mutating func join(_ one: String, _ other: String) {
    columns.formUnion([one, other])
    let (first, second) = (root(one), root(other))
    if first != second { next[first] = second }
  }

  mutating func read(_ condition: [SQLToken]) {
    guard !condition.contains(where: { $0.word == "or" }) else { return }
    for index in condition.indices.dropFirst().dropLast() where condition[index].isSymbol("=") {
      let (one, other) = (condition[index - 1], condition[index + 1])
      if let one = one.word, let other = other.word { join(one, other) }
      guard let one = one.group, let other = other.group, one.count == other.count else { continue }
      for (one, other) in zip(one, other) { if let one = one.word, let other = other.word { join(one, other) } }
    }
  }
}

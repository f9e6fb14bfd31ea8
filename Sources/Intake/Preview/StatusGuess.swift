/// Guesses what numeric codes of an order's status mean.
struct StatusGuess {
  let sample: InputSample
  let status: String
  let sources: [String: String]
  let nulls: [String]

  /// The words of codes.
  struct Meanings {
    var words: [Int: String]
    /// Codes whose words the times in their rows prove.
    var proven: Set<Int> = []

    /// Sentences that keep proven words apart from usual ones.
    var text: String {
      let (facts, guesses) = (list { proven.contains($0) }, list { !proven.contains($0) })
      return (facts.isEmpty ? "" : "The times in their rows show that \(facts). ")
        + (guesses.isEmpty ? "" : "By convention only, \(guesses). ")
    }

    private func list(_ isListed: (Int) -> Bool) -> String {
      words.filter { isListed($0.key) }.sorted { $0.key < $1.key }.map { "\($0.key) is \($0.value)" }.joined(separator: ", ")
    }
  }

  /// Returns the words of codes.
  func meanings(of codes: [Int]) -> Meanings {
    let steps = [("refunded_at", "refunded"), ("delivered_at", "delivered"), ("paid_at", "paid")].filter { sources[$0.0] != nil }
    let conventional = ValueWords.conventional(codes)
    guard steps.contains(where: { $0.1 == "paid" || $0.1 == "delivered" }) else { return Meanings(words: conventional) }
    var (words, found): ([Int: String], Set<Int>) = ([:], [])
    for code in codes {
      let rows = sample.rows.filter { $0[status] == String(code) }
      let proven = steps.first { step in rows.count { has($0, step.0) } * 2 > rows.count }?.1
      // Without times of delivery or refund, a paid code may mean more than paid.
      let isOpen = proven == "paid" && !steps.contains { $0.1 == "delivered" }
      if proven != nil, !isOpen { found.insert(code) }
      words[code] = isOpen ? conventional[code] ?? "paid" : proven ?? (conventional[code] == "cancelled" ? "cancelled" : nil)
    }
    let open = codes.filter { words[$0] == nil }.sorted()
    for code in open { words[code] = code == open.first ? "created" : "cancelled" }
    return Meanings(words: words, proven: found)
  }

  private func has(_ row: [String: String], _ target: String) -> Bool {
    guard let value = sources[target].flatMap({ row[$0] }), !nulls.contains(value) else { return false }
    return !value.allSatisfy { $0 == "0" } && !value.hasPrefix("0000-00-00")
  }
}

/// Guesses what numeric codes of an order's status mean.
struct StatusGuess {
  let sample: InputSample
  let status: String
  let sources: [String: String]
  let nulls: [String]

  struct Meanings {
    /// Words by code, as the file writes it.
    var words: [String: String]
    /// Codes whose words the times in their rows prove.
    var proven: Set<String> = []

    /// Sentences that keep proven words apart from usual ones.
    var text: String {
      let (facts, guesses) = (list { proven.contains($0) }, list { !proven.contains($0) })
      return (facts.isEmpty ? "" : "The times in their rows show that \(facts). ")
        + (guesses.isEmpty ? "" : "By convention only, \(guesses). ")
    }

    private func list(_ isListed: (String) -> Bool) -> String {
      words.filter { isListed($0.key) }.sorted { StatusGuess.order($0.key) < StatusGuess.order($1.key) }
        .map { "\($0.key) is \($0.value)" }.joined(separator: ", ")
    }
  }

  /// Returns the number of a code such as `1`, `01` or, from a data frame, `1.0`; nil for another text.
  static func code(_ text: String) -> Int? {
    text.wholeMatch(of: /(-?[0-9]+)(\.0+)?/).flatMap { Int($0.1) }
  }

  private static func order(_ text: String) -> (Int, String) { (code(text) ?? 0, text) }

  /// Words that no code has whose orders are paid.
  private static let unpaid = ["created", "cancelled"]

  /// Returns the words of codes.
  ///
  /// - Parameter codes: numbers by code, as the file writes it.
  func meanings(of codes: [String: Int]) -> Meanings {
    let steps = [("refunded_at", "refunded"), ("delivered_at", "delivered"), ("paid_at", "paid")].filter { sources[$0.0] != nil }
    let usual = ValueWords.conventional(Array(codes.values))
    let rows = Dictionary(grouping: sample.rows) { $0[status] ?? "" }
    // An id of Apple in most rows of a code shows a payment.
    let paid = Set(codes.keys.filter { isMost(rows[$0], isCharged) })
    let hasSteps = steps.contains { $0.1 == "paid" || $0.1 == "delivered" }
    var (words, found): ([String: String], Set<String>) = ([:], [])
    for (text, code) in codes {
      let proven = hasSteps ? steps.first { step in isMost(rows[text]) { has($0, step.0) } }?.1 : nil
      // Without times of delivery or refund, a paid code may mean more than paid.
      let isOpen = proven == "paid" && !steps.contains { $0.1 == "delivered" }
      if let proven, !isOpen {
        words[text] = proven
        found.insert(text)
      } else if isOpen || paid.contains(text) {
        words[text] = usual[code].flatMap { Self.unpaid.contains($0) ? nil : $0 } ?? "paid"
      } else if !hasSteps || usual[code] == "cancelled" {
        words[text] = usual[code]
      }
    }
    guard hasSteps else { return Meanings(words: words) }
    let open = codes.keys.filter { words[$0] == nil }.sorted { Self.order($0) < Self.order($1) }
    for text in open { words[text] = codes[text] == codes[open[0]] ? "created" : "cancelled" }
    return Meanings(words: words, proven: found)
  }

  private func isMost(_ rows: [[String: String]]?, _ isListed: ([String: String]) -> Bool) -> Bool {
    let rows = rows ?? []
    return rows.count(where: isListed) * 2 > rows.count
  }

  private func isCharged(_ row: [String: String]) -> Bool {
    sources["transaction_id"].flatMap { row[$0] }.map(ColumnGuess.isTransactionID) ?? false
  }

  private func has(_ row: [String: String], _ target: String) -> Bool {
    guard let value = sources[target].flatMap({ row[$0] }), !nulls.contains(value) else { return false }
    return !value.allSatisfy { $0 == "0" } && !value.hasPrefix("0000-00-00")
  }
}

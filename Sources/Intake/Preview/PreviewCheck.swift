internal import Domain

/// Columns that are missing, and doubts about values that can be read.
struct PreviewCheck {
  let kind: String
  /// Rows of payrecon: values by column.
  let rows: [[String: String]]
  let sample: InputSample
  let facts: PreviewFacts

  /// Optional columns of orders, and what happens without them.
  private static let useful = [
    ("price_milliunits", "amounts are not compared with Apple's prices"),
    ("updated_at", "the newest reading of an order counts; a file that is read late can undo a newer one"),
    ("paid_at", "a payment has no time"), ("delivered_at", "a delivery has no time"),
  ]

  /// - Parameter filled: columns of payrecon with values.
  func missing(filled: Set<String>) -> [String] {
    guard kind == "orders" else { return [] }
    var sentences = Self.useful.filter { !filled.contains($0.0) }.map { "\($0.0): \($0.1)." }
    if filled.contains("price_milliunits"), !filled.contains("currency") {
      sentences.append("currency: amounts without a currency are not compared; add currency: {value: …}.")
    }
    let links = ["transaction_id", "original_transaction_id", "app_account_token", "evidence_sha256"]
    if filled.isDisjoint(with: links) {
      sentences.append(
        "transaction_id or app_account_token: without either, orders are matched by user, product and time only (heuristic).")
    }
    return sentences
  }

  func doubts() -> [String] { exponents() + amounts() + offset() + products() }

  /// Numbers of a spreadsheet in columns of the file.
  private func exponents() -> [String] {
    sample.names.compactMap { name in
      let found = sample.values(name).first { $0.wholeMatch(of: /\d(?:[.,]\d+)?[Ee]\+\d+/) != nil }
      return found.map {
        "column \"\(name)\" has numbers in scientific notation such as \($0): a spreadsheet shortened them. Export it as text."
      }
    }
  }

  /// Orders beside prices of the catalogue that are a power of ten apart.
  private func amounts() -> [String] {
    guard kind == "orders" else { return [] }
    let prices = Dictionary(facts.prices.map { ("\($0.productID) \($0.currency)", $0.milliunits) }) { first, _ in first }
    var counts: [Int64: Int] = [:]
    for row in rows {
      guard let product = row["product_id"], let currency = row["currency"], let price = prices["\(product) \(currency)"], price > 0,
        let amount = row["price_milliunits"].flatMap({ Int64($0) }), amount > 0
      else { continue }
      let (large, small, isLarger) = amount >= price ? (amount, price, true) : (price, amount, false)
      guard large % small == 0, [10, 100, 1000].contains(large / small) else { continue }
      counts[isLarger ? large / small : -(large / small), default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { factor, count in
      let relation = "\(abs(factor)) times \(factor > 0 ? "larger" : "smaller")"
      let amounts = count == 1 ? "1 amount is" : "\(count) amounts are"
      return "price_milliunits: \(amounts) \(relation) than the catalogue's price. Check the unit."
    }
  }

  /// Quarters of an hour from which a constant distance is that of a zone; a shorter one is a slow platform.
  private static let zoneQuartersMin: Int64 = 2

  /// Times that differ from Apple's by whole quarters of an hour, all by the same.
  private func offset() -> [String] {
    let apart: [Int64] = rows.compactMap { row in
      guard let id = row["transaction_id"], let bought = facts.purchases[id],
        let created = row["created_at"].flatMap({ Timestamp(rfc3339: $0) })
      else { return nil }
      return created.wholeSeconds - bought.wholeSeconds
    }
    guard apart.count >= 3 else { return [] }
    let quarters = apart.map { ($0 + 450).flooredQuotientAndRemainder(900).0 }
    guard let first = quarters.first, abs(first) >= Self.zoneQuartersMin else { return [] }
    guard quarters.count(where: { abs($0 - first) <= 1 }) * 10 >= quarters.count * 9 else { return [] }
    let minutes = abs(first) * 15
    let distance = "\(minutes / 60) h \(minutes % 60) min \(first > 0 ? "after" : "before")"
    return ["created_at: \(apart.count) orders are all about \(distance) Apple's purchase. Check the zone."]
  }

  /// Products that the catalogue does not name.
  private func products() -> [String] {
    guard kind == "orders", !facts.prices.isEmpty else { return [] }
    let known = Set(facts.prices.map(\.productID))
    let unknown = Set(rows.compactMap { $0["product_id"] }).subtracting(known).sorted()
    guard let first = unknown.first else { return [] }
    let products = unknown.count == 1 ? "\"\(first)\"" : "\(unknown.count) products, such as \"\(first)\""
    return ["product_id: the catalogue does not name \(products). Map them to Apple's product ids."]
  }
}

internal import Cryptography

/// Generates every identifier of a store from its seed: the same calls give the same identifiers.
struct Identifiers: Sendable {
  private let label: String
  private let environment: StoreEnvironment
  private let base: Int64
  private var transactions: Int64 = 0
  private var lineItems: Int64 = 0
  private var appTransactions: Int64 = 0
  private var counter = 0

  init(seed: UInt64, environment: StoreEnvironment) {
    self.environment = environment
    label = "app store \(seed) \(environment.rawValue)"
    let digest = SHA256.digest(Array(label.utf8))
    base = Int64(digest[0]) << 8 | Int64(digest[1])
  }

  /// Returns fifteen digits in production; sixteen digits starting with 2000000 in the sandbox.
  mutating func transaction() -> String {
    transactions += 1
    return identifier(transactions, production: 400_000_000_000_000, sandbox: 100_000_000)
  }

  mutating func lineItem() -> String {
    lineItems += 1
    return identifier(lineItems, production: 190_000_000_000_000, sandbox: 600_000_000)
  }

  mutating func appTransaction() -> String {
    appTransactions += 1
    return String(704_000_000_000_000_000 + base * 1_000_000_000 + appTransactions * 13)
  }

  mutating func uuid() -> String {
    var bytes = Array(next("uuid").prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let text = Array(Hexadecimal.text(bytes).utf8)
    let parts = [text[0..<8], text[8..<12], text[12..<16], text[16..<20], text[20..<32]]
    return String(decoding: Array(parts.joined(separator: [0x2D])), as: UTF8.self)
  }

  /// Returns the order id of the customer's invoice: `M` and nine letters and digits.
  mutating func order() -> String {
    let letters = Array("0123456789BCDFGHJKLMNPQRSTVWXYZ".utf8)
    let digest = next("order").prefix(9)
    return String(decoding: [0x4D] + digest.map { letters[Int($0) % letters.count] }, as: UTF8.self)
  }

  private func identifier(_ count: Int64, production: Int64, sandbox: Int64) -> String {
    let number = count * 3
    switch environment {
    case .production: return String(production + base * 1_000_000_000 + number)
    case .sandbox: return String(2_000_000_000_000_000 + base * 4000 + sandbox + number)
    }
  }

  private mutating func next(_ kind: String) -> [UInt8] {
    counter += 1
    return SHA256.digest(Array("\(label) \(kind) \(counter)".utf8))
  }
}

/// Events ordered by time; those of one instant keep their order. The caller skips obsolete ones.
struct EventQueue: Sendable {
  private var latestFirst: [(at: Moment, key: String)] = []

  var first: (at: Moment, key: String)? { latestFirst.last }

  mutating func add(_ key: String, at moment: Moment) {
    latestFirst.insert((moment, key), at: latestFirst.firstIndex { $0.at <= moment } ?? latestFirst.endIndex)
  }

  mutating func removeFirst() { latestFirst.removeLast() }
}

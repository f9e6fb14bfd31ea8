internal import AppStore
internal import Cryptography
internal import Domain
internal import JSON

/// Pages of histories in a chunk, as JSON for `ingest/53_record_pages.sql`.
struct StagedPages: Sendable {
  private(set) var texts: [String] = []

  /// Length of a key's hash in hexadecimal digits.
  private static let keyLength = 16

  /// Records the page that an input item represents, with keys that identify other pages of the same customer.
  ///
  /// - Parameter items: the answer first, then the items that it lists.
  mutating func add(_ items: [EvidenceItem], line: Int) {
    guard let top = items.first, top.verdict == .genuine, let page = top.page else { return }
    let transactions = items.dropFirst().filter { $0.parentSHA256 == top.sha256 }.compactMap(\.transaction)
    let customers = transactions.flatMap { [$0.appAccountToken, $0.appTransactionID].compactMap(\.self) }
    let keys = Set(transactions.map(\.originalTransactionID) + customers).sorted()
    let text = JSONObject(members: [
      ("line", .number(String(line))), ("sha256", .string(top.sha256)), ("list", .string(page.list)),
      ("bundle_id", .string(top.bundleID)), ("environment", .string(top.environment)),
      ("keys", .array(JSONArray(keys.map { .string(Self.hash($0)) }))), ("has_more", .bool(page.hasMore)),
      ("names_customer", .bool(!customers.isEmpty)),
    ])
    texts.append(String(decoding: JSONText.bytes(text), as: UTF8.self))
  }

  mutating func append(_ other: StagedPages) { texts += other.texts }

  /// Returns the hash of a customer's id. Ids of customers are stored only in texts that Apple signed.
  private static func hash(_ key: String) -> String { String(SHA256.hex(Array(key.utf8)).prefix(keyLength)) }
}

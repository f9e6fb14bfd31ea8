import FoundationEssentials
import SystemCalls

/// A file removed at the end of the test.
final class TestFile {
  let path: String

  init(_ bytes: [UInt8], suffix: String = "") throws {
    path = "\(Temporary.directory)/payrecon-intake-\(UUID().uuidString)\(suffix)"
    try Data(bytes).write(to: URL(filePath: path))
  }

  convenience init(_ text: String, suffix: String = "") throws {
    try self.init(Array(text.utf8), suffix: suffix)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}

struct TestFault: Error {
  var reason: String
}

extension RowResult {
  var row: (row: Row, line: Int)? { if case .row(let row, let line) = self { (row, line) } else { nil } }
  var parked: ParkedItem? { if case .parked(let item) = self { item } else { nil } }
}

struct Reading<Row: InputRow> {
  var rows: [(row: Row, line: Int)] = []
  var parked: [ParkedItem] = []

  init(_ reader: RowFileReader<Row>) throws {
    var reader = reader
    while let result = try reader.next() {
      switch result {
      case .row(let row, let line): rows.append((row, line))
      case .parked(let item): parked.append(item)
      }
    }
  }
}

/// End conditions that every input meets, for tests of other properties.
let anyEnd = InputEnd(finalNewlineIsOptional: true, mayBeEmpty: true)

func readUsers(_ text: String, suffix: String = ".csv", end: InputEnd = anyEnd) throws -> Reading<UserRow> {
  try readUsers(Array(text.utf8), suffix: suffix, end: end)
}

func readUsers(_ bytes: [UInt8], suffix: String = ".csv", end: InputEnd = anyEnd) throws -> Reading<UserRow> {
  let file = try TestFile(bytes, suffix: suffix)
  return try Reading(RowFileReader<UserRow>(path: file.path, end: end))
}

/// Returns one order as NDJSON with replaced members; nil omits a member.
func orderLine(_ changes: [String: String?] = [:]) -> String {
  var members: [String: String?] = [
    "order_id": "\"o-1\"", "bundle_id": "\"com.example.app\"", "product_id": "\"gems\"", "user_id": "\"u-1\"",
    "status": "\"paid\"", "created_at": "\"2025-03-01T12:00:00Z\"",
  ]
  for (key, value) in changes { members[key] = .some(value) }
  let present = members.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
  return "{\(present.sorted().joined(separator: ","))}"
}

func readOrder(_ changes: [String: String?]) throws -> RowResult<OrderRow>? {
  var reader = try RowFileReader<OrderRow>(bytes: Array(orderLine(changes).utf8), header: nil, file: "orders.ndjson")
  return try reader.next()
}

// A suite that imports TestSupport also has the modules that its interface names.
@_exported public import Collect
@_exported public import Domain
@_exported public import Ingest
@_exported public import JobCore
@_exported public import Jobs
@_exported public import Matching
@_exported public import Postgres
@_exported public import Reports
@_exported public import SimulatedSigning
import Synchronization
@_exported public import Testing

/// Collects the bytes that a job streams.
public final class ByteCollector: Sendable {
  private let bytes = Mutex([UInt8]())
  public init() {}
  public func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }
  public var all: [UInt8] { bytes.withLock { $0 } }
}

/// Test data of which a case changes a few fields.
public protocol Changeable {}

extension Changeable {
  /// Returns the same value with changed fields.
  public func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

/// A row of a table of cases. Test results show its name.
public protocol NamedCase: Sendable, CustomTestStringConvertible {
  var name: String { get set }
}

extension NamedCase {
  public var testDescription: String { name }

  /// Returns the cases of a table with their names.
  public static func table(_ cases: KeyValuePairs<String, Self>) -> [Self] {
    cases.map { name, test in
      var test = test
      test.name = name
      return test
    }
  }
}

extension Sequence<[String: String]> {
  /// Returns these columns of each row, joined by spaces. A missing one is a question mark.
  public func cells(_ columns: String) -> [String] {
    let names = columns.split(separator: " ").map(String.init)
    return map { row in names.map { row[$0] ?? "?" }.joined(separator: " ") }
  }
}

/// A JSON cell of any type as text; null is an empty text, and the items of a list are joined by spaces.
public struct JSONCell: Decodable {
  public var text: String

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      text = ""
    } else if let value = try? container.decode(String.self) {
      text = value
    } else if let value = try? container.decode(Int64.self) {
      text = "\(value)"
    } else if let list = try? container.decode([String].self) {
      text = list.joined(separator: " ")
    } else {
      text = try container.decode(Bool.self) ? "true" : "false"
    }
  }
}

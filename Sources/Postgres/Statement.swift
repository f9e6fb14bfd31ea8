/// An SQL file with its declared cells. Its header lists its parameters. StatementValueTests compares both with the server's description.
public protocol DeclaredStatement: Sendable {
  /// Path under the SQL folder.
  var path: String { get }
  /// The parameters that the program passes to it; nil if the calling code names each.
  var passed: Set<String>? { get }
  /// Kinds of the cells of a row, in order; nil if cells are read by column name.
  var cells: [ValueKind]? { get }
}

extension DeclaredStatement {
  public var passed: Set<String>? { nil }
  public var cells: [ValueKind]? { nil }

  /// The file's name without its extension.
  public var name: String { String((path.split(separator: "/").last ?? "").dropLast(".sql".count)) }
}

/// A statement without result, or with rows of cells in a fixed order.
public struct Statement<each Cell>: DeclaredStatement {
  public let path: String
  public let passed: Set<String>?
  let columns: (repeat Column<each Cell>)

  public init(_ path: String, passed: Set<String>? = nil, gives columns: repeat Column<each Cell>) {
    self.path = path
    self.passed = passed
    self.columns = (repeat each columns)
  }

  public var cells: [ValueKind]? {
    var kinds: [ValueKind] = []
    repeat kinds.append((each columns).kind)
    return kinds
  }
}

/// Statements without parameters and results, such as those that create working tables. They run one after the other.
public struct Script: DeclaredStatement {
  public let path: String

  public init(_ path: String) { self.path = path }
}

/// A statement whose cells are read by column name or passed on as text.
public struct Listing: DeclaredStatement {
  public let path: String

  public init(_ path: String) { self.path = path }
}

/// A folder of statements without results. Each binds those of the passed parameters that it names, so an added file needs no Swift code.
public struct StatementFolder: Sendable {
  public let path: String
  public let passed: Set<String>

  public init(_ path: String, passed: Set<String>) { (self.path, self.passed) = (path, passed) }

  /// Returns all statements, by name.
  public func statements(in files: SQLFiles) -> [Statement<>] {
    files.paths.filter { $0.hasPrefix("\(path)/") }.map { Statement($0, passed: passed) }
  }
}

/// The kind of a cell and its decoder.
public struct Column<Cell>: Sendable {
  let kind: ValueKind
  /// Decodes the bytes of a cell. Returns nil if the cell is null and must not be.
  let decode: @Sendable ([UInt8]?) -> Cell?
}

extension Column {
  public static var bool: Column<Bool> { .init(kind: .bool) { $0.map(Decoder.bool) } }
  public static var optionalBool: Column<Bool?> { .init(kind: .bool) { .some($0.map(Decoder.bool)) } }
  public static var int4: Column<Int32> { .init(kind: .int4) { $0.map { Int32(truncatingIfNeeded: integer(bigEndian: $0)) } } }
  public static var int8: Column<Int64> { .init(kind: .int8) { $0.map(integer(bigEndian:)) } }
  public static var optionalInt8: Column<Int64?> { .init(kind: .int8) { .some($0.map(integer(bigEndian:))) } }
  /// Microseconds since 1970.
  public static var timestamptz: Column<Int64> { .init(kind: .timestamptz) { $0.map(Decoder.timestamptz) } }
  public static var optionalTimestamptz: Column<Int64?> { .init(kind: .timestamptz) { .some($0.map(Decoder.timestamptz)) } }
  public static var text: Column<String> { .init(kind: .text) { $0.map(Decoder.text) } }
  public static var optionalText: Column<String?> { .init(kind: .text) { .some($0.map(Decoder.text)) } }
  public static var bytes: Column<[UInt8]> { .init(kind: .bytea) { $0 } }
  public static var optionalBytes: Column<[UInt8]?> { .init(kind: .bytea) { .some($0) } }
}

/// Decoders of PostgreSQL's binary formats.
private enum Decoder {
  @Sendable static func bool(_ bytes: [UInt8]) -> Bool { bytes[0] != 0 }
  @Sendable static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
  /// Returns microseconds since 1970.
  @Sendable static func timestamptz(_ bytes: [UInt8]) -> Int64 { integer(bigEndian: bytes) + postgresEpochMicroseconds }
}

public struct StatementFile<each Cell>: Sendable {
  let file: SQLFile
  let columns: (repeat Column<each Cell>)

  public var text: String { file.text }
  public var parameterNames: [String] { file.parameterNames }

  public func picking(from values: [String: Value]) -> [String: Value] { file.picking(from: values) }
}

extension StatementFile {
  /// Creates a statement that is in no file.
  ///
  /// - Parameter name: name for messages.
  init(_ name: String, _ text: String, gives columns: repeat Column<each Cell>) {
    self.init(file: SQLFile(path: name, source: text), columns: (repeat each columns))
  }
}

public struct ScriptFile: Sendable {
  let path: String
  let text: String
}

extension SQLFiles {
  public func callAsFunction<each Cell>(_ statement: Statement<repeat each Cell>) throws(PostgresError) -> StatementFile<repeat each Cell> {
    StatementFile(file: try file(statement.path), columns: (repeat each statement.columns))
  }

  public func callAsFunction(_ script: Script) throws(PostgresError) -> ScriptFile {
    ScriptFile(path: script.path, text: try text(script.path))
  }

  public func callAsFunction(_ listing: Listing) throws(PostgresError) -> SQLFile { try file(listing.path) }
}

extension DatabaseTransaction {
  /// Sends a script, which creates working tables, with the next statement or the commit, which throw its errors.
  public mutating func send(_ script: ScriptFile) { send(script.text, file: script.path) }

  /// Sends statements, each with the values that it names, with the next statement or the commit, which throw their errors.
  public mutating func send(_ statements: [Statement<>], _ values: [String: Value] = [:], sql: SQLFiles) throws(PostgresError) {
    for statement in statements {
      let file = try sql(statement)
      try send(file, file.picking(from: values))
    }
  }

  /// Passes the rows of a statement without parameters to `body` one by one, in constant memory, by COPY.
  public mutating func copyRows<each Cell>(_ statement: StatementFile<repeat each Cell>, _ body: (inout CopyRow) throws -> Void) throws {
    var isFirst = true
    _ = try copyOut("copy (\n\(statement.file.query)\n) to stdout (format binary)") { message in
      let row = try CopyRow(message, isFirst: isFirst, of: statement.file.path)
      isFirst = false
      guard var row else { return }
      try body(&row)
      try row.checkEnd()
    }
  }
}

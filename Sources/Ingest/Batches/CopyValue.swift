internal import Domain
internal import JobCore
internal import Postgres

/// A value of a column that is copied into a table; nil is null.
protocol CopyValue {
  func write(to writer: inout CopyWriter) throws
}

extension CopyWriter {
  /// Writes a row, in the order of the columns of its COPY statement.
  mutating func row<each Value: CopyValue>(_ values: repeat each Value) throws {
    var columnCount = 0
    for _ in repeat each values { columnCount += 1 }
    try beginRow(columns: columnCount)
    for value in repeat each values { try value.write(to: &self) }
  }
}

extension Optional: CopyValue where Wrapped: CopyValue {
  func write(to writer: inout CopyWriter) throws {
    if let self { try self.write(to: &writer) } else { try writer.null() }
  }
}

extension Bool: CopyValue {
  func write(to writer: inout CopyWriter) throws { try writer.bool(self) }
}

extension Int32: CopyValue {
  func write(to writer: inout CopyWriter) throws { try writer.int4(self) }
}

extension Int64: CopyValue {
  func write(to writer: inout CopyWriter) throws { try writer.int8(self) }
}

extension String: CopyValue {
  func write(to writer: inout CopyWriter) throws { try writer.text(self) }
}

extension [String]: CopyValue {
  func write(to writer: inout CopyWriter) throws { try writer.textArray(self) }
}

extension ArraySlice<UInt8>: CopyValue {
  func write(to writer: inout CopyWriter) throws { try writer.bytes(self) }
}

extension Timestamp: CopyValue {
  func write(to writer: inout CopyWriter) throws { try writer.timestamptz(microseconds: microseconds) }
}

/// A hash in hexadecimal that is stored as bytes.
struct HashValue: CopyValue {
  let text: String

  init(_ text: String) { self.text = text }

  func write(to writer: inout CopyWriter) throws { try writer.hash(text) }
}

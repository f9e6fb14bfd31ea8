package import Domain
internal import JobCore
package import Postgres
package import Wording

/// A value of a column that is copied into a table; nil is null.
package protocol CopyValue {
  func write(to writer: inout CopyWriter) throws
}

extension CopyWriter {
  /// Writes a row, in the order of the columns of its COPY statement.
  package mutating func row<each Value: CopyValue>(_ values: repeat each Value) throws {
    var columnCount = 0
    for _ in repeat each values { columnCount += 1 }
    try beginRow(columns: columnCount)
    for value in repeat each values { try value.write(to: &self) }
  }
}

extension Optional: CopyValue where Wrapped: CopyValue {
  package func write(to writer: inout CopyWriter) throws {
    if let self { try self.write(to: &writer) } else { try writer.null() }
  }
}

extension Bool: CopyValue {
  package func write(to writer: inout CopyWriter) throws { try writer.bool(self) }
}

extension Int32: CopyValue {
  package func write(to writer: inout CopyWriter) throws { try writer.int4(self) }
}

extension Int64: CopyValue {
  package func write(to writer: inout CopyWriter) throws { try writer.int8(self) }
}

extension String: CopyValue {
  package func write(to writer: inout CopyWriter) throws { try writer.text(self) }
}

extension Phrase: CopyValue {
  package func write(to writer: inout CopyWriter) throws { try writer.jsonb(json) }
}

extension [String]: CopyValue {
  package func write(to writer: inout CopyWriter) throws { try writer.textArray(self) }
}

extension ArraySlice<UInt8>: CopyValue {
  package func write(to writer: inout CopyWriter) throws { try writer.bytes(self) }
}

extension Timestamp: CopyValue {
  package func write(to writer: inout CopyWriter) throws { try writer.timestamptz(microseconds: microseconds) }
}

/// A hash in hexadecimal that is stored as bytes.
package struct HashValue: CopyValue {
  let text: String

  package init(_ text: String) { self.text = text }

  package func write(to writer: inout CopyWriter) throws { try writer.hash(text) }
}

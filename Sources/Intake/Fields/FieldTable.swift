internal import Wording

/// The reason why a row is invalid.
struct RowFault: Error {
  /// Column at fault; empty for the whole row.
  var field = ""
  var reason: Phrase
}

extension RowFault {
  /// A fault of the whole row, or of a value whose column the caller adds.
  init(_ reason: Phrase) { self.init(reason: reason) }
}

final class RowNotes {
  /// The first fault of each column, in order of the checks.
  private(set) var faults: [RowFault] = []
  /// Text columns whose value is a number shortened by a spreadsheet.
  var exponentialColumns: [Int] = []

  func note(_ fault: RowFault) {
    if !faults.contains(where: { $0.field == fault.field }) { faults.append(fault) }
  }

  func clear() {
    faults.removeAll(keepingCapacity: true)
    exponentialColumns.removeAll(keepingCapacity: true)
  }

  /// All faults combined; nil when there is none.
  var fault: RowFault? {
    guard faults.count > 1 else { return faults.first }
    let reasons = faults.map { Phrase("intake.field_fault", ["field": .plain($0.field), "why": $0.reason]) }
    return RowFault(
      field: faults.map(\.field).joined(separator: ", "),
      reason: .joined(reasons, by: "said.apart"))
  }
}

/// Values of one row by column of its schema.
struct FieldTable {
  /// The type of a value in the input.
  enum Kind {
    case absent
    /// Any CSV value, or a JSON string.
    case text
    case number
    /// A JSON `true` or `false`.
    case boolean
  }

  struct Slot {
    var kind = Kind.absent
    var start = 0
    var end = 0
    /// Whether the value is stored in `scratch`, because the input has it with escapes.
    var isScratch = false
  }

  let columns: [String]
  var slots: [Slot]
  /// Unescaped values.
  var scratch: [UInt8] = []

  init(columns: [String]) {
    self.columns = columns
    slots = Array(repeating: Slot(), count: columns.count)
  }

  /// Returns the bytes of a column's value; nil when it is absent.
  ///
  /// - Parameter text: the bytes that the table refers to.
  func value(_ column: Int, in text: [UInt8]) -> ArraySlice<UInt8>? {
    let slot = slots[column]
    guard slot.kind != .absent else { return nil }
    return slot.isScratch ? scratch[slot.start..<slot.end] : text[slot.start..<slot.end]
  }

  mutating func clear() {
    for index in slots.indices { slots[index] = Slot() }
    scratch.removeAll(keepingCapacity: true)
  }
}

/// Reads and checks the values of a row. An invalid value is noted with its column and read as absent.
struct RowValues {
  let table: FieldTable
  /// Storage of the window that contains the row.
  let bytes: [UInt8]
  let notes: RowNotes

  /// Returns whether the column has a value; an empty value is absent.
  func has(_ column: Int) -> Bool {
    let slot = table.slots[column]
    return slot.kind != .absent && slot.start < slot.end
  }

  /// Executes `body` on the bytes of the column's value. Returns nil when the value is absent, or `body` throws; the error is noted.
  func optional<Value>(_ column: Int, _ body: (Span<UInt8>) throws(RowFault) -> Value) -> Value? {
    guard has(column) else { return nil }
    do throws(RowFault) {
      return try read(column, body)
    } catch {
      notes.note(error)
      return nil
    }
  }

  /// Notes a required column without a value.
  func require(_ column: Int) {
    if !has(column) { notes.note(fault(column, "intake.value_missing")) }
  }

  private func read<Value>(_ column: Int, _ body: (Span<UInt8>) throws(RowFault) -> Value) throws(RowFault) -> Value {
    let slot = table.slots[column]
    return slot.isScratch
      ? try body(table.scratch.span.extracting(slot.start..<slot.end))
      : try body(bytes.span.extracting(slot.start..<slot.end))
  }

  func fault(_ column: Int, _ reason: Phrase) -> RowFault {
    RowFault(field: table.columns[column], reason: reason)
  }

  /// Returns the value for a reason: truncated, with control characters replaced.
  func quoted(_ column: Int) -> String {
    let value = table.value(column, in: bytes) ?? []
    let text = String(decoding: value.prefix(IntakeLimits.quotedBytesMax), as: UTF8.self)
    let shown = text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
    return "\"\(String(String.UnicodeScalarView(shown)))\(value.count > IntakeLimits.quotedBytesMax ? "…" : "")\""
  }
}

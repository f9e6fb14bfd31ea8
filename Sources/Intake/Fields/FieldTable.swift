/// Why a row cannot be taken.
struct RowFault: Error {
  /// Column at fault; empty when the whole row is.
  var field: String
  var reason: String
}

/// Values of one row by the column of its schema.
struct FieldTable {
  /// What a value was written as.
  enum Kind {
    case absent
    /// Any CSV value, or a JSON string.
    case text
    /// A JSON number.
    case number
    /// A JSON `true` or `false`.
    case boolean
  }

  struct Slot {
    var kind = Kind.absent
    var start = 0
    var end = 0
    /// Whether the value stands in `scratch` because the input wrote it with escapes.
    var isScratch = false
  }

  let columns: [String]
  var slots: [Slot]
  /// Values without their escapes.
  var scratch: [UInt8] = []

  init(columns: [String]) {
    self.columns = columns
    slots = Array(repeating: Slot(), count: columns.count)
  }

  mutating func clear() {
    for index in slots.indices { slots[index] = Slot() }
    scratch.removeAll(keepingCapacity: true)
  }
}

/// Reads checked values out of a row; everything thrown names the column.
struct RowValues {
  let table: FieldTable
  /// Storage of the window the row stands in.
  let bytes: [UInt8]

  /// Whether the column has a value; an empty one is none.
  func has(_ column: Int) -> Bool {
    let slot = table.slots[column]
    return slot.kind != .absent && slot.start < slot.end
  }

  /// Runs `body` on the value's bytes.
  func read<Value>(_ column: Int, _ body: (Span<UInt8>) throws(RowFault) -> Value) throws(RowFault) -> Value {
    let slot = table.slots[column]
    return slot.isScratch
      ? try body(table.scratch.span.extracting(slot.start..<slot.end))
      : try body(bytes.span.extracting(slot.start..<slot.end))
  }

  func fault(_ column: Int, _ reason: String) -> RowFault {
    RowFault(field: table.columns[column], reason: reason)
  }

  func missing(_ column: Int) -> RowFault { fault(column, "the value is required and missing") }

  /// The value as a reason quotes it: cut short, with control characters replaced.
  func quoted(_ column: Int) -> String {
    let slot = table.slots[column]
    let storage = slot.isScratch ? table.scratch : bytes
    let cut = min(slot.end, slot.start + IntakeLimits.quotedBytesMax)
    let text = String(decoding: storage[slot.start..<cut], as: UTF8.self)
    let shown = String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
    return cut < slot.end ? "\"\(shown)…\"" : "\"\(shown)\""
  }

  private func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }
}

internal import Domain
internal import Wording

/// The columns of a mapping bound to the columns of one input.
struct MappedColumns {
  /// How one column of payrecon is filled.
  private struct Step {
    var target: Int
    /// Column of `sources`; nil for a constant.
    var source: Int?
    var constant: [UInt8] = []
    var conversion: ColumnMapping.Conversion = .none
    /// Column of `sources` with the offset of an instant.
    var offset: Int?
  }

  /// Names of the input's columns that are read.
  let sources: [String]
  /// Name of each column of payrecon in reasons: its source, if it has one.
  let labels: [String]
  private let steps: [Step]
  private let targets: [String]
  private let currency: Int?
  private let nulls: [[UInt8]]
  private let acceptsISO: Bool

  /// - Parameters:
  ///   - columns: columns of payrecon.
  ///   - header: the input's columns; nil for NDJSON, in which every row names its own.
  init(_ mapping: InputMapping, columns: [String], header: [String]?) {
    var names: [String] = []
    func index(of name: String) -> Int {
      if let known = names.firstIndex(of: name) { return known }
      names.append(name)
      return names.count - 1
    }
    var labels = columns
    var steps: [Step] = []
    for (target, name) in columns.enumerated() {
      guard let column = mapping.columns.first(where: { $0.target == name }) else {
        if header?.contains(name) ?? true { steps.append(Step(target: target, source: index(of: name))) }
        continue
      }
      switch column.source {
      case .nothing: continue
      case .constant(let value): steps.append(Step(target: target, constant: Array(value.utf8)))
      case .column(let source):
        labels[target] = source
        var step = Step(target: target, source: index(of: source), conversion: column.conversion)
        if case .instant(let format) = column.conversion, let offset = format.offsetColumn { step.offset = index(of: offset) }
        steps.append(step)
      }
    }
    // An amount in minor units needs the row's currency, so it comes first.
    let first = columns.firstIndex(of: "currency")
    self.steps = steps.filter { $0.target == first } + steps.filter { $0.target != first }
    currency = first
    sources = names
    self.labels = labels
    targets = columns
    nulls = mapping.nulls.map { Self.trimmed(Array($0.utf8)[...]) }
    acceptsISO = mapping.isOfDatabase
  }

  func fills(_ column: String) -> Bool { steps.contains { targets[$0.target] == column } }

  /// Fills a row of payrecon; a value that cannot be converted is noted.
  ///
  /// - Parameters:
  ///   - row: values by `sources`.
  ///   - text: the bytes that both tables refer to.
  func fill(_ table: inout FieldTable, from row: FieldTable, text: [UInt8], notes: RowNotes) {
    table.clear()
    for step in steps {
      guard let source = step.source else {
        append(step.constant, at: step.target, to: &table)
        continue
      }
      let slot = row.slots[source]
      guard let value = row.value(source, in: text), !isNull(value) else { continue }
      do throws(ConversionFault) {
        if let converted = try convert(value, isNumber: slot.kind == .number, step, row, text, table) {
          append(converted, at: step.target, to: &table)
        } else if slot.isScratch {
          append(Array(value), at: step.target, kind: slot.kind, to: &table)
        } else {
          table.slots[step.target] = slot
        }
      } catch {
        let why = Phrase.plain("\(ConversionFault.quoted(Array(value))) \(error.reason)")
        let reason = Phrase("intake.mapped_value", ["why": why, "column": .plain(targets[step.target])])
        notes.note(RowFault(field: labels[step.target], reason: reason))
      }
    }
  }

  /// Returns whether a value is, apart from spaces around it, a word that states nothing.
  private func isNull(_ value: ArraySlice<UInt8>) -> Bool {
    guard !nulls.isEmpty else { return false }
    let trimmed = Self.trimmed(value)
    return nulls.contains { $0 == trimmed }
  }

  /// Returns a converted value; nil for a value that stays as it is.
  ///
  /// - Parameter isNumber: whether the value is a number of JSON, whose decimal mark is a point.
  private func convert(
    _ value: ArraySlice<UInt8>, isNumber: Bool, _ step: Step, _ row: FieldTable, _ text: [UInt8], _ table: FieldTable
  ) throws(ConversionFault) -> [UInt8]? {
    if case .none = step.conversion { return nil }
    if case .values(let values) = step.conversion {
      if let word = values[String(decoding: Self.trimmed(value), as: UTF8.self)] { return Array(word.utf8) }
      guard !value.isEmpty else { return nil }
      throw ConversionFault("is not among the values that the settings map")
    }
    let trimmed = Self.trimmed(value)
    guard !trimmed.isEmpty, !isZeroInstant(trimmed, step) else { return [] }
    switch step.conversion {
    case .instant(let format):
      let offset = step.offset.flatMap { row.value($0, in: text) }.map(Self.trimmed).flatMap { $0.isEmpty ? nil : $0 }
      return Array(try format.instant(trimmed, offset: offset, acceptsISO: acceptsISO).rfc3339.utf8)
    case .money(let unit, let mark):
      let code = currency.flatMap { table.value($0, in: text) }.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
      return Array(String(try unit.milliunits(trimmed, currency: code, mark: isNumber ? .point : mark)).utf8)
    case .none, .values: return nil
    }
  }

  /// Returns whether a value is the zero of its format, with which databases state that there is no instant.
  private func isZeroInstant(_ value: [UInt8], _ step: Step) -> Bool {
    guard case .instant(let format) = step.conversion else { return false }
    return format.pattern?.unixUnit == nil ? value.starts(with: "0000-00-00".utf8) : value.allSatisfy { $0 == ASCII.zero }
  }

  private static func trimmed(_ value: ArraySlice<UInt8>) -> [UInt8] {
    let start = value.drop { ASCII.isSpace($0) }
    return Array(start.prefix(upTo: (start.lastIndex { !ASCII.isSpace($0) } ?? start.startIndex - 1) + 1))
  }

  private func append(_ value: [UInt8], at target: Int, kind: FieldTable.Kind = .text, to table: inout FieldTable) {
    let start = table.scratch.count
    table.scratch += value
    table.slots[target] = FieldTable.Slot(kind: kind, start: start, end: table.scratch.count, isScratch: true)
  }
}

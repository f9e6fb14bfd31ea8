internal import Wording

/// The first rows of a file as payrecon understands them, what is missing or doubtful, and a mapping to paste.
public struct InputPreview: Sendable {
  /// Number of rows that are shown, and of reasons.
  private static let shownRowsMax = 3
  private static let shownFaultsMax = 8
  /// Number of columns that are named as not read.
  private static let shownUnreadMax = 20

  public private(set) var lines: [String] = []

  /// The proposed mapping as lines of a settings file; empty if the file has payrecon's columns.
  public private(set) var proposal: [String] = []

  /// Sentences about guesses of the proposed mapping; empty without one.
  public private(set) var guesses: [String] = []

  private let rowType: any InputRow.Type
  private let path: String
  private let format: InputFormat?
  /// The conditions under which ingest takes the file as complete.
  private let end: InputEnd
  private let sample: InputSample
  private let facts: PreviewFacts

  /// - Parameter mapping: mapping of the settings for this file; nil without one.
  /// - Throws: `IntakeError` when the file cannot be read.
  public init(
    _ rowType: any InputRow.Type, path: String, format: InputFormat?, mapping: InputMapping?, facts: PreviewFacts
  ) throws(IntakeError) {
    self.rowType = rowType
    self.path = path
    self.format = format
    end = InputEnd(finalNewlineIsOptional: facts.finalNewlineIsOptional)
    sample = try InputSample(path: path, format: format)
    self.facts = facts
    let proposal = MappingProposal(rowType, sample, facts)
    describe()
    if sample.isArray { return }
    let (current, refusal) = attempt(mapping)
    if let current, current.acceptedCount > 0 || current.parkedCount == 0 {
      showRead(current, mapping, proposal)
      return
    }
    let reason = refusal ?? current?.faults.first?.reason ?? ""
    let cause = mapping.map { "The mapping \"\($0.key)\" does not fit: \(reason)" }
    lines.append(cause ?? "The settings have no mapping for this file.")
    lines.append("Read with the mapping proposed below:")
    let (proposed, fault) = attempt(proposal.mapping)
    if let proposed { show(proposed, proposal.mapping) } else if let fault { showRefused(fault, proposal) }
    propose(proposal)
  }

  /// Shows rows that can be read, and a mapping if it would read more of them.
  private mutating func showRead(_ current: Attempt, _ mapping: InputMapping?, _ proposal: MappingProposal) {
    let better = mapping == nil && !proposal.mapping.columns.isEmpty ? attempt(proposal.mapping).0 : nil
    if let better, better.acceptedCount >= current.acceptedCount {
      lines.append("payrecon's own columns are read. Read with the mapping proposed below, which fills more:")
      show(better, proposal.mapping)
    } else {
      lines.append("Read \(mapping.map { "with the mapping \"\($0.key)\" of the settings" } ?? "with payrecon's own columns"):")
      show(current, mapping)
    }
    if mapping == nil, current.parkedCount > 0 || better != nil { propose(proposal) }
  }

  /// Shows why the proposed mapping cannot read the file: a required column is open.
  private mutating func showRefused(_ fault: String, _ proposal: MappingProposal) {
    lines.append("  it cannot be read: \(fault)")
    listUnread(proposal.mapping)
    lines.append("")
    guard !sample.rows.isEmpty else { return }
    let filled = rowType.columnNames.filter { isFilled($0, proposal.mapping) }
    let check = PreviewCheck(kind: rowType.kind, rows: [], sample: sample, facts: facts)
    add("Missing:", check.missing(filled: Set(filled)))
  }

  private func isFilled(_ column: String, _ mapping: InputMapping) -> Bool {
    switch mapping.columns.first(where: { $0.target == column })?.source {
    case .constant: true
    case .nothing: false
    case .column(let name): !sample.values(name).isEmpty
    case nil: !sample.values(column).isEmpty
    }
  }

  /// Names columns of the file that a mapping does not read.
  private mutating func listUnread(_ mapping: InputMapping?) {
    let mapped = mapping?.columns ?? []
    var read = Set(rowType.columnNames).subtracting(mapped.map(\.target))
    for column in mapped {
      if case .column(let name) = column.source { read.insert(name) }
      if case .instant(let format) = column.conversion, let name = format.offsetColumn { read.insert(name) }
    }
    let unread = sample.names.filter { !read.contains($0) }.map { ConversionFault.quoted(Array($0.utf8)) }
    guard !unread.isEmpty else { return }
    let more = unread.count > Self.shownUnreadMax ? " and \(unread.count - Self.shownUnreadMax) more" : ""
    lines.append("Not read: \(unread.prefix(Self.shownUnreadMax).joined(separator: ", "))\(more).")
  }

  /// Returns the transaction ids that the file's first rows name.
  ///
  /// - Parameter mapping: mapping of the settings for this file; nil without one.
  public static func transactionIDs(
    _ rowType: any InputRow.Type, path: String, format: InputFormat?, mapping: InputMapping?
  ) throws(IntakeError) -> [String] {
    let target = "transaction_id"
    guard rowType.columnNames.contains(target) else { return [] }
    let sample = try InputSample(path: path, format: format)
    let mapped = mapping?.columns.first { $0.target == target }?.source
    let proposed = ColumnNames.sources(of: rowType.columnNames, kind: rowType.kind, in: sample.names)[target]
    if case .column(let name)? = mapped { return sample.values(name) }
    return proposed.map { sample.values($0) } ?? []
  }

  private mutating func describe() {
    let form = sample.format == .ndjson ? "NDJSON" : "CSV separated by \"\(InputMapping.shown(sample.separator))\""
    if sample.isArray {
      lines.append("File \"\(path)\" is a JSON array, and payrecon reads NDJSON: one object per line, without brackets around them.")
      lines.append("Convert it, for instance with `jq -c '.[]'`, and preview the result.")
      return
    }
    lines.append("File \"\(path)\": \(form), \(sample.encoding.rawValue), \(sample.names.count) columns.")
    lines.append("Columns: \(sample.names.map { ConversionFault.quoted(Array($0.utf8)) }.joined(separator: ", "))")
    if sample.rows.isEmpty { lines.append("The file has a header and no rows, so only the names of its columns can be checked.") }
    if sample.isPart { lines.append("Only the first \(sample.rows.count) rows were inspected.") }
    lines.append("")
  }

  /// The rows of a file as read by a mapping.
  private struct Attempt {
    var acceptedCount = 0
    var parkedCount = 0
    var shown: [(line: Int, values: [(column: String, value: String)])] = []
    /// Reasons with the number of rows and the first line.
    var faults: [(reason: String, count: Int, line: Int)] = []
    var filled: [String: Int] = [:]
    var rows: [[String: String]] = []
    var exponential: [String: ExponentialText] = [:]
    /// Why ingest parks the end of the file; nil if it does not.
    var endFault: Phrase?
  }

  private func attempt(_ mapping: InputMapping?) -> (Attempt?, refusal: String?) {
    do throws(IntakeError) {
      return (try read(rowType, mapping), nil)
    } catch {
      return (nil, error.reason.english)
    }
  }

  private func read<Row: InputRow>(_ rowType: Row.Type, _ mapping: InputMapping?) throws(IntakeError) -> Attempt {
    var reader = try RowFileReader<Row>(path: path, format: format, end: .anything, mapping: mapping)
    var attempt = Attempt()
    while attempt.acceptedCount + attempt.parkedCount < InputSample.rowsMax {
      guard let result = try reader.next() else {
        attempt.endFault = reader.endFault(under: end)
        break
      }
      switch result {
      case .row(_, let line):
        attempt.acceptedCount += 1
        let values = reader.lastValues
        for (column, _) in values { attempt.filled[column, default: 0] += 1 }
        if attempt.shown.count < Self.shownRowsMax { attempt.shown.append((line, values)) }
        attempt.rows.append(Dictionary(values.map { ($0.column, $0.value) }) { first, _ in first })
      case .parked(let item):
        attempt.parkedCount += 1
        let reason = item.field.isEmpty ? "\(item.reason)" : "\(item.field): \(item.reason)"
        if let known = attempt.faults.firstIndex(where: { $0.reason == reason }) {
          attempt.faults[known].count += 1
        } else {
          attempt.faults.append((reason, 1, item.line))
        }
      }
    }
    attempt.exponential = reader.exponentialTexts
    return attempt
  }

  private mutating func show(_ attempt: Attempt, _ mapping: InputMapping?) {
    let width = rowType.columnNames.map(\.count).max() ?? 0
    for (line, values) in attempt.shown {
      lines.append("  line \(line):")
      for (column, value) in values {
        lines.append("    \(column)\(String(repeating: " ", count: width - column.count)) \(value.printable)\(origin(column, mapping))")
      }
    }
    lines.append("Rows: \(attempt.acceptedCount) can be read, \(attempt.parkedCount) would be parked.")
    for fault in attempt.faults.prefix(Self.shownFaultsMax) {
      lines.append("  \(fault.count == 1 ? "1 row" : "\(fault.count) rows, first") on line \(fault.line): \(fault.reason)")
    }
    if let fault = attempt.endFault { lines.append("  Ingest would park the end of the file: \(fault).") }
    if attempt.faults.count > Self.shownFaultsMax { lines.append("  and \(attempt.faults.count - Self.shownFaultsMax) other reasons") }
    listUnread(mapping)
    lines.append("")
    let check = PreviewCheck(kind: rowType.kind, rows: attempt.rows, sample: sample, facts: facts)
    if !attempt.rows.isEmpty { add("Missing:", check.missing(filled: Set(attempt.filled.keys))) }
    let shortened = attempt.exponential.sorted { $0.key < $1.key }.map { column, text in
      "\(column): a spreadsheet shortened \(text.count == 1 ? "1 number" : "\(text.count) numbers"), such as \(text.value) "
        + "on line \(text.line); "
        + "the digits that it left out are lost. Export the column as text."
    }
    add("Doubtful:", shortened + check.doubts())
  }

  private func origin(_ column: String, _ mapping: InputMapping?) -> String {
    guard let mapped = mapping?.columns.first(where: { $0.target == column }) else { return "" }
    switch mapped.source {
    case .column(let name): return "  (from \"\(name)\")"
    case .constant: return "  (in every row)"
    case .nothing: return ""
    }
  }

  private mutating func propose(_ proposal: MappingProposal) {
    let required = rowType.columnNames.filter { rowType.requiredColumns.contains($0) }
    let open = required.filter { name in
      !proposal.mapping.columns.contains { $0.target == name && $0.source != .nothing } && proposal.sourceNames[name] == nil
    }
    add("Not found, write them yourself:", open.map { "\(rowType.kind) need \($0)." })
    add("Guesses, to be checked:", proposal.doubts)
    guesses = proposal.doubts
    if proposal.mapping.isEmpty, open.isEmpty {
      lines.append("No mapping is proposed: the file has payrecon's columns.")
    } else {
      self.proposal = proposal.mapping.yaml(kind: rowType.kind, open: open)
      lines.append("Proposed mapping, to paste into the settings file. A key may occur once: if the file has \"inputs:\" already,")
      lines.append("paste the lines below \"inputs:\" under it. If that has \"\(rowType.kind):\" too, add only the keys below it.")
      lines += [""] + self.proposal + [""]
    }
    lines.append("Nothing was written.")
  }

  private mutating func add(_ title: String, _ sentences: [String]) {
    guard !sentences.isEmpty else { return }
    lines.append(title)
    lines += sentences.map { "  - \($0)" } + [""]
  }
}

extension String {
  /// The text with a replacement character for each control character, to print a file's values.
  package var printable: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "\u{FFFD}" : $0 }))
  }
}

extension InputMapping {
  /// The mapping as a block of the settings file.
  ///
  /// - Parameter open: required columns without a source, which become comments.
  func yaml(kind: String, open: [String]) -> [String] {
    var lines = ["inputs:", "  \(kind):"]
    for (key, value) in entries where !key.hasPrefix("columns.") { lines.append("    \(key): \(value)") }
    let notes = open.map { "      # \($0): required; name its column, or write {value: …}" }
    guard !columns.isEmpty else { return (lines.count > 2 ? lines : lines.dropLast() + ["  \(kind): {}"]) + notes }
    lines.append("    columns:")
    return lines + columns.map { "      \($0.target): \($0.text)" } + notes
  }
}

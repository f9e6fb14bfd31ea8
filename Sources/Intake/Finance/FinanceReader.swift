internal import Wording

/// Reads one financial file row by row, in constant memory.
///
/// The file is accepted completely or not at all: the first fault ends it. A trailer after the last row, with totals or a summary by
/// country, is compared with the rows.
public struct FinanceReader {
  private let header: FinanceHeader
  private var window: InputWindow
  private var trailer: FinanceTrailer
  private let inputEnd: InputEnd
  private var productTypes = FinanceProductTypes()
  private var isInFirstBlock = true
  private var hasEnded = false
  /// The file's statements about itself; complete once `next` returned nil.
  public private(set) var summary = FinanceSummary()

  public var report: FinanceReport { header.report }
  /// Ignored columns that are unknown to this program.
  public var unrecognizedColumns: [String] { header.unrecognized }

  /// Maximum number of lines before the header.
  private static let preambleMax = 40

  /// Opens a file, uncompressed, gzip or zstd.
  ///
  /// - Throws: `IntakeError` when it cannot be read, is no known report, or lacks a column, which is named.
  public init(path: String, end: InputEnd = InputEnd()) throws(IntakeError) { try self.init(InputWindow(path: path), end) }

  public init(bytes: [UInt8], file: String, end: InputEnd = InputEnd()) throws(IntakeError) {
    try self.init(InputWindow(bytes: bytes, file: file), end)
  }

  private init(_ opened: InputWindow, _ end: InputEnd) throws(IntakeError) {
    inputEnd = end
    var window = opened
    try window.begin()
    var summary = FinanceSummary()
    header = try Self.header(&window, &summary)
    trailer = FinanceTrailer(header)
    self.window = window
    self.summary = summary
  }

  private static func header(_ window: inout InputWindow, _ summary: inout FinanceSummary) throws(IntakeError) -> FinanceHeader {
    for _ in 0..<preambleMax {
      let line = window.line
      guard let bytes = try takeLine(&window) else { break }
      do throws(RowFault) {
        if let found = try FinanceHeader.read(bytes[...]) { return found }
      } catch {
        throw Self.error(window, line, error)
      }
      // A title may look like the name of a first column, but a header has more cells.
      if let found = FinanceHeader.byOrder(bytes[...], firstRow: try nextLine(&window)) { return found }
      summary.take(preamble: String(decoding: bytes, as: UTF8.self))
    }
    throw IntakeError(
      file: window.file,
      reason: window.fault.map(InputEnd.unpacked) ?? Phrase("intake.finance_unknown", ["count": .plain(preambleMax)]),
      hint: "Known are FINANCIAL, FINANCE_DETAIL, SALES, SUBSCRIBER, SUBSCRIPTION_EVENT, the payments CSV, and bank credits "
        + "(bank_date, amount, currency, reference, account).")
  }

  /// Reads the next row. Returns nil at the end of a complete file.
  ///
  /// - Throws: `IntakeError` with line, column and reason.
  public mutating func next() throws(IntakeError) -> FinanceRow? {
    while !hasEnded {
      let line = window.line
      guard let bytes = try Self.takeLine(&window) else { break }
      let row: FinanceRow?
      do throws(RowFault) {
        row = try take(bytes[...], line: line)
      } catch {
        throw Self.error(window, line, error)
      }
      guard let row else { continue }
      summary.rowCount += 1
      return row
    }
    try end()
    return nil
  }

  private mutating func end() throws(IntakeError) {
    guard !hasEnded else { return }
    hasEnded = true
    if let fault = window.fault { throw IntakeError(file: window.file, line: window.line, reason: InputEnd.unpacked(fault)) }
    do throws(RowFault) {
      try trailer.check(&summary)
    } catch {
      throw Self.error(window, trailer.line ?? window.line, error)
    }
    summary.warnings += productTypes.warnings
    guard window.endsInLine, !inputEnd.finalNewlineIsOptional else { return }
    guard trailer.provesCompleteness else {
      throw IntakeError(
        file: window.file, line: window.line - 1, reason: "intake.finance_cut",
        hint: "Nothing of this file was taken. Fetch it again; where files come so, set final_newline: optional of its input.")
    }
    summary.warnings.append("the last line has no line end; what stands behind the rows says that the file is whole")
  }

  /// Processes a line; returns a row, or nil for any other line.
  private mutating func take(_ bytes: ArraySlice<UInt8>, line: Int) throws(RowFault) -> FinanceRow? {
    // Two references that differ only in unreadable characters would be one credit. Apple's files are UTF-8.
    guard report != .bank || String(validating: bytes, as: UTF8.self) != nil else { throw RowFault("intake.value_utf8") }
    guard let cells = FinanceCells.split(bytes, by: header.delimiter) else {
      throw RowFault("intake.quote_open")
    }
    if cells.allSatisfy(\.isEmpty) {
      if summary.rowCount > 0 { isInFirstBlock = false }
      return nil
    }
    if header.isRepeated(by: cells) { throw RowFault("intake.finance_again") }
    if try trailer.take(cells, line: line) { return nil }
    let row = try row(cells, line: line)
    try trailer.add(row)
    if report.hasLines { productTypes.add(row[.productType]) }
    return row.signed
  }

  private func row(_ cells: [String], line: Int) throws(RowFault) -> FinanceRow {
    guard cells.count <= header.columns.count || cells[header.columns.count...].allSatisfy(\.isEmpty),
      cells.count >= header.columns.count || header.columns[cells.count...].allSatisfy({ !($0?.isRequired ?? false) })
    else {
      throw RowFault(Phrase("intake.row_values", ["count": .plain(cells.count), "columns": .plain(header.columns.count)]))
    }
    var row = FinanceRow(line: line, isInFirstBlock: isInFirstBlock)
    for case (let column?, let cell) in zip(header.columns, cells) {
      do throws(RowFault) {
        let value = try FinanceValues.read(cell, as: column.kind)
        if value == nil, column.needsValue { throw RowFault("intake.finance_no_value") }
        row[column.field] = value
      } catch {
        throw RowFault(field: column.names[0], reason: error.reason)
      }
    }
    if report == .payments { try row.splitRegion() }
    for case (let column?, let cell) in zip(header.columns, cells) where column.kind == .money {
      try row.readMoney(column, cell, of: report)
    }
    for case (let column?, let cell) in zip(header.columns, cells) where column.field == .exchangeRate {
      try row.readRate(column, cell)
    }
    return row
  }

  /// Returns the next line without consuming it; nil at the end.
  private static func nextLine(_ window: inout InputWindow) throws(IntakeError) -> [UInt8]? {
    guard case .whole(let content, _) = try window.peekLine(limit: IntakeLimits.recordBytesMax) else { return nil }
    return Array(window.bytes[content])
  }

  /// Consumes and returns a line; nil at the end.
  private static func takeLine(_ window: inout InputWindow) throws(IntakeError) -> [UInt8]? {
    switch try window.peekLine(limit: IntakeLimits.recordBytesMax) {
    case .end: return nil
    case .overlong:
      throw IntakeError(
        file: window.file, line: window.line, reason: Phrase("intake.line_long", ["max": .plain(IntakeLimits.recordBytesMax)]))
    case .whole(let content, let next):
      let bytes = Array(window.bytes[content])
      window.consume(to: next, newlines: 1)
      return bytes
    }
  }

  private static func error(_ window: InputWindow, _ line: Int, _ fault: RowFault) -> IntakeError {
    // A fault in the last line of a damaged archive is caused by the damage.
    if let damage = window.fault { return IntakeError(file: window.file, line: line, reason: InputEnd.unpacked(damage)) }
    return IntakeError(
      file: window.file, line: line,
      reason: fault.field.isEmpty ? fault.reason : Phrase("intake.finance_column", ["column": .plain(fault.field), "why": fault.reason]),
      hint: "Nothing of this file was taken; its bytes are kept among the dead letters.")
  }
}

extension FinanceRow {
  /// Splits `Euro-Zone (EUR)` into the printed name and the currency.
  fileprivate mutating func splitRegion() throws(RowFault) {
    let text = self[.region] ?? ""
    guard let open = text.lastIndex(where: { $0 == "(" || $0 == "（" }), FinanceCells.endsInParentheses(text) else {
      throw RowFault(
        field: "Region (Currency)", reason: Phrase("intake.finance_no_currency", ["value": .plain(FinanceValues.quoted(text))]))
    }
    let code = FinanceValues.trimmed(String(text[text.index(after: open)...].dropLast())).uppercased()
    guard FinanceValues.isCurrency(code) else {
      throw RowFault(field: "Region (Currency)", reason: Phrase("intake.finance_currency", ["value": .plain(FinanceValues.quoted(code))]))
    }
    self[.region] = FinanceValues.trimmed(String(text[..<open]))
    self[.currency] = code
  }

  /// Reads an amount in its known currency: proceeds are in the bank's currency, other amounts in the row's.
  fileprivate mutating func readMoney(_ column: FinanceColumn, _ text: String, of report: FinanceReport) throws(RowFault) {
    guard let currency = self[column.field == .proceeds ? .bankCurrency : .currency] else { return }
    guard report == .bank else {
      self[column.field] = FinanceValues.money(text, currency: currency)?.description
      return
    }
    do throws(RowFault) {
      try FinanceValues.bankAmount(text, currency: currency)
    } catch {
      throw RowFault(field: column.names[0], reason: error.reason)
    }
  }

  /// Reads an exchange rate whose single mark is ambiguous. If reading it as a thousands separator converts the amount owed into the
  /// proceeds, it is one. Otherwise it is the decimal mark.
  ///
  /// - Throws: `RowFault` for a comma when neither reading matches.
  fileprivate mutating func readRate(_ column: FinanceColumn, _ text: String) throws(RowFault) {
    guard ExactDecimal.isAmbiguous(text), let fraction = ExactDecimal(text.replacing(",", with: ".")),
      let whole = ExactDecimal(text.replacing(".", with: ","))
    else { return }
    self[.exchangeRate] = fraction.description
    guard let owed = decimal(.totalOwed), let proceeds = decimal(.proceeds), !owed.equals(.zero), !proceeds.equals(.zero)
    else { return }
    if Self.isNear(owed.times(whole), proceeds) {
      self[.exchangeRate] = whole.description
    } else if text.contains(","), !Self.isNear(owed.times(fraction), proceeds) {
      throw RowFault(
        field: column.names[0],
        reason: Phrase(
          "intake.finance_marks",
          [
            "value": .plain("\"\(text)\""), "one": .plain("\(fraction)"), "other": .plain("\(whole)"), "owed": .plain("\(owed)"),
            "proceeds": .plain("\(proceeds)"),
          ]))
    }
  }

  /// Returns whether two amounts differ by less than a factor of ten; the two readings of a rate differ by a thousand.
  private static func isNear(_ amount: ExactDecimal?, _ other: ExactDecimal) -> Bool {
    let ten = ExactDecimal(digits: 10, scale: 0)
    guard let amount = amount?.magnitude, let more = amount.times(ten)?.adding(other.magnitude.negated),
      let less = other.magnitude.times(ten)?.adding(amount.negated)
    else { return false }
    return !more.isNegative && !less.isNegative
  }
}

extension FinanceSummary {
  /// Reads a line before the header: a title with a month, or `Start Date` and `End Date`.
  fileprivate mutating func take(preamble line: String) {
    let parts = line.split { $0 == "\t" || $0 == "," || $0 == ":" || $0 == ";" }.map {
      FinanceValues.trimmed(String($0.filter { $0 != "\"" }))
    }
    let day = parts.dropFirst().lazy.compactMap { part in (try? FinanceValues.read(part, as: .day)) ?? nil }.first
    switch parts.first.map(FinanceCells.key) {
    case "startdate": startsOn = day
    case "enddate": endsOn = day
    default: month = month ?? FinanceMonth(title: line)
    }
  }
}

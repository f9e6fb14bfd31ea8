internal import Domain
internal import JobCore
internal import Wording

/// The command that lists the rows behind a figure, for a page.
struct FigureCommand {
  let table: FigureTable
  let asOf: Timestamp
  var console: ConsoleAddress?

  /// - Parameter column: nil for all figures of the row.
  /// - Returns: nil if the figure has no rows because it is 0 or no sum.
  func text(_ row: ReportRecord, _ column: String?) throws -> String? {
    try address(row, column).map { "payrecon rows \(table.rawValue) \(Self.quoted($0)) --as-of \(asOf.rfc3339)" }
  }

  /// Returns the console page with the same rows; nil without rows or without a console.
  func link(_ row: ReportRecord, _ column: String?) throws -> String? {
    guard let console else { return nil }
    return try address(row, column).map { console.rows(table.rawValue, $0, asOf: asOf) }
  }

  private func address(_ row: ReportRecord, _ column: String?) throws -> String? {
    if let column {
      guard table.isFigure(column), try !FigureRows.isZero(row.text(column)) else { return nil }
    }
    var address = try FigureAddress.text(row, column ?? "", in: table)
    if column == nil { address.removeLast() }
    return address
  }

  /// Returns the note above a table whose figures name their commands.
  func note(in words: Catalogue) -> String {
    let arguments = ["command": "payrecon rows \(table.rawValue) \(table.form)", "max": "\(ReportSection.commandsMax)"]
    let links = console == nil ? "" : words("rows.links_note", ["max": "\(ReportSection.linksMax)"]) + " "
    return links + words("rows.command_note", arguments)
  }

  /// Quotes an address for a shell if necessary.
  private static func quoted(_ address: String) -> String {
    let isPlain = address.utf8.allSatisfy { byte in
      switch UInt8(ascii: " ") < byte && byte < 0x7F ? Character(UnicodeScalar(byte)) : " " {
      case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "_", "-", "%", ":", "+", "=", ",": true
      default: false
      }
    }
    return isPlain ? address : "'\(address.replacing("'", with: "'\\''"))'"
  }
}

extension ReportSection.Cell {
  /// Returns the cell with the commands and links of its figure and of the figure below it.
  func rows(_ command: FigureCommand, _ row: ReportRecord, _ column: String?, small: String? = nil) throws -> Self {
    guard text != "·", text != "0" else { return self }
    var cell = self
    cell.command = try command.text(row, column)
    cell.smallCommand = try small.flatMap { try command.text(row, $0) }
    cell.link = try command.link(row, column)
    cell.smallLink = try small.flatMap { try command.link(row, $0) }
    return cell
  }
}

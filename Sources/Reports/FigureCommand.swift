internal import Domain
internal import JobCore
internal import Wording

/// The command that lists the rows behind a figure, as a page names it.
struct FigureCommand {
  let table: FigureTable
  let asOf: Timestamp
  var console: ConsoleAddress?

  /// - Parameter column: nil for all figures of the row.
  /// - Returns: nil for a figure that has no rows: it is 0, or no sum.
  func text(_ row: ReportRecord, _ column: String?) throws -> String? {
    try address(row, column).map { "payrecon rows \(table.rawValue) \(Self.quoted($0)) --as-of \(asOf.rfc3339)" }
  }

  /// Where the console lists the same; nil also where no console is named.
  func link(_ row: ReportRecord, _ column: String?) throws -> String? {
    guard let console else { return nil }
    return try address(row, column).map { console.rows(table.rawValue, $0, asOf: asOf) }
  }

  private func address(_ row: ReportRecord, _ column: String?) throws -> String? {
    if let column {
      guard table.isFigure(column), try !FigureRows.isZero(row.text(column)) else { return nil }
    }
    var address = try FigureAddress.text({ try row[$0] }, column ?? "", in: table)
    if column == nil { address.removeLast() }
    return address
  }

  /// What stands above a table whose figures name their commands.
  func note(in words: Catalogue) -> String {
    let told = ["command": "payrecon rows \(table.rawValue) \(table.form)", "max": "\(ReportSection.commandsMax)"]
    let links = console == nil ? "" : words("rows.links_note", ["max": "\(ReportSection.linksMax)"]) + " "
    return links + words("rows.command_note", told)
  }

  /// A shell's word.
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
  /// The same cell, whose figure, and the one below it, name the commands for their rows.
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

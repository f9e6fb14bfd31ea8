internal import Domain
internal import JobCore
internal import Wording

/// The command that lists the rows behind a figure, for a page.
struct FigureCommand {
  let table: FigureTable
  let asOf: Timestamp
  var console: ConsoleAddress?

  /// Returns the command, and the console page with the same rows, nil without a console.
  ///
  /// - Parameter column: nil for all figures of the row.
  /// - Returns: nothing if the figure has no rows because it is 0 or no sum.
  fileprivate func rows(_ row: ReportRecord, _ column: String?) throws -> (command: String?, page: String?) {
    if let column {
      guard table.isFigure(column), try !FigureRows.isZero(row.text(column)) else { return (nil, nil) }
    }
    var address = try FigureAddress.text(row, column ?? "", in: table)
    if column == nil { address.removeLast() }
    let command = "payrecon rows \(table.rawValue) \(Self.quoted(address)) --as-of \(asOf.rfc3339)"
    return (command, console?.rows(table.rawValue, address, asOf: asOf))
  }

  /// Returns the note above a table whose figures name their commands.
  func note(in words: Catalogue) -> String {
    let arguments = ["command": "payrecon rows \(table.rawValue) \(table.form)", "max": "\(ReportSection.commandsMax)"]
    let links = console == nil ? "" : words("rows.links_note", ["max": "\(ReportSection.linksMax)"]) + " "
    return links + words("rows.command_note", arguments)
  }

  /// Quotes an address for a shell if necessary.
  private static func quoted(_ address: String) -> String {
    let isPlain = address.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789/._-%:+=,".unicodeScalars.contains(scalar))
    }
    return isPlain ? address : "'\(address.replacing("'", with: "'\\''"))'"
  }
}

extension ReportSection.Cell {
  /// Returns the cell with the commands and links of its figure and of the figure below it.
  func rows(_ command: FigureCommand, _ row: ReportRecord, _ column: String?, small: String? = nil) throws -> Self {
    guard text != "·", text != "0" else { return self }
    var cell = self
    (cell.command, cell.link) = try command.rows(row, column)
    if let small { (cell.smallCommand, cell.smallLink) = try command.rows(row, small) }
    return cell
  }
}

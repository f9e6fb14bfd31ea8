/// Reads CSV as leniently as possible, for files of which no row may be refused. Rows of the inputs are read by `CSVSplitter`.
package enum CSVRecords {
  /// Returns the cells of every record; nil when a quote is never closed.
  ///
  /// A quote is special only at the beginning of a cell. A line feed within quotes belongs to the cell.
  /// - Source: RFC 4180 section 2.
  package static func read(_ bytes: ArraySlice<UInt8>, separator: UInt8 = ASCII.comma) -> [[String]]? {
    var records: [[String]] = [[]]
    var cell: [UInt8] = []
    var isInQuotes = false
    var index = bytes.startIndex
    func endCell() {
      records[records.count - 1].append(String(decoding: cell, as: UTF8.self))
      cell.removeAll(keepingCapacity: true)
    }
    while index < bytes.endIndex {
      let byte = bytes[index]
      if isInQuotes {
        if byte != ASCII.quote {
          cell.append(byte)
        } else if index + 1 < bytes.endIndex, bytes[index + 1] == ASCII.quote {
          cell.append(byte)
          index += 1
        } else {
          isInQuotes = false
        }
      } else if byte == separator {
        endCell()
      } else if byte == ASCII.lf {
        endCell()
        if index + 1 < bytes.endIndex { records.append([]) } else { return records }
      } else if byte == ASCII.quote, cell.allSatisfy({ $0 == ASCII.space }) {
        cell.removeAll(keepingCapacity: true)
        isInQuotes = true
      } else {
        cell.append(byte)
      }
      index += 1
    }
    guard !isInQuotes else { return nil }
    endCell()
    return records
  }
}

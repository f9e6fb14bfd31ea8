internal import Postgres

/// Rows of a list that are wanted: those that have one of the words in each of the columns, the first so many.
public struct RowFilter: Sendable {
  private var words: [String: Set<String>] = [:]
  /// Most rows; nil for all.
  public var rowsMax: Int?

  public init() {}

  /// Asks for one of some words in a column, which may hold several, parted by spaces; none asks for nothing.
  public mutating func want(_ wanted: [String], in column: String) {
    if !wanted.isEmpty { words[column] = Set(wanted) }
  }

  /// What a filter takes of one list.
  struct Choice {
    private let filter: RowFilter
    private var places: [(index: Int, words: Set<String>)] = []
    /// Rows taken so far.
    private(set) var count = 0

    init(_ filter: RowFilter) { self.filter = filter }

    mutating func begin(columns: [String]) {
      for (index, column) in columns.enumerated() {
        if let words = filter.words[column] { places.append((index, words)) }
      }
    }

    mutating func takes(_ row: borrowing TextRow) -> Bool {
      if let rowsMax = filter.rowsMax, count >= rowsMax { return false }
      for place in places {
        guard let bytes = row.bytes(place.index) else { return false }
        let isWanted = bytes.split(separator: UInt8(ascii: " ")).contains {
          place.words.contains(String(decoding: $0, as: UTF8.self))
        }
        guard isWanted else { return false }
      }
      count += 1
      return true
    }
  }
}

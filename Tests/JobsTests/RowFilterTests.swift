@Suite struct RowFilterTests {
  /// Numbers are sorted by value, also decimals and negative ones. Empty cells come last.
  @Test(arguments: [
    ("amount", ["-2.5", "-0.25", "0.1", "9", "10.50", "null"]), ("-amount", ["10.50", "9", "0.1", "-0.25", "-2.5", "null"]),
  ])
  func numbersAreSortedByValue(_ order: String, _ expected: [String]) throws {
    let cells = ["10.50", nil, "-0.25", "9", "-2.5", "0.1"]
    let table = ReportTable(columns: ["amount"], isNumeric: [true], rows: cells.map { [$0] })
    var filter = RowFilter()
    filter.sort = order
    let text = String(decoding: try filter.bytes(of: table, as: .ndjson), as: UTF8.self)
    #expect(text == expected.map { "{\"amount\":\($0)}\n" }.joined())
  }
}

enum CellSums {
  /// Verifies that the rows of every cell add up to its units on both sides. The charges with exported proceeds must add up too.
  static func expect(_ scenario: Scenario, asOf: String) async throws {
    let cells = try await scenario.rows(.cells, asOf: asOf)
    let rows = try await CellRows(context: scenario.context(asOf: asOf)).rows(cells: cells.compactMap { $0["cell_id"] })
    var sums: [String: Int] = [:]
    for row in rows.records { try sums["\(row.text("side")) \(row.text("cell_id"))", default: 0] += Int(row.text("quantity")) ?? 0 }
    var proceeds: [String: Int] = [:]
    for row in try await scenario.rows(.proceeds, asOf: asOf) {
      proceeds[row["cell_id"] ?? "", default: 0] += Int(row["quantity"] ?? "") ?? 0
    }
    let wrong = cells.compactMap { cell -> String? in
      let id = cell["cell_id"] ?? ""
      var compared = [("charge", cell["l1_units"], sums["charge \(id)"]), ("Apple", cell["l3_units"], sums["Apple \(id)"])]
      if cell["status"] == "proved", cell["sign"] == "1", cell["settlement_from"]?.isEmpty == false {
        compared.append(("proceeds", cell["l1_units"], proceeds[id]))
      }
      let faults = compared.filter { Int($0.1 ?? "") != $0.2 ?? 0 }.map { "\($0.0) \($0.2 ?? 0) of \($0.1 ?? "")" }
      let name = ["sku", "storefront", "transaction_day", "customer_price", "customer_currency", "sign", "status"].map { cell[$0] ?? "" }
      return faults.isEmpty ? nil : "\(name.joined(separator: " ")): \(faults.joined(separator: ", "))"
    }
    #expect(wrong.prefix(10) == [], "\(wrong.count) cells")
  }
}

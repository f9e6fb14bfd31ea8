extension Scenario {
  @discardableResult
  func tieOut(
    _ period: String = "2026-P08", may: [FinanceFiles.Line]? = nil, june: [FinanceFiles.Line]? = nil, july: [FinanceFiles.Line]? = nil,
    asOf: String = TieoutCellTests.asOf
  ) async throws -> TieoutJob.Outcome {
    for (name, file) in [("may", may.map(FinanceFiles.may)), ("june", june.map(FinanceFiles.june)), ("july", july.map(FinanceFiles.july))] {
      if let file { try await ingest(.finance, file, name: name, asOf: asOf) }
    }
    return try await TieoutJob(context: try context(asOf: asOf)).run(period: period)
  }
}

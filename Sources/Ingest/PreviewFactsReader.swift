internal import Domain
public import Intake
internal import JobCore
public import Postgres

/// Reads what a database knows that a file can be compared with. Writes nothing, and makes no database.
public enum PreviewFactsReader {
  private static let pricesMax: Int64 = 100_000

  /// Adds prices of the catalogue and purchases of Apple to `facts`.
  ///
  /// - Parameter transactionIDs: ids that the file names.
  /// - Returns: whether a database of payrecon could be read.
  public static func add(
    to facts: inout PreviewFacts, transactionIDs: [String], connection: ConnectionSettings, sql: SQLFiles
  ) async -> Bool {
    let ids: [String: Value] = ["transaction_ids": .textArray(transactionIDs)]
    do {
      let (prices, purchases) = try await Session.open(connection).use { session in
        try await session.transaction(.readOnlySnapshot) { tx in
          let prices = try tx.rows(sql(IngestSQL.previewPrices), ["row_max": .int8(pricesMax)]).map { product, currency, milliunits in
            (productID: product, currency: currency, milliunits: milliunits)
          }
          let purchases = try tx.rows(sql(IngestSQL.previewPurchases), ids).map { id, micros in (id, Timestamp(microseconds: micros)) }
          return (prices, purchases)
        }
      }
      facts.prices = prices
      facts.purchases = Dictionary(purchases) { first, _ in first }
      return true
    } catch {
      return false
    }
  }
}

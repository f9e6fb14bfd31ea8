internal import Domain
internal import JobCore
internal import Postgres

extension OrderRow: IngestedRow {
  var key: String { orderID }
  var factAt: Timestamp? { updatedAt }
  static var deferringIndexes: Statement<Bool>? { IngestSQL.deferOrderIndexes }

  static func record(
    _ rows: [OrderRow], batchID: Int64, into tally: inout Tally, _ tx: inout DatabaseTransaction,
    sql: SQLFiles
  ) throws -> [String] {
    guard let (micros, mappingNumber) = try tx.rows(sql(IngestSQL.readingClock), ["batch_id": .int8(batchID)]).first else {
      throw JobError("could not record rows: batch \(batchID) is missing")
    }
    let readAt = Timestamp(microseconds: micros)
    return try OrderChunk(rows: rows, batchID: batchID, readAt: readAt, mappingNumber: mappingNumber, sql: sql).record(into: &tally, &tx)
  }
}

extension UserRow: IngestedRow {
  var key: String { userID }
  var factAt: Timestamp? { erasedAt ?? createdAt }

  static func record(
    _ rows: [UserRow], batchID: Int64, into tally: inout Tally, _ tx: inout DatabaseTransaction,
    sql: SQLFiles
  ) throws -> [String] {
    try tx.send(sql(IngestSQL.stagedUsers))
    _ = try tx.copyIn(
      """
      copy staged_user (user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, consumption_consent)
      from stdin (format binary)
      """
    ) { writer in
      for row in rows {
        try writer.row(
          row.userID, row.appAccountToken, row.homeStorefront, row.isTester, batchID, row.createdAt, row.erasedAt,
          row.consumptionConsent
        )
      }
    }
    let forgotten = try tx.run(sql(IngestSQL.forgetUsers))
    let accepted = try tx.withNestedLoops { tx in try tx.count(sql(IngestSQL.upsertUsers)) }
    tally.accepted += accepted
    tally.ignored += forgotten
    tally.repeated += rows.count - forgotten - accepted
    return []
  }
}

extension CatalogueRow: IngestedRow {
  var key: String { productID }
  var factAt: Timestamp? { validFrom }

  static func record(
    _ rows: [CatalogueRow], batchID: Int64, into tally: inout Tally, _ tx: inout DatabaseTransaction,
    sql: SQLFiles
  ) throws -> [String] {
    try tx.send(sql(IngestSQL.stagedCatalogue))
    _ = try tx.copyIn(
      """
      copy staged_product (bundle_id, product_id, type, subscription_group, period, is_family_shareable, storefront,
        currency, price_milliunits, batch_id, valid_from) from stdin (format binary)
      """
    ) { writer in
      for row in rows {
        try writer.row(
          row.bundleID, row.productID, row.type.rawValue, row.subscriptionGroup, row.period, row.familyShareable,
          row.storefront ?? "", row.currency, row.priceMilliunits, batchID, row.validFrom ?? Self.alwaysValidFrom
        )
      }
    }
    try tx.send(sql(IngestSQL.upsertProducts))
    let changed = try tx.count(sql(IngestSQL.upsertPrices))
    if changed > 0 { try tx.send(sql(ScopeSQL.forgetState), ["name": .text("detect")]) }
    tally.accepted += changed
    tally.repeated += rows.count - changed
    return []
  }

  /// 1900-01-01: a price without a start was always valid.
  private static let alwaysValidFrom = Timestamp(microseconds: -2_208_988_800_000_000)
}

extension DatabaseTransaction {
  /// Executes a statement that stages the replaced rows, and returns the number of recorded rows.
  mutating func count(_ file: StatementFile<Int64>) throws(PostgresError) -> Int { Int(try rows(file).first ?? 0) }
}

internal import Cryptography
internal import Domain
internal import Intake
internal import JobCore
internal import Postgres

extension OrderRow: IngestedRow {
  static var kind: String { "orders" }
  var key: String { orderID }
  var factAt: Timestamp? { updatedAt }
  static var staging: Script { IngestSQL.stagedOrders }

  static func reader(path: String, format: InputFormat?, end: InputEnd) throws -> Intake.RowReader<OrderRow> {
    try Intake.RowReader.orders(path: path, format: format, end: end)
  }

  static func reader(item: ParkedItem, header: [UInt8]?) throws -> Intake.RowReader<OrderRow> {
    try Intake.RowReader.orders(bytes: item.raw, header: header, file: item.file, line: item.line)
  }

  static func record(
    _ rows: [(row: OrderRow, line: Int)], batchID: Int64, into tally: inout Tally, _ tx: inout DatabaseTransaction,
    sql: SQLFiles
  ) throws -> [String] {
    let told = try rows.contains { !$0.row.isDated } ? readingClock(batchID, &tx, sql: sql) : nil
    _ = try tx.copyIn(
      """
      copy staged_order (order_id, bundle_id, product_id, user_id, status, environment, currency, storefront,
        app_account_token, application_username, transaction_id, original_transaction_id, web_order_line_item_id,
        device_id, evidence_sha256, operator_id, quantity, price_milliunits, content_hash, batch_id, created_at,
        updated_at, paid_at, delivered_at, refunded_at, entitlement_expires_at, told_at, line) from stdin (format binary)
      """
    ) { writer in
      for (row, line) in rows { try row.write(to: &writer, line: line, batchID: batchID, toldAt: row.isDated ? nil : told) }
    }
    _ = try tx.run(sql(IngestSQL.forgetOrders))
    // Most chunks hold each order once, and need no comparison among their own rows.
    let isDistinct = Set(rows.map(\.row.orderID)).count == rows.count
    if isDistinct, try isNew(&tx, sql: sql) {
      try tx.run(IngestSQL.newOrders, sql: sql)
      tally.accepted += rows.count
      return []
    }
    let contradicted = try tx.rows(sql(IngestSQL.contradictedOrders)).compactMap { count, first in
      first.map { "rows of \(count) orders name another user or created_at than rows of the same order_id, \"\($0)\" being the first" }
    }
    try judge(isDistinct: isDistinct, into: &tally, &tx, sql: sql)
    return contradicted
  }

  /// The clock by which rows count that do not say when they were changed.
  private static func readingClock(_ batchID: Int64, _ tx: inout DatabaseTransaction, sql: SQLFiles) throws -> Int64? {
    try tx.rows(sql(IngestSQL.readingClock), ["batch_id": .int8(batchID)]).first
  }

  /// Whether none of the staged orders was seen before: the first load of a history, and most of a day's orders.
  private static func isNew(_ tx: inout DatabaseTransaction, sql: SQLFiles) throws -> Bool {
    let statement = try sql(IngestSQL.knownOrders)
    return try tx.lookingUp { tx in try tx.rows(statement) == [false] }
  }

  /// Puts each staged order where it belongs: new, newer than what is known, repeated, or older.
  private static func judge(isDistinct: Bool, into tally: inout Tally, _ tx: inout DatabaseTransaction, sql: SQLFiles) throws {
    _ = try tx.run(sql(IngestSQL.toldAgain))
    _ = try tx.run(sql(isDistinct ? IngestSQL.judgeDistinctOrders : IngestSQL.judgeOrders))
    let outcomes = try tx.rows(sql(IngestSQL.orderOutcomes)).map { ($0, Int($1)) }
    for (outcome, count) in outcomes {
      switch outcome {
      case "new", "newer": tally.accepted += count
      case "repeated": tally.repeated += count
      default: tally.ignored += count
      }
    }
    if outcomes.contains(where: { $0.0 == "newer" }) { try tx.run(IngestSQL.newerOrders, sql: sql) }
    try tx.run(IngestSQL.judgedOrders, sql: sql)
  }

  private func write(to writer: inout CopyWriter, line: Int, batchID: Int64, toldAt: Int64?) throws {
    try writer.beginRow(columns: 28)
    try writer.text(orderID)
    try writer.text(bundleID)
    try writer.text(productID)
    try writer.text(userID)
    try writer.text(status.rawValue)
    try writer.text(environment)
    try writer.optionalText(currency)
    try writer.optionalText(storefront)
    try writer.optionalText(appAccountToken)
    try writer.optionalText(applicationUsername)
    try writer.optionalText(transactionID)
    try writer.optionalText(originalTransactionID)
    try writer.optionalText(webOrderLineItemID)
    try writer.optionalText(deviceID)
    try writer.optionalHash(evidenceSHA256)
    try writer.optionalText(operatorID)
    try writer.int4(quantity)
    try writer.optionalInt8(priceMilliunits)
    try writer.int8(contentHash)
    try writer.int8(batchID)
    try writer.timestamptz(microseconds: createdAt.microseconds)
    try writer.timestamptz(microseconds: updatedAt.microseconds)
    try writer.optionalTimestamptz(microseconds: paidAt?.microseconds)
    try writer.optionalTimestamptz(microseconds: deliveredAt?.microseconds)
    try writer.optionalTimestamptz(microseconds: refundedAt?.microseconds)
    try writer.optionalTimestamptz(microseconds: entitlementExpiresAt?.microseconds)
    try writer.optionalTimestamptz(microseconds: toldAt)
    try writer.int8(Int64(line))
  }

  /// First eight bytes of the hash of all fields: decides between two versions of one instant, whichever came first.
  private var contentHash: Int64 {
    var hash: UInt64 = 0
    for byte in SHA256.digest(Array(contentKey.utf8)).prefix(8) { hash = hash << 8 | UInt64(byte) }
    return Int64(bitPattern: hash)
  }
}

extension UserRow: IngestedRow {
  static var kind: String { "users" }
  var key: String { userID }
  var factAt: Timestamp? { erasedAt ?? createdAt }
  static var staging: Script { IngestSQL.stagedUsers }

  static func reader(path: String, format: InputFormat?, end: InputEnd) throws -> Intake.RowReader<UserRow> {
    try Intake.RowReader.users(path: path, format: format, end: end)
  }

  static func reader(item: ParkedItem, header: [UInt8]?) throws -> Intake.RowReader<UserRow> {
    try Intake.RowReader.users(bytes: item.raw, header: header, file: item.file, line: item.line)
  }

  static func record(
    _ rows: [(row: UserRow, line: Int)], batchID: Int64, into tally: inout Tally, _ tx: inout DatabaseTransaction,
    sql: SQLFiles
  ) throws -> [String] {
    _ = try tx.copyIn(
      """
      copy staged_user (user_id, app_account_token, home_storefront, is_tester, batch_id, created_at, erased_at, line)
      from stdin (format binary)
      """
    ) { writer in
      for (row, line) in rows {
        try writer.beginRow(columns: 8)
        try writer.text(row.userID)
        try writer.optionalText(row.appAccountToken)
        try writer.optionalText(row.homeStorefront)
        try writer.bool(row.isTester)
        try writer.int8(batchID)
        try writer.optionalTimestamptz(microseconds: row.createdAt?.microseconds)
        try writer.optionalTimestamptz(microseconds: row.erasedAt?.microseconds)
        try writer.int8(Int64(line))
      }
    }
    let forgotten = try tx.run(sql(IngestSQL.forgetUsers))
    let accepted = try tx.lookingUp { tx in try tx.count(sql(IngestSQL.upsertUsers)) }
    tally.accepted += accepted
    tally.ignored += forgotten
    tally.repeated += rows.count - forgotten - accepted
    return []
  }
}

extension CatalogueRow: IngestedRow {
  static var kind: String { "catalogue" }
  var key: String { productID }
  var factAt: Timestamp? { validFrom }
  static var staging: Script { IngestSQL.stagedCatalogue }

  static func reader(path: String, format: InputFormat?, end: InputEnd) throws -> Intake.RowReader<CatalogueRow> {
    try Intake.RowReader.catalogue(path: path, format: format, end: end)
  }

  static func reader(item: ParkedItem, header: [UInt8]?) throws -> Intake.RowReader<CatalogueRow> {
    try Intake.RowReader.catalogue(bytes: item.raw, header: header, file: item.file, line: item.line)
  }

  static func record(
    _ rows: [(row: CatalogueRow, line: Int)], batchID: Int64, into tally: inout Tally, _ tx: inout DatabaseTransaction,
    sql: SQLFiles
  ) throws -> [String] {
    _ = try tx.copyIn(
      """
      copy staged_product (bundle_id, product_id, type, subscription_group, period, is_family_shareable, storefront,
        currency, price_milliunits, batch_id, valid_from, line) from stdin (format binary)
      """
    ) { writer in
      for (row, line) in rows {
        try writer.beginRow(columns: 12)
        try writer.text(row.bundleID)
        try writer.text(row.productID)
        try writer.text(row.type.rawValue)
        try writer.optionalText(row.subscriptionGroup)
        try writer.optionalText(row.period)
        if let shareable = row.familyShareable { try writer.bool(shareable) } else { try writer.null() }
        try writer.text(row.storefront ?? "")
        try writer.optionalText(row.currency)
        try writer.optionalInt8(row.priceMilliunits)
        try writer.int8(batchID)
        try writer.timestamptz(microseconds: row.validFrom?.microseconds ?? Self.alwaysValidFrom)
        try writer.int8(Int64(line))
      }
    }
    let products = try tx.count(sql(IngestSQL.upsertProducts))
    let prices = try tx.count(sql(IngestSQL.upsertPrices))
    // A row tells a product and at most one price; the same row again changes neither.
    let changed = min(rows.count, max(products, prices))
    if changed > 0 { _ = try tx.run(sql(ScopeSQL.detectAll)) }
    tally.accepted += changed
    tally.repeated += rows.count - changed
    return []
  }

  /// 1900-01-01: a price without a start was always valid.
  private static let alwaysValidFrom: Int64 = -2_208_988_800_000_000
}

extension DatabaseTransaction {
  /// Runs a statement that keeps what it replaces and says how many rows it recorded.
  mutating func count(_ file: StatementFile<Int64>) throws(PostgresError) -> Int { Int(try rows(file).first ?? 0) }
}

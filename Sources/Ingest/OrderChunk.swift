internal import Cryptography
internal import Domain
internal import JobCore
internal import Postgres

/// Order rows of one transaction: new orders are copied into their table; other rows are staged and compared with the known ones.
struct OrderChunk {
  let rows: [OrderRow]
  let batchID: Int64
  /// Clock that dates rows without `updated_at`.
  let readAt: Timestamp
  /// Number of the mapping that read the rows.
  let mappingNumber: Int32
  let sql: SQLFiles

  /// Records the rows and adds their outcomes to `tally`.
  ///
  /// - Returns: warnings about rows that were recorded.
  func record(into tally: inout Tally, _ tx: inout DatabaseTransaction) throws -> [String] {
    let sorted = rows.indices.sorted { id($0) < id($1) }
    let (new, others) = split(sorted, known: try knownIDs(sorted, &tx))
    if !new.isEmpty { try insert(new, &tx) }
    tally.accepted += new.count
    return others.isEmpty ? [] : try judge(others, into: &tally, &tx)
  }

  private func id(_ index: Int) -> ByteText { ByteText(rows[index].orderID) }

  private func knownIDs(_ sorted: [Int], _ tx: inout DatabaseTransaction) throws -> Set<ByteText> {
    guard let first = sorted.first, let last = sorted.last else { return [] }
    let span: [String: Value] = ["first_id": .text(id(first).text), "last_id": .text(id(last).text)]
    guard try tx.rows(sql(IngestSQL.hasOrdersBetween), span).first == true else { return [] }
    let statement = try sql(IngestSQL.knownOrders)
    let ids = sorted.map { id($0).text }
    return Set(try tx.withNestedLoops { tx in try tx.rows(statement, ["order_ids": .textArray(ids)]) }.map(ByteText.init))
  }

  /// Separates rows of orders that are unknown and occur once in the chunk from all others.
  private func split(_ sorted: [Int], known: Set<ByteText>) -> (new: [Int], others: [Int]) {
    var new: [Int] = []
    var others: [Int] = []
    new.reserveCapacity(sorted.count)
    for (place, index) in sorted.enumerated() {
      let isRepeated = [place - 1, place + 1].contains { sorted.indices.contains($0) && id(sorted[$0]) == id(index) }
      if isRepeated || known.contains(id(index)) { others.append(index) } else { new.append(index) }
    }
    return (new, others)
  }

  // MARK: New orders

  private func insert(_ new: [Int], _ tx: inout DatabaseTransaction) throws {
    let people = new.lazy.map { rows[$0] }.flatMap { [$0.userID, $0.operatorID ?? ""] }
    let pseudonyms = try tx.pseudonyms(of: people, sql: sql)
    _ = try tx.copyIn("copy orders (\(Self.columns)) from stdin (format binary)") { writer in
      for index in new { try write(rows[index], pseudonyms: pseudonyms, to: &writer) }
    }
    try tx.queue("order", new.map { rows[$0].orderID }, batchID: batchID, sql: sql)
    let facts = new.lazy.map { rows[$0] }.map { ($0.bundleID, $0.environment, $0.updatedAt) }
    let progress = try tx.progress(of: batchID, sql: sql)
    try FactHours(facts, until: progress.freshUntil).add(to: batchID, kind: .orders, &tx, sql: sql)
  }

  // MARK: Known or repeated orders

  /// Stages rows and determines for each whether it is new, newer than the known version, repeated, or older.
  private func judge(_ others: [Int], into tally: inout Tally, _ tx: inout DatabaseTransaction) throws -> [String] {
    try tx.send(sql(IngestSQL.stagedOrders))
    _ = try tx.copyIn("copy staged_order (\(Self.columns)) from stdin (format binary)") { writer in
      for index in others { try write(rows[index], pseudonyms: [:], to: &writer) }
    }
    try tx.send(sql(IngestSQL.forgetOrders))
    let contradicted = try tx.rows(sql(IngestSQL.contradictedOrders)).compactMap { count, first in
      first.map { "rows of \(count) orders name another user or created_at than rows of the same order_id, \"\($0)\" being the first" }
    }
    try tx.send(sql(IngestSQL.repeatedOrders))
    try tx.send(sql(IngestSQL.judgeOrders))
    let outcomes = try tx.rows(sql(IngestSQL.orderOutcomes)).map { ($0, Int($1)) }
    for (outcome, count) in outcomes {
      switch outcome {
      case "new", "newer": tally.accepted += count
      case "repeated": tally.repeated += count
      default: tally.ignored += count
      }
    }
    if outcomes.contains(where: { $0.0 == "newer" }) { try tx.send(IngestSQL.newerOrders, sql: sql) }
    try tx.send(IngestSQL.judgedOrders, sql: sql)
    return contradicted
  }

  // MARK: Columns

  private static let columns = """
    order_id, bundle_id, product_id, user_id, status, environment, currency, storefront, app_account_token,
    application_username, transaction_id, original_transaction_id, web_order_line_item_id, device_id, evidence_sha256,
    operator_id, quantity, price_milliunits, content_hash, batch_id, created_at, updated_at, paid_at, delivered_at,
    refunded_at, entitlement_expires_at, stated_at, consumption_millipercent, consumption_consent, mapping_number
    """

  /// Writes the columns of a row.
  ///
  /// - Parameter pseudonyms: replace erased users; the content hash stays that of the original row.
  private func write(_ row: OrderRow, pseudonyms: [ByteText: String], to writer: inout CopyWriter) throws {
    let pseudonym = pseudonyms[ByteText(row.userID)]
    try writer.row(
      row.orderID, row.bundleID, row.productID, pseudonym ?? row.userID, row.status.rawValue, row.environment, row.currency,
      row.storefront, row.appAccountToken, pseudonym == nil ? row.applicationUsername : nil, row.transactionID,
      row.originalTransactionID, row.webOrderLineItemID, row.deviceID, row.evidenceSHA256.map(HashValue.init),
      row.operatorID.map { pseudonyms[ByteText($0)] ?? $0 }, row.quantity, row.priceMilliunits, row.contentHash, batchID,
      row.createdAt, row.updatedAt, row.paidAt, row.deliveredAt, row.refundedAt, row.entitlementExpiresAt,
      row.isDated ? nil : readAt, row.consumptionMillipercent, row.consumptionConsent, mappingNumber
    )
  }
}

extension OrderRow {
  /// First eight bytes of the hash of all fields. It orders two versions of the same instant independently of their arrival.
  fileprivate var contentHash: Int64 {
    var hash: UInt64 = 0
    for byte in SHA256.digest(contentKey).prefix(8) { hash = hash << 8 | UInt64(byte) }
    return Int64(bitPattern: hash)
  }
}

public import Domain
internal import Intake
public import JobCore
internal import Logging
internal import Postgres
internal import Wording

/// Retries parked items, or discards them.
public struct ParkedItemsJob: Sendable {
  let context: JobContext

  /// Maximum number of items per retry; repeat the call for more.
  public static let itemsMax = 10_000

  /// The login that ran the command.
  let actor: String

  public init(context: JobContext, actor: String = "payrecon") {
    self.context = context
    self.actor = actor
  }

  private struct Stored: Sendable {
    var id: String
    var item: ParkedItem
    var header: [UInt8]?
    /// Clock at which the item was read first.
    var parkedAt: Timestamp
    /// Whether it is a whole file that was refused, not a row or a piece of evidence.
    var isFile: Bool
    /// Whether the retry names the item.
    var isNamed: Bool

    /// Whether all bytes were kept; an incomplete item can only return with its file.
    var isWhole: Bool { item.raw.count == item.byteCount }
  }

  /// Reads parked items again as new input.
  ///
  /// - Parameter ids: items to retry; empty for all open items, up to `itemsMax`, except truncated records.
  /// - Returns: `input` retried, `accepted` and `repeated` resolved, `parked` still open.
  public func retry(ids: [String]) async throws -> Tally {
    return try await context.withSession { session in
      let open = try await openItems(ids: ids, on: session)
      var tally = Tally()
      for kind in InputKind.allCases {
        let items = open.filter { $0.item.kind == kind.rawValue }
        guard !items.isEmpty else { continue }
        try await kind.lock.take(on: session, in: context)
        tally = tally + (try await retryFiles(items.filter(\.isFile), kind: kind, on: session))
        tally = tally + (try await retry(items.filter { !$0.isFile }, kind: kind, on: session))
      }
      tally = tally + (try await askAgain(open.filter { $0.item.kind == ParkedItem.receiptKind }, on: session))
      return tally
    }
  }

  private func retry(_ items: [Stored], kind: InputKind, on session: Session) async throws -> Tally {
    switch kind {
    case .orders: try await retryRows(items, OrderRow.self, on: session)
    case .users: try await retryRows(items, UserRow.self, on: session)
    case .catalogue: try await retryRows(items, CatalogueRow.self, on: session)
    case .apple: try await retryEvidence(items, on: session)
    // Their reports are parked as files.
    case .finance, .bank: Tally()
    }
  }

  private func retryRows<Row: IngestedRow>(_ items: [Stored], _ type: Row.Type, on session: Session) async throws -> Tally {
    // Rows that state no instant count at the clock at which they were parked.
    var chunks: [Timestamp: Chunk<Row>] = [:]
    var taken: [String] = []
    for stored in items where stored.isWhole {
      guard let row = row(stored, type) else { continue }
      chunks[stored.parkedAt, default: Chunk(header: nil)].rows.append(row)
      taken.append(stored.id)
    }
    let ingest = RowIngest<Row>(context: context, session: session)
    return try await resolve(taken, of: items, kind: Row.kind, on: session) { [chunks] batch in
      var tally = Tally()
      var batch = batch
      for (parkedAt, chunk) in chunks.sorted(by: { $0.key < $1.key }) {
        batch.receivedAt = parkedAt
        let batchID = try await session.open(batch, in: context).batchID
        tally = tally + (try await ingest.store(chunk, batchID: batchID, isLast: true))
      }
      return tally
    }
  }

  /// Stores the items that can be read now, and resolves them.
  ///
  /// - Parameter store: opens the batches of the items.
  private func resolve(
    _ taken: [String], of items: [Stored], kind: String, on session: Session, store: (NewBatch) async throws -> Tally
  ) async throws -> Tally {
    var tally = Tally()
    if !taken.isEmpty {
      let batch = NewBatch(
        kind: kind, file: "deadletter", source: EvidenceSource.imported.rawValue, runID: context.runID(job: "deadletter"))
      tally = try await store(batch)
      try await decide(ids: taken, outcome: "retried", reason: "", on: session)
    }
    tally.input = items.count
    tally.parked = items.count - taken.count
    return tally
  }

  /// Returns the row of a parked item; nil when it is still invalid. A named item is then reported with the reason of this reading.
  private func row<Row: IngestedRow>(_ stored: Stored, _ type: Row.Type) -> Row? {
    let inputs = InputKind(rawValue: Row.kind).map { context.settings.inputs[$0] }
    let item = stored.item
    let sources = context.settings.sources
    let source = PullFile.source(ofFile: item.file, known: sources)
    // Under another mapping, or without any, a row that does not fit can seem valid. A file may have the name of a pull's file.
    let mapping =
      source.flatMap { inputs?.mapping(of: $0)?.ofDatabaseRows }
      ?? (sources.contains { $0.name == source } ? nil : inputs?.mapping(of: item.file))
    var fault = (field: "", reason: Phrase.plain(""))
    do throws(IntakeError) {
      var reader = try RowFileReader<Row>(bytes: item.raw, header: stored.header, file: item.file, line: item.line, mapping: mapping)
      switch try reader.next() {
      case .row(let row, _)?: return row
      case .parked(let again)?: fault = (again.field, again.reason)
      case nil: break
      }
    } catch { fault.reason = error.reason }
    if stored.isNamed {
      context.log.warning(
        "the item is still invalid",
        metadata: ["parked.id": "\(stored.id)", "parked.field": "\(fault.field)", "parked.reason": "\(fault.reason.english)"])
    }
    return nil
  }

  /// Reads parked evidence again within another run, for instance when a newer program can read it.
  func retryEvidence(on session: Session) async throws -> Tally {
    let items = try await openItems(ids: [], on: session).filter { $0.item.kind == InputKind.apple.rawValue && !$0.isFile }
    return items.isEmpty ? Tally() : try await retryEvidence(items, on: session)
  }

  private func retryEvidence(_ items: [Stored], on session: Session) async throws -> Tally {
    let reader = try context.evidenceReader()
    let ingest = EvidenceIngest(context: context, session: session, reader: reader, source: .imported)
    var chunk = StagedChunk(clock: context.asOf)
    var taken: [String] = []
    for stored in items where stored.isWhole {
      var one = StagedChunk(clock: context.asOf)
      let line = EvidenceLine(bytes: stored.item.raw, line: stored.item.line)
      one.add(line, file: stored.item.file, reader: reader, source: .imported)
      guard one.parked.isEmpty else { continue }
      chunk.append(one)
      taken.append(stored.id)
    }
    return try await resolve(taken, of: items, kind: InputKind.apple.rawValue, on: session) {
      [chunk, count = taken.count] batch in
      let batchID = try await session.open(batch, in: context).batchID
      return try await ingest.store(chunk, itemCount: count, batchID: batchID, isLast: true)
    }
  }

  /// Reads whole files again, with the settings of today. Their invalid rows are parked.
  private func retryFiles(_ items: [Stored], kind: InputKind, on session: Session) async throws -> Tally {
    var tally = Tally(input: items.count)
    for stored in items where stored.isWhole {
      do {
        try await TemporaryFolder.using { folder in
          let path = "\(folder)/\(FileContent.name(stored.item.file))"
          try SpooledFile.make(path, stored.item.raw)
          _ = try await IngestJob(context: context).ingest(
            kind, file: path, format: nil, mapping: context.mapping(kind, of: path, nil), source: .imported,
            runID: context.runID(job: "deadletter"), resumes: false, session: session)
          if kind == .orders { try await context.buildDeferredIndexes(on: session) }
        }
        try await decide(ids: [stored.id], outcome: "retried", reason: "", on: session)
        tally.accepted += 1
      } catch is IntakeError {
        continue
      }
    }
    tally.parked = tally.input - tally.accepted
    return tally
  }

  /// Lets the next `collect receipts` query Apple about receipts that were given up.
  private func askAgain(_ items: [Stored], on session: Session) async throws -> Tally {
    guard !items.isEmpty else { return Tally() }
    let sql = context.sql
    let hashes = items.map { String(decoding: $0.item.raw.prefix(while: { $0 != UInt8(ascii: " ") }), as: UTF8.self) }
    _ = try await session.retrying { tx in
      try tx.run(sql(ParkedSQL.askAgain), ["hashes": .textArray(hashes)])
    }
    try await decide(ids: items.map(\.id), outcome: "retried", reason: "", on: session)
    return Tally(input: items.count, accepted: items.count)
  }

  /// Returns one line per truncated record that has no decision and whose complete file has not arrived.
  ///
  /// - Parameter ids: parked items to include; empty for all.
  public func truncatedRecords(ids: [String]) async throws -> [String] {
    try await context.withSession(as: .report) { session in
      try await TruncatedInput.open(context: context, on: session).filter { ids.isEmpty || $0.parkedID.map { ids.contains($0) } == true }
        .map(\.phrase.english)
    }
  }

  /// Discards items, as a reviewer decides; their bytes are kept.
  ///
  /// - Returns: the number of items that were open.
  public func discard(ids: [String], reason: String) async throws -> Int {
    guard !reason.isBlank else {
      throw JobError("could not discard parked items: a reason must be given", hint: "Say --reason.", status: .usage)
    }
    return try await context.withSession(as: .review) { session in
      try await decide(ids: ids, outcome: "discarded", reason: reason, on: session)
    }
  }

  @discardableResult
  private func decide(ids: [String], outcome: String, reason: String, on session: Session) async throws -> Int {
    let parameters: [String: Value] = [
      "ids": .textArray(ids), "outcome": .text(outcome), "reason": .text(reason), "decided_at": context.asOfValue,
    ]
    return try await session.retrying { tx in
      let decided = try tx.rows(context.sql(ParkedSQL.decide), parameters)
      guard !decided.isEmpty else { return 0 }
      let act = outcome == "retried" ? AuditAct.parkedRetried : .parkedDiscarded
      try tx.audit(
        AuditEntry(
          actor: actor, act: act, subject: decided.count == 1 ? decided[0] : "\(decided.count) items",
          details: [.reason(reason), .texts("items", decided.sorted())]), in: context)
      return decided.count
    }
  }

  private func openItems(ids: [String], on session: Session) async throws -> [Stored] {
    let parameters: [String: Value] = ["ids": .textArray(ids), "row_max": .int8(Int64(Self.itemsMax))]
    let found = try await context.rows(ParkedSQL.openItems, parameters, on: session)
    return found.map { id, kind, file, line, header, raw, byteCount, parkedAt, isFile in
      Stored(
        id: id,
        item: ParkedItem(kind: kind, file: file, line: Int(line), field: "", reason: .plain(""), raw: raw, byteCount: Int(byteCount)),
        header: header, parkedAt: Timestamp(microseconds: parkedAt), isFile: isFile, isNamed: !ids.isEmpty)
    }
  }
}

internal import Domain
internal import Intake
internal import JobCore
internal import Logging
internal import Postgres
internal import Wording

/// Reads one financial file in one transaction, completely or not at all.
struct FinanceIngest: Sendable {
  let context: JobContext
  let session: Session
  let kind: InputKind
  /// Facts known about the file; nil derives them from its name.
  var stated: FinanceFileName?
  /// The requested report, with its fiscal period or day; nil for a file that was not requested.
  var asked: (report: String, period: String)?
  /// Executed in the transaction that records the file, or that parks it with the reason of its refusal.
  var also: @Sendable (_ refusal: String?, inout DatabaseTransaction) throws -> Void = { _, _ in }

  /// Maximum number of bytes parked of a refused file; an accepted file is kept completely.
  static let parkedBytesMax = 16 << 20
  /// Size in bytes of one stored part of a file.
  static let partBytesMax = 1 << 20

  /// Identity of a file: its uncompressed lines and its vendor. Equal reports of two vendors are two files.
  private struct Key {
    let bytesSHA256: String
    /// Equal for files that differ only in line ends.
    let linesSHA256: String
    /// Empty when the vendor is unknown.
    let vendor: String

    /// The key by which rows refer to the file.
    var file: [String: Value] { ["file_sha256": .text(vendor.isEmpty ? bytesSHA256 : "\(bytesSHA256)-\(vendor)")] }
  }

  private static let columns = FinanceField.allCases.map(\.column)

  /// Ingests a file.
  ///
  /// - Throws: `IntakeError` with line, column and reason when the file is invalid; its bytes are then parked.
  func run(path: String, source: String, runID: String, resumes: Bool = false) async throws -> (tally: Tally, batchID: Int64) {
    let file = try SpooledFile(path: path)
    let name = FileContent.name(path)
    let stated = stated ?? nameFacts(path)
    let hashes = try FileContent.unpackedHashes(path: file.path)
    let key = Key(bytesSHA256: hashes.bytes, linesSHA256: hashes.lines, vendor: stated.vendor ?? "")
    let batch = NewBatch(
      kind: kind.rawValue, file: name, contentSHA256: try FileContent.sha256(path: file.path), source: source, runID: runID)
    if resumes, let done = try await finished(key, batch) { return done }
    do {
      return try await store(file.path, stated: stated, key: key, batch)
    } catch let error as IntakeError {
      var refused = IntakeError(file: path, line: error.line, reason: error.reason, hint: error.hint)
      let kept = RefusedFile(context: context, session: session, path: file.path, fault: refused, bytesMax: Self.parkedBytesMax)
      try await kept.keep(under: batch) { tx in try also(error.reason.english, &tx) }
      refused.isParked = true
      throw refused
    }
  }

  /// Returns the facts in a file's name. If it names no vendor, a parent folder named after one of our vendor numbers does.
  /// A bank statement has no vendor: the number in its name is an account.
  private func nameFacts(_ path: String) -> FinanceFileName {
    var name = FinanceFileName(FileContent.name(path))
    guard kind != .bank else {
      name.vendor = nil
      return name
    }
    let folder = path.split(separator: "/").dropLast().last.map(String.init)
    if name.vendor == nil, let folder, context.settings.finance.vendors.contains(folder) { name.vendor = folder }
    return name
  }

  /// Returns the batch that ingested this file before; nil when there is none.
  private func finished(_ key: Key, _ batch: NewBatch) async throws -> (tally: Tally, batchID: Int64)? {
    let found = try await session.transaction(.readOnlySnapshot) { tx in
      try earlierLineCount(key, &tx) == nil ? nil : try tx.earlierBatch(like: batch, in: context)
    }
    return found.flatMap { $0.isDone && $0.tally.parked == 0 ? ($0.tally, $0.batchID) : nil }
  }

  private func store(_ path: String, stated: FinanceFileName, key: Key, _ batch: NewBatch) async throws -> (tally: Tally, batchID: Int64) {
    let sql = context.sql
    try await session.transaction { tx in try tx.send(sql(IngestSQL.stagedFinance)) }
    let (tally, batchID, warnings) = try await session.retrying { tx in
      // Read before taking the lock: reading may be slow, and starting runs wait for the holder of the lock.
      let file = try earlierLineCount(key, &tx) == nil ? read(path, name: batch.file, stated: stated, &tx) : nil
      try tx.send(sql(IngestSQL.storeLock))
      let batchID = try tx.open(batch, in: context)
      var tally = Tally()
      var warnings: [String] = []
      if let count = try earlierLineCount(key, &tx) {
        tally = Tally(input: count, repeated: count)
      } else if let file {
        (tally, warnings) = try record(file, path, key: key, batchID: batchID, &tx)
      }
      try requireAsked(key, path, &tx)
      try tx.checkpoint(batchID, items: tally.input, tally: tally, newestFactAt: nil, isLast: true, sql: sql)
      try also(nil, &tx)
      return (tally, batchID, warnings)
    }
    for warning in warnings { context.log.warning("\(warning)", metadata: ["input.file": "\(batch.file)"]) }
    return (tally, batchID)
  }

  private struct StagedFile {
    let report: FinanceReport
    /// Parameters that record the file, except its hashes and its batch.
    let values: [String: Value]
    let count: Int
  }

  private func read(_ path: String, name: String, stated: FinanceFileName, _ tx: inout DatabaseTransaction) throws -> StagedFile {
    var reader = try FinanceReader(path: path, end: InputEnd(finalNewlineIsOptional: context.settings.inputs[kind].finalNewlineIsOptional))
    guard (reader.report == .bank) == (kind == .bank) else {
      throw IntakeError(
        file: path, reason: Phrase("intake.finance_kind", ["report": .plain(reader.report.rawValue), "kind": .plain(kind.rawValue)]),
        hint: "Read it with payrecon ingest \(reader.report == .bank ? "bank" : "finance").")
    }
    try requireOwnVendor(stated.vendor, file: path)
    let count = try copy(&reader, file: path, &tx)
    let summary = reader.summary
    var warnings = summary.warnings + reader.unrecognizedColumns.map { "column \"\($0)\" is not known and was ignored" }
    if reader.report == .payments, let title = summary.month?.description, let named = stated.period, named != title {
      warnings.append("its name says \(named), and its title is of \(title), as which it counts")
    }
    let period = reader.report == .payments ? summary.month?.description ?? stated.period : stated.period
    if reader.report == .payments, period == nil { throw Self.noPeriod(path) }
    tx.send("analyze staged_finance")
    return StagedFile(
      report: reader.report,
      values: [
        "report": .text(reader.report.rawValue), "file_name": .text(name), "vendor": .text(stated.vendor ?? ""),
        "account": .text(summary.account ?? ""), "region": .text(stated.region ?? ""), "period": .text(period ?? ""),
        "starts_on": .text(summary.startsOn ?? ""), "ends_on": .text(summary.endsOn ?? ""),
        "totals": .textArray(summary.totals), "warnings": .textArray(warnings), "row_count": .int8(Int64(count)),
        "is_estimate": .bool(summary.isEstimate),
      ], count: count)
  }

  /// Records the staging table. Returns warnings about the file too.
  private func record(
    _ file: StagedFile, _ path: String, key: Key, batchID: Int64, _ tx: inout DatabaseTransaction
  ) throws -> (Tally, [String]) {
    let sql = context.sql
    let batch = key.file.merging(["batch_id": .int8(batchID)]) { one, _ in one }
    let identity = batch.merging(["lines_sha256": .text(key.linesSHA256)]) { one, _ in one }
    try tx.send(sql(IngestSQL.financeFile), file.values.merging(identity) { one, _ in one })
    let stored = try tx.rows(sql(IngestSQL.financePeriod), key.file).map { (period: $0, warning: $1) }
    if file.report == .financial || file.report == .financeDetail, stored.first?.period == nil { throw Self.noPeriod(path) }
    var tally = Tally(input: file.count, accepted: file.count)
    switch file.report {
    case .payments: try tx.send(sql(IngestSQL.paymentLines), key.file)
    case .bank:
      tally.accepted = Int(try tx.rows(sql(IngestSQL.bankLines), batch).first ?? 0)
      tally.repeated = file.count - tally.accepted
    default: try tx.send(sql(IngestSQL.financeLines), key.file)
    }
    try keep(path, key: key, &tx)
    return (tally, stored.compactMap(\.warning))
  }

  /// Refuses a download that is another report than the requested one.
  private func requireAsked(_ key: Key, _ path: String, _ tx: inout DatabaseTransaction) throws {
    guard let asked else { return }
    let values: [String: Value] = [
      "lines_sha256": .text(key.linesSHA256), "vendor": .text(key.vendor), "report": .text(asked.report), "period": .text(asked.period),
    ]
    guard let found = try tx.rows(context.sql(IngestSQL.financeOther), values).first else { return }
    throw IntakeError(
      file: path, reason: Phrase("intake.finance_other", ["found": .plain(found), "asked": .plain("\(asked.report) \(asked.period)")]))
  }

  /// Returns the number of lines if the file was read before; otherwise nil.
  private func earlierLineCount(_ key: Key, _ tx: inout DatabaseTransaction) throws -> Int? {
    let values: [String: Value] = ["lines_sha256": .text(key.linesSHA256), "vendor": .text(key.vendor)]
    return try tx.rows(context.sql(IngestSQL.financeKnown), values).first.map { Int($0) }
  }

  private func copy(_ reader: inout FinanceReader, file: String, _ tx: inout DatabaseTransaction) throws -> Int {
    let developers = context.settings.finance.developers
    return try tx.copyIn(
      "copy staged_finance (line, is_in_first_block, \(Self.columns.joined(separator: ", "))) from stdin (format binary)"
    ) { writer in
      while let row = try reader.next() {
        if let developer = row[.developer], !developers.isEmpty, !developers.contains(developer) {
          throw IntakeError(
            file: file, line: row.line,
            reason: Phrase(
              "intake.finance_column",
              [
                "column": .plain("Developer"), "why": Phrase("intake.finance_developer", ["value": .plain("\"\(developer)\"")]),
              ]),
            hint: "Is it another company's report? Nothing of it was taken.")
        }
        try writer.beginRow(columns: FinanceField.allCases.count + 2)
        try writer.int8(Int64(row.line))
        try writer.bool(row.isInFirstBlock)
        for field in FinanceField.allCases { try writer.optionalText(row[field]) }
        if reader.summary.rowCount % Self.progressRows == 0 {
          context.progress.report(stage: kind.rawValue, done: reader.summary.rowCount, total: nil)
        }
      }
    }
  }

  /// Number of rows between two updates of the progress bar.
  private static let progressRows = 10_000

  private func requireOwnVendor(_ vendor: String?, file: String) throws(IntakeError) {
    let own = context.settings.finance.vendors
    guard let vendor, !own.isEmpty, !own.contains(vendor) else { return }
    throw IntakeError(
      file: file, reason: Phrase("intake.finance_vendor", ["vendor": .plain(vendor), "list": .plain(own.joined(separator: ", "))]),
      hint: "Is it another company's report? Nothing of it was taken.")
  }

  private static func noPeriod(_ path: String) -> IntakeError {
    IntakeError(
      file: path, reason: "intake.finance_period",
      hint: "Put the fiscal period into the name, such as financial_report_2026-P11.csv.")
  }

  /// Stores the uncompressed bytes of a file.
  private func keep(_ path: String, key: Key, _ tx: inout DatabaseTransaction) throws {
    let statement = try context.sql(IngestSQL.financePart)
    var part: Int32 = 0
    var body: [UInt8] = []
    func send(_ tx: inout DatabaseTransaction) throws {
      try tx.send(statement, ["bytes_sha256": .text(key.bytesSHA256), "part": .int4(part), "body": .bytes(body)])
      part += 1
      body.removeAll(keepingCapacity: true)
    }
    _ = try UnpackedInput.read(path: path) { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let head = rest.prefix(Self.partBytesMax - body.count)
        body += head
        rest = rest.dropFirst(head.count)
        if body.count == Self.partBytesMax { try send(&tx) }
      }
    }
    if !body.isEmpty { try send(&tx) }
  }
}

extension FinanceField {
  /// Name of the column in the staging table.
  fileprivate var column: String {
    guard self != .subscriberID else { return "subscriber_id" }
    return "\(self)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
  }
}

internal import Domain
internal import Glibc
internal import Intake
public import JobCore
internal import Logging
internal import Postgres

/// Reads rows of a source in chunks, which are ingested like files. A stored watermark is the position from which the next read resumes.
///
/// Each read begins a little before the watermark, so changed rows are found; unchanged rows count as repeated. A job that is killed
/// between two chunks resumes after the first.
public struct PullJob: Sendable {
  /// Maximum number of rows per chunk; `chunksMax` limits the chunks of one job.
  static let chunkRowsMax = 20_000
  static let chunksMax = 100_000
  /// Maximum number of bytes in one chunk, or in a whole source without a watermark.
  static let chunkBytesMax: Int64 = 4 << 30

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Reads the new rows of a source.
  ///
  /// - Throws: `JobError` when the source cannot be read; earlier chunks stay stored.
  public func run(_ source: PullSource, runID: String) async throws -> IngestJob.Outcome {
    try await open(source).use { remote in
      try await TemporaryFolder.using { folder in
        let copy = try PullCopy(source: source, mapping: mapping(of: source))
        try await checkColumns(of: copy, on: remote)
        var reading = Reading(copy: copy, remote: remote, folder: folder, runID: runID)
        let isRead = source.hasWatermark ? try await readByWatermark(&reading) : false
        if !isRead { try await read(.all, named: "all", &reading) }
        return reading.outcome
      }
    }
  }

  private struct Reading {
    let copy: PullCopy
    let remote: Session
    /// Folder of the files that are ingested.
    let folder: String
    let runID: String
    var outcome = IngestJob.Outcome()
  }

  /// The source has an instant that SQL cannot convert, so its rows have no order.
  private struct Unordered: Error { let reason: String }

  /// Reads the changed and the undated rows.
  ///
  /// - Returns: false if all rows must be read, because a row has an invalid instant; that row is parked then.
  private func readByWatermark(_ reading: inout Reading) async throws -> Bool {
    do {
      try await readChanges(&reading)
      try await read(.undated, named: "undated", &reading)
      return true
    } catch let error as Unordered {
      context.log.warning(
        "the source cannot be read by its changes, so all of its rows are read",
        metadata: ["input.source": "\(reading.copy.source.name)", "error": "\(error.reason)"])
      return false
    }
  }

  /// Refuses a source without a column that its mapping names; reading it would remove that value from every order.
  private func checkColumns(of copy: PullCopy, on remote: Session) async throws {
    guard let mapping = mapping(of: copy.source) else { return }
    var header: [UInt8] = []
    do {
      header = try await remote.transaction(.readOnlySnapshot) { tx in
        var line: [UInt8] = []
        _ = try tx.copyOut(copy.headerStatement) { line += $0 }
        return line.last == UInt8(ascii: "\n") ? line.dropLast() : line
      }
    } catch let error as PostgresError {
      throw unreadable(copy.source, error)
    }
    do {
      try mapping.check(header: header, of: copy.source.title)
    } catch {
      throw JobError("could not read \(copy.source.title): \(error.reason)", hint: error.hint)
    }
  }

  private func readChanges(_ reading: inout Reading) async throws {
    let copy = reading.copy
    var position = try await watermark(copy)
    for _ in 0..<Self.chunksMax {
      let after = position
      let name = "after-\(after.map { $0.changedAt.rfc3339.filter { $0 != ":" && $0 != "-" } } ?? "the-beginning")"
      let chunk = try await read(.changed(limit: Self.chunkRowsMax), after: after, named: name, &reading)
      // The next job reads a refused chunk again.
      guard let last = chunk.last, reading.outcome.refusedFiles.isEmpty else { return }
      let reached = try copy.position(of: last)
      // A row with a future instant is read each time. A watermark beyond the clock would skip real later changes.
      try await move(copy, to: reached.changedAt > chunk.readAt ? (chunk.readAt, "") : reached)
      position = reached
      if chunk.rowCount < Self.chunkRowsMax { return }
    }
    throw JobError(
      "could not read \(copy.source.title) to its end: it has more than \(Self.chunksMax) chunks",
      hint: "Start again; it goes on where it stopped.", status: .temporary)
  }

  /// Reads part of a source into a file and ingests the file.
  @discardableResult
  private func read(
    _ part: PullCopy.Part, after: (changedAt: Timestamp, key: String)? = nil, named name: String, _ reading: inout Reading
  ) async throws -> ChunkFile.Summary {
    let source = reading.copy.source
    let path = "\(reading.folder)/\(PullFile.stem(source.name))-\(name).ndjson"
    let chunk = try await fetch(reading.copy, part, after: after, path: path, on: reading.remote)
    defer { unsafe unlink(path) }
    guard chunk.rowCount > 0 else { return chunk }
    let read = try await IngestJob(context: context).run(
      kind: source.kind, files: [path], format: .ndjson, source: .imported, runID: reading.runID, resumes: false,
      databaseSource: source.name)
    reading.outcome.tally = reading.outcome.tally + read.tally
    reading.outcome.refusedFiles += read.refusedFiles
    reading.outcome.truncatedFiles += read.truncatedFiles
    return chunk
  }

  private func fetch(
    _ copy: PullCopy, _ part: PullCopy.Part, after: (changedAt: Timestamp, key: String)?, path: String,
    on remote: Session
  ) async throws -> ChunkFile.Summary {
    let begin = try context.sql(PullSQL.beginAfter)
    let position: [String: Value] = ["changed_at": .text(after?.changedAt.rfc3339 ?? "-infinity"), "row_key": .text(after?.key ?? "")]
    do {
      return try await remote.transaction(.readOnlySnapshot) { tx in
        let now = try tx.rows(begin, position).first ?? 0
        var file = try ChunkFile(path: path, bytesMax: Self.chunkBytesMax)
        _ = try tx.copyOut(copy.statement(part)) { bytes in try file.add(PullCopy.unescaped(bytes)) }
        return try file.end(readAt: Timestamp(microseconds: now))
      }
    } catch let error as PostgresError {
      if part.isOrdered, error.isAboutData { throw Unordered(reason: "\(error)") }
      throw unreadable(copy.source, error)
    }
  }

  private func unreadable(_ source: PullSource, _ error: PostgresError) -> JobError {
    if case .malformedAddress = error {
      let url = if case .serverNamed(let path) = source.origin { "the address in \"\(path)\"" } else { "its address" }
      return JobError(
        "could not read \(source.title): \(url) \(ServerAddress.fault)", hint: ServerAddress.cure + " Nothing was read.", status: .usage)
    }
    var hint = "Try the query with psql against the source; nothing of this part was read."
    if case .connectionFailed = error {
      hint =
        error.isAboutAddress
        ? "Correct its address, such as postgresql://USER@HOST:PORT/DATABASE, until psql accepts it; nothing was read."
        : "Start again when its server answers; nothing was read."
    }
    if case .server(let refusal) = error, refusal.sqlState.code == "42703", source.hasWatermark {
      hint = "The query needs the columns order_id and updated_at; where rows say no change, set watermark: none."
    }
    let isTemporary = error.isTemporary && !error.isAboutAddress
    return JobError("could not read \(source.title): \(error)", hint: hint, status: isTemporary ? .temporary : .error)
  }

  /// Returns how the source's rows are read; nil if they have payrecon's columns.
  private func mapping(of source: PullSource) -> InputMapping? {
    context.settings.inputs[source.kind].mapping(of: source.name)?.ofDatabaseRows
  }

  private func open(_ source: PullSource) async throws -> Session {
    var settings = context.connection
    switch source.origin {
    case .own: settings.role = nil
    case .server(let conninfo): settings = ConnectionSettings(conninfo: conninfo, applicationName: "payrecon pull")
    case .serverNamed(let path):
      settings = ConnectionSettings(
        conninfo: try SecretFile.line(path, of: "url_file of source \"\(source.name)\""), applicationName: "payrecon pull")
    }
    settings.searchPath = "\"$user\", public, pg_catalog"
    do {
      return try await Session.open(settings)
    } catch let error as PostgresError {
      throw unreadable(source, error)
    }
  }

  // MARK: Watermark

  /// Returns the position to resume from, before the overlap; nil for the beginning.
  private func watermark(_ copy: PullCopy) async throws -> (changedAt: Timestamp, key: String)? {
    try await context.rows(PullSQL.watermark, Self.name(copy), as: .jobs).first.map { micros in
      let reached = Timestamp(microseconds: micros)
      let overlap = PullOrder.overlapSeconds(copy.source.overlapSeconds, before: reached, mapping: mapping(of: copy.source))
      return (reached.advanced(bySeconds: -overlap), "")
    }
  }

  private func move(_ copy: PullCopy, to position: (changedAt: Timestamp, key: String)) async throws {
    let file = try context.sql(PullSQL.move)
    let row: [String: Value] = ["changed_at": position.changedAt.sqlValue, "row_key": .text(position.key)]
    try await context.withSession { session in
      try await session.retrying { tx in try tx.send(file, Self.name(copy).merging(row) { _, new in new }) }
    }
  }

  private static func name(_ copy: PullCopy) -> [String: Value] {
    ["source": .text(copy.source.name), "kind": .text(copy.source.kind.rawValue), "query_sha256": .text(copy.sha256)]
  }
}

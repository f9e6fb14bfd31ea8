package import AppStore
internal import Cryptography
public import Domain
public import Intake
public import JobCore
internal import Postgres
public import Wording

/// Reads files into the database: each file is one batch with a checkpoint and counts.
public struct IngestJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// The result of reading several files.
  public struct Outcome: Sendable {
    public var tally = Tally()
    /// Files that could not be read at all, with the reason; the others were ingested.
    public var refusedFiles: [(file: String, reason: Phrase)] = []
    /// Truncated and empty files with a description; their valid records were ingested.
    public var truncatedFiles: [(file: String, reason: Phrase)] = []
    /// Stamps of the files before they were read.
    package var stamps: [FileStamp] = []

    public init() {}
  }

  /// Reads files in sequence; an unreadable file does not stop the others.
  ///
  /// - Parameters:
  ///   - resumes: whether to skip content that was read before and to continue interrupted attempts.
  ///   - databaseSource: name of the database source whose rows the files contain; nil for files of other programs.
  public func run(
    kind: InputKind, files: [String], format: InputFormat?, source: EvidenceSource, runID: String, resumes: Bool,
    databaseSource: String? = nil
  ) async throws -> Outcome {
    try await context.withSession { session in
      try await kind.lock.take(on: session, in: context)
      var outcome = Outcome()
      var read: [(file: String, batchID: Int64)] = []
      for file in files {
        if let stamp = FileStamp(path: file) { outcome.stamps.append(stamp) }
        do {
          let (tally, batchID) = try await ingest(
            kind, file: file, format: format, mapping: context.mapping(kind, of: file, databaseSource), source: source, runID: runID,
            resumes: resumes, session: session)
          outcome.tally = outcome.tally + tally
          read.append((file, batchID))
          guard tally.isBalanced else { throw JobError("could not account for every item of \"\(file)\": \(tally.text)") }
        } catch let error as IntakeError {
          if error.isParked { outcome.tally = outcome.tally + Tally(input: 1, parked: 1) }
          if error.isMissing {
            outcome.truncatedFiles.append((file, .plain(error.description)))
          } else {
            outcome.refusedFiles.append((file, .plain(error.description)))
          }
        }
      }
      if kind == .orders { try await context.buildDeferredIndexes(on: session) }
      // A later file may contain the page that an earlier one promises.
      for (file, batchID) in read {
        if let truncated = try await TruncatedInput.of(batchID: batchID, context: context, on: session) {
          outcome.truncatedFiles.append((file, truncated.phrase))
        }
      }
      context.progress.finish()
      return outcome
    }
  }

  /// Reads one file in the caller's session, which has the kind's lock.
  ///
  /// - Throws: `IntakeError` if the file is refused; it is parked then.
  func ingest(
    _ kind: InputKind, file: String, format: InputFormat?, mapping: InputMapping?, source: EvidenceSource, runID: String,
    resumes: Bool, session: Session
  ) async throws -> (tally: Tally, batchID: Int64) {
    if kind == .finance || kind == .bank {
      return try await FinanceIngest(context: context, session: session, kind: kind)
        .run(path: file, source: source.rawValue, runID: runID, resumes: resumes)
    }
    // Read before its batch is opened, so that an unreadable file leaves no batch behind.
    let content = try FileContent.sha256(path: file)
    let name = FileContent.name(file)
    let newBatch = NewBatch(kind: kind.rawValue, file: name, contentSHA256: content, source: source.rawValue, runID: runID)
    var batch = try await session.open(newBatch, resumes: resumes, in: context)
    // A known content may complete a truncated file; reading it again shows that.
    if batch.isDone,
      try await session.transaction(.readOnlySnapshot, { tx in try tx.isAwaited(kind: kind.rawValue, file: name, in: context) })
    {
      batch = try await session.open(newBatch, in: context)
    }
    if batch.isDone { return (batch.tally, batch.batchID) }
    func rows<Row: IngestedRow>(_ type: Row.Type) async throws -> Tally {
      try await RowIngest<Row>(context: context, session: session).run(path: file, format: format, mapping: mapping, batch: batch)
    }
    do {
      let tally =
        switch kind {
        case .orders: try await rows(OrderRow.self)
        case .users: try await rows(UserRow.self)
        case .catalogue: try await rows(CatalogueRow.self)
        case .apple:
          try await EvidenceIngest(context: context, session: session, reader: try context.evidenceReader(), source: source)
            .run(path: file, batch: batch)
        // A financial file is ingested completely or not at all, without a checkpoint.
        case .finance, .bank: batch.tally
        }
      return (tally, batch.batchID)
    } catch var fault as IntakeError where !content.isEmpty {
      // Park the file: after it is removed, nothing else would show that it existed.
      let refused = RefusedFile(context: context, session: session, path: file, fault: fault, batchID: batch.batchID)
      try await refused.keep(
        under: NewBatch(
          kind: kind.rawValue, file: name, contentSHA256: SHA256.hex(Array("unfinished \(batch.batchID)".utf8)),
          source: source.rawValue, runID: runID))
      fault.isParked = true
      throw fault
    }
  }
}

extension JobContext {
  /// Returns the conditions under which an input of a kind is complete.
  func inputEnd(_ kind: String) -> InputEnd {
    InputEnd(finalNewlineIsOptional: InputKind(rawValue: kind).map { settings.inputs[$0].finalNewlineIsOptional } ?? false)
  }

  /// Returns how an input of a kind is read; nil if it has payrecon's columns.
  ///
  /// - Parameter databaseSource: name of the source whose rows the file contains; nil for a file of another program.
  func mapping(_ kind: InputKind, of file: String, _ databaseSource: String?) -> InputMapping? {
    guard let databaseSource else { return settings.inputs[kind].mapping(of: FileContent.name(file)) }
    return settings.inputs[kind].mapping(of: databaseSource)?.ofDatabaseRows
  }

  package func evidenceReader() throws -> EvidenceReader {
    let anchors = try TrustAnchors.trusted(in: rootsDirectory, else: appleRootsFolders)
    let identities = settings.apps.map { AppIdentity(bundleID: $0.bundleID, appleID: $0.appleID) }
    return EvidenceReader(apps: identities, anchors: anchors, now: asOf)
  }
}

internal import Cryptography
package import Domain
package import Intake
package import JobCore
package import Postgres

/// A report that was downloaded, on its way among the files about money.
package struct FinanceDownload: Sendable {
  /// What became of it.
  package enum Taken: Sendable {
    /// Its rows are in, or were before.
    case stored(Tally)
    /// It says what the one before said; the bytes of that one are kept.
    case unchanged
    /// It was refused for this reason; its bytes are among the dead letters.
    case refused(String)
    /// It is not whole; nothing of it was kept.
    case cut(String)
  }

  /// The report by its hashes: of its bytes, and of what they unpack to. The reason why it was refused; nil when it was not.
  package struct Record: Sendable {
    package var fileSHA256: String
    package var contentSHA256: String
    package var refusal: String?
  }

  let context: JobContext
  let session: Session

  package init(context: JobContext, session: Session) {
    self.context = context
    self.session = session
  }

  /// Stores a report under a name.
  ///
  /// - Parameters:
  ///   - told: vendor number, region and period that were asked for.
  ///   - known: hash of the content that was taken before; nil when none was.
  ///   - also: done in the transaction that stores the report, and in one of its own where nothing is stored.
  /// - Returns: what became of it, and what `also` was given; nil where it was not called.
  package func take(
    _ body: [UInt8], name: String, told: FinanceFileName, known: String?, runID: String,
    also: @escaping @Sendable (Record, inout DatabaseTransaction) throws -> Void
  ) async throws -> (taken: Taken, record: Record?) {
    try await TemporaryFolder.using { folder in
      let path = "\(folder)/\(name)"
      try SpooledFile.make(path, body)
      var hash = SHA256()
      if let fault = try UnpackedInput.read(path: path, { hash.update($0) }) { return (.cut(fault), nil) }
      var record = Record(fileSHA256: SHA256.hex(body), contentSHA256: hash.hex(), refusal: nil)
      let whole = record
      if record.contentSHA256 == known {
        try await session.retrying { tx in try also(whole, &tx) }
        return (.unchanged, record)
      }
      var ingest = FinanceIngest(context: context, session: session, kind: .finance)
      ingest.told = told
      ingest.also = { refusal, tx in
        var settled = whole
        settled.refusal = refusal
        try also(settled, &tx)
      }
      do {
        return (.stored(try await ingest.run(path: path, source: EvidenceSource.api.rawValue, runID: runID).tally), record)
      } catch let error as IntakeError {
        record.refusal = error.reason
        return (.refused(error.reason), record)
      }
    }
  }
}

internal import Cryptography
package import Domain
package import Intake
package import JobCore
package import Postgres
internal import Wording

/// Stores a downloaded finance report.
package struct FinanceDownload: Sendable {
  package enum Outcome: Sendable {
    /// Its rows are stored, now or earlier.
    case stored(Tally)
    /// The content equals the previous version, whose bytes are kept.
    case unchanged
    /// The report was refused; its bytes are parked.
    case refused
    /// The download is truncated; nothing was kept.
    case truncated(String)
  }

  /// The hash of a report's uncompressed bytes, and the reason of a refusal; nil when it was accepted.
  package struct Record: Sendable {
    package var contentSHA256: String
    package var refusal: String?
  }

  let context: JobContext
  let session: Session

  package init(context: JobContext, session: Session) {
    self.context = context
    self.session = session
  }

  /// Stores a report under a name. Vendor number, region and period are those of the request.
  ///
  /// - Parameters:
  ///   - asked: the requested report, with its fiscal period or day. Another one is refused.
  ///   - known: content hash of the previous version; nil when there is none.
  ///   - also: executed in the transaction that stores the report, or in a separate one when nothing is stored.
  /// - Returns: the outcome, and the record passed to `also`; nil when `also` was not called.
  package func store(
    _ body: [UInt8], name: String, stated: FinanceFileName, asked: (report: String, period: String), known: String?, runID: String,
    also: @escaping @Sendable (Record, inout DatabaseTransaction) throws -> Void
  ) async throws -> (outcome: Outcome, record: Record?) {
    try await TemporaryFolder.using { folder in
      let path = "\(folder)/\(name)"
      try SpooledFile.make(path, body)
      var hash = SHA256()
      if let fault = try UnpackedInput.read(path: path, { hash.update($0) }) { return (.truncated(fault.english), nil) }
      let sha256 = hash.hex()
      let accepted = Record(contentSHA256: sha256)
      if sha256 == known {
        try await session.retrying { tx in try also(accepted, &tx) }
        return (.unchanged, accepted)
      }
      let ingest = FinanceIngest(context: context, session: session, kind: .finance, stated: stated, asked: asked) { refusal, tx in
        try also(Record(contentSHA256: sha256, refusal: refusal), &tx)
      }
      do {
        return (.stored(try await ingest.run(path: path, source: EvidenceSource.api.rawValue, runID: runID).tally), accepted)
      } catch let error as IntakeError {
        return (.refused, Record(contentSHA256: sha256, refusal: error.reason.english))
      }
    }
  }
}

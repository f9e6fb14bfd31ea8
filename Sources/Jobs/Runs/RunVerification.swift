internal import Cryptography
public import JobCore
internal import Postgres
internal import Reports

/// Verifies a report folder against its manifest, and the manifest against the ledger.
public struct RunVerification: Sendable {
  public struct Finding: Sendable, Hashable {
    public var file: String
    public var text: String
  }

  public struct Outcome: Sendable {
    public var runID: String
    public var fileCount: Int
    public var findings: [Finding]
    /// Whether the ledger has the manifest; nil if the ledger was not queried.
    public var isManifestRecorded: Bool?
  }

  let context: JobContext?

  /// - Parameter context: nil to verify the folder alone.
  public init(context: JobContext?) { self.context = context }

  /// Verifies a folder.
  ///
  /// - Throws: `JobError` if there is no readable manifest.
  public func verify(directory: String) async throws -> Outcome {
    let manifest = try Manifest.read(directory: directory)
    var findings = try Self.fileFindings(manifest, directory: directory)
    guard let context else {
      return Outcome(runID: manifest.runID, fileCount: manifest.files.count, findings: findings, isManifestRecorded: nil)
    }
    // The chain has a list of manifests for each ended attempt.
    let (known, chained) = try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try (
        RunLedger.manifests(of: manifest.runID, &tx, sql: context.sql).map(\.sha256),
        tx.rows(context.sql(AuditSQL.runManifests), ["run_id": .text(manifest.runID)])
      )
    }
    let fault = Self.ledgerFault(manifest, known: known, chained: chained)
    if let fault { findings.append(Finding(file: ReportFolder.manifestName, text: fault)) }
    return Outcome(runID: manifest.runID, fileCount: manifest.files.count, findings: findings, isManifestRecorded: fault == nil)
  }

  private static func fileFindings(_ manifest: Manifest, directory: String) throws -> [Finding] {
    let changed = try manifest.files.compactMap { entry -> Finding? in
      guard let found = try LocalFile.hash("\(directory)/\(entry.name)") else { return Finding(file: entry.name, text: "is missing") }
      guard found.sha256 != entry.sha256 else { return nil }
      let isAsLong = found.byteCount == entry.byteCount
      let length = isAsLong ? "its length is the same" : "\(entry.byteCount) bytes became \(found.byteCount)"
      return Finding(file: entry.name, text: "was changed: \(length), SHA-256 \(entry.sha256) became \(found.sha256)")
    }
    let listed = Set(manifest.files.map(\.name) + [ReportFolder.manifestName])
    let added = try LocalFile.names(directory: directory).filter { !listed.contains($0) }
    return changed + added.map { Finding(file: $0, text: "was added: the manifest does not list it") }
  }

  /// Returns why the database does not confirm the manifest; nil if it does.
  private static func ledgerFault(_ manifest: Manifest, known: [String], chained: [String]) -> String? {
    guard !known.isEmpty else {
      return "is not in the ledger: no report of \"\(manifest.runID)\" was recorded in this database"
    }
    guard known.contains(manifest.sha256) else {
      return "was changed: run \"\(manifest.runID)\" wrote \(known.joined(separator: " or ")), this is \(manifest.sha256)"
    }
    // A job may update the ledger table but not the audit chain.
    guard chained.isEmpty || chained.contains(where: { $0.contains("\"\(manifest.sha256)\"") }) else {
      return "was changed together with the ledger: the audit chain names no such manifest of run \"\(manifest.runID)\""
    }
    return nil
  }
}

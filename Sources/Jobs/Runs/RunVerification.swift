internal import Cryptography
public import JobCore
internal import Postgres
internal import Reports

/// Verifies a report folder against its manifest, and the manifest against the ledger.
public struct RunVerification: Sendable {
  /// One deviation from the written report.
  public struct Finding: Sendable, Hashable {
    public var file: String
    /// Description of the deviation.
    public var text: String
  }

  /// The result of a verification.
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
    var findings: [Finding] = []
    for entry in manifest.files {
      guard let found = try LocalFile.hash("\(directory)/\(entry.name)") else {
        findings.append(Finding(file: entry.name, text: "is missing"))
        continue
      }
      if found.sha256 != entry.sha256 {
        let isAsLong = found.byteCount == entry.byteCount
        let length = isAsLong ? "its length is the same" : "\(entry.byteCount) bytes became \(found.byteCount)"
        findings.append(
          Finding(file: entry.name, text: "was changed: \(length), SHA-256 \(entry.sha256) became \(found.sha256)"))
      }
    }
    let listed = Set(manifest.files.map(\.name) + [ReportFolder.manifestName])
    for name in try LocalFile.names(directory: directory) where !listed.contains(name) {
      findings.append(Finding(file: name, text: "was added: the manifest does not list it"))
    }
    var isRecorded: Bool?
    if let context {
      let (known, chained) = try await Self.recorded(runID: manifest.runID, context: context)
      isRecorded = known.contains(manifest.sha256)
      if isRecorded == false {
        let text = known.isEmpty
          ? "is not in the ledger: no report of \"\(manifest.runID)\" was recorded in this database"
          : "was changed: run \"\(manifest.runID)\" wrote \(known.joined(separator: " or ")), this is \(manifest.sha256)"
        findings.append(Finding(file: ReportFolder.manifestName, text: text))
      }
      // A job may update the ledger table but not the audit chain.
      if isRecorded == true, !chained.isEmpty, !chained.contains(where: { $0.contains("\"\(manifest.sha256)\"") }) {
        isRecorded = false
        findings.append(
          Finding(
            file: ReportFolder.manifestName,
            text: "was changed together with the ledger: the audit chain names no such manifest of run \"\(manifest.runID)\""))
      }
    }
    return Outcome(
      runID: manifest.runID, fileCount: manifest.files.count, findings: findings, isManifestRecorded: isRecorded)
  }

  /// Returns the run's manifest hashes in the ledger, and the manifest lists in the audit chain, one per ended attempt.
  private static func recorded(
    runID: String, context: JobContext
  ) async throws -> (known: [String], chained: [String]) {
    let sql = context.sql
    return try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      let chained = try tx.rows(sql(AuditSQL.runManifests), ["run_id": .text(runID)])
      return (try RunLedger.manifests(of: runID, &tx, sql: sql).map(\.sha256), chained)
    }
  }
}

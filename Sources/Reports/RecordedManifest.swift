internal import Domain
package import JobCore
internal import Logging
internal import Postgres
internal import SystemCalls

extension RunLedger {
  /// Records the hash of the manifest of a new report, so that `runs verify` can check it.
  ///
  /// - Parameter isOfRun: whether a run of the ledger wrote the report. The audit entry of the run's end names its manifests.
  /// - Throws: `JobError` if the manifest is not readable, `PostgresError`.
  package func recordManifest(directory: String, runID: String, isOfRun: Bool = true) async throws {
    let manifest = try Manifest.read(directory: directory)
    let (context, sql) = (context, context.sql)
    guard let asOf = Timestamp(rfc3339: manifest.asOf) else {
      throw JobError("could not record the report in \"\(directory)\": its manifest states no instant as \"as_of\"")
    }
    let parameters: [String: Value] = [
      "run_id": .text(runID), "directory": .text(Machine.absolutePath(directory)), "manifest_sha256": .text(manifest.sha256),
      "as_of": asOf.sqlValue,
    ]
    try await session.retrying { tx in
      try tx.send(sql(RunsSQL.recordManifest), parameters)
      guard !isOfRun else { return }
      try tx.audit(
        AuditEntry(
          actor: "report", act: .reportWritten, subject: runID,
          details: [.text("run", runID), .text("report", manifest.report), .texts("manifests", [manifest.sha256])]), in: context)
    }
  }
}

extension JobContext {
  /// Records a report that was written without a run. A read-only login cannot record it, and a warning is logged.
  func recordReport(directory: String, runID: String) async throws {
    do {
      try await withSession { session in
        try await RunLedger(context: self, session: session).recordManifest(directory: directory, runID: runID, isOfRun: false)
      }
    } catch PostgresError.server(let error) where [SQLState.insufficientPrivilege, .readOnlyTransaction].contains(error.sqlState) {
      log.warning("the report in \(directory) is not in the ledger, as runs verify will say: this login may not write to the database")
    }
  }
}

internal import AppStore
internal import Domain
internal import Postgres

/// Checks what a night needs.
public struct DoctorJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// One check and what it found.
  public struct Finding: Sendable {
    public var check: String
    public var isFine: Bool
    /// What was found, and, for a fault, what to do.
    public var text: String
  }

  public func run() async throws -> [Finding] {
    var findings = [checkApps(), checkRoots()]
    let session = try await context.open()
    let sql = context.sql
    let asOf = context.asOfValue
    let (missing, parked) = try await session.transaction(.readOnlySnapshot) { tx in
      let missing = try tx.rows(sql("runs/missing_input.sql"), ["as_of": asOf]) { row throws(PostgresError) in
        try row.text()
      }
      let parked = try tx.rows(sql("runs/open_parked.sql")) { row throws(PostgresError) in try row.int8() }
      return (missing, parked.first ?? 0)
    }
    await session.close()
    findings.append(Finding(check: "database", isFine: true, text: "reachable and migrated"))
    findings.append(checkRoles())
    findings.append(
      Finding(
        check: "inputs", isFine: missing.isEmpty,
        text: missing.isEmpty
          ? "orders and evidence were read" : "never read: \(missing.joined(separator: ", ")); run payrecon ingest"))
    findings.append(
      Finding(
        check: "dead letters", isFine: parked == 0,
        text: parked == 0 ? "none" : "\(parked) parked items; see payrecon deadletter list"))
    return findings
  }

  private func checkRoles() -> Finding {
    let missing = context.missingRoles.map(\.rawValue).sorted().joined(separator: ", ")
    guard context.connection.role != nil, context.missingRoles.isEmpty else {
      return Finding(
        check: "privileges", isFine: false,
        text: "the login may not act as \(missing.isEmpty ? "payrecon_jobs" : missing), so its own rights apply; "
          + "have an administrator make these roles, grant them to the login, and call payrecon.grant_roles()")
    }
    return Finding(
      check: "privileges", isFine: true,
      text: "jobs, reports, reviews and erasures act as roles of their own; none can change evidence or the audit chain")
  }

  private func checkApps() -> Finding {
    context.settings.apps.isEmpty
      ? Finding(
        check: "settings", isFine: false,
        text: "no app is configured, so every bundle is foreign; list them under \"apps\" in the settings file")
      : Finding(check: "settings", isFine: true, text: "\(context.settings.apps.count) apps")
  }

  private func checkRoots() -> Finding {
    do {
      _ = try context.evidenceReader()
      return Finding(check: "roots", isFine: true, text: context.rootsDirectory ?? "Apple's, shipped")
    } catch {
      return Finding(check: "roots", isFine: false, text: "\(error)")
    }
  }
}

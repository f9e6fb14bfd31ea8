public import JobCore
internal import Postgres

public struct RunDescription: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Returns lines about a run's attempts, input, counts and changes.
  ///
  /// - Throws: `JobError` if the ledger has no such run.
  public func text(runID: String) async throws -> String {
    return try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      func records(_ listing: Listing) throws -> [ReportRecord] {
        try ReportTable.read(listing, ["run_id": .text(runID)], files: context.sql, tx: &tx).records
      }
      let attempts = try RunLedger.attempts(of: runID, &tx, sql: context.sql)
      guard let latest = attempts.last else {
        throw JobError(
          "could not show run \"\(runID)\": the ledger has no such run", hint: "See payrecon runs list.")
      }
      var lines = try Self.head(latest) + attempts.map(Self.attempt)
      if let window = try records(RunsSQL.showWindow).first {
        let span = try "\(window.text("window_from")) to \(window.text("window_to"))"
        let start = try "\(window.text("origin")), attempt \(window.text("attempt")), on \(window.text("host"))"
        try lines.append(line("window", "\(window.text("job")), \(span), \(start)"))
      }
      for input in try records(RunsSQL.showInputs) {
        let counts = try ["input", "accepted", "repeated", "ignored", "parked"].map {
          try "\($0) \(input.text("\($0)_count"))"
        }.joined(separator: ", ")
        try lines.append(line("input", "\(input.text("kind")) \(input.text("file_name")): \(counts)"))
      }
      for count in try records(RunsSQL.showCounts) {
        try lines.append(line("count", "\(count.text("name")) \(count.text("value"))"))
      }
      for change in try records(RunsSQL.showBreaks) {
        let direction = try change.text("is_open") == "t" ? "opened or changed" : "resolved"
        try lines.append(line("breaks", "\(change.text("class")): \(change.text("break_count")) \(direction)"))
      }
      return lines.joined(separator: "\n")
    }
  }

  private static func head(_ run: ReportRecord) throws -> [String] {
    try [
      line("run", run.text("run_id")), line("job", run.text("job")), line("as of", run.text("as_of")),
      line("verdict", run["verdict"] ?? "none yet: it runs, or it died"),
      line("settings", run.text("settings_sha256")), line("code", run.text("code_version")),
    ]
  }

  private static func attempt(_ run: ReportRecord) throws -> String {
    let end = try run["ended_at"].map { try "to \($0), \(run.text("seconds")) s, \(run.text("verdict"))" } ?? "not ended"
    let reason = try run["message"].flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
    return try line("attempt", "\(run.text("attempt")) from \(run.text("started_at")) \(end)\(reason)")
  }
}

extension RunLedger {
  static func attempts(of runID: String, _ tx: inout DatabaseTransaction, sql: SQLFiles) throws -> [ReportRecord] {
    try ReportTable.read(RunsSQL.show, ["run_id": .text(runID)], files: sql, tx: &tx).records
  }
}

private func line(_ name: String, _ value: String) -> String {
  name + String(repeating: " ", count: max(1, 9 - name.utf8.count)) + value
}

internal import Domain
public import JobCore
internal import Postgres
internal import Reports
internal import Wording

/// Recreates the report of a finished run at the run's clock and compares it with the original.
public struct RunReplay: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  public struct Outcome: Sendable {
    public var fileCount: Int
    /// Files that differ, are missing or are new.
    public var findings: [RunVerification.Finding]
    /// Differences of the replay itself, one line each.
    public var notes: [String]
  }

  /// A finished run of the ledger with its manifests, latest first.
  private struct Recorded: Sendable {
    var asOf: Timestamp
    var settingsSHA256: String
    var codeVersion: String
    var manifests: [(sha256: String, directory: String)]
    /// The reasons of each attempt.
    var reasons: [[Phrase]]

    /// Returns the reasons of the attempt that wrote a report.
    func reasons(of manifest: Manifest) -> [Phrase] {
      reasons.last { $0.map(\.english) == manifest.reasons } ?? manifest.reasons.map { .plain($0) }
    }
  }

  /// - Parameters:
  ///   - directory: folder to which the run's report was moved; nil for the original one.
  ///   - out: folder that keeps the replayed report; nil for a temporary one.
  /// - Throws: `JobError` if the run, its report or its settings are not available.
  public func run(_ runID: String, directory: String?, out: String?) async throws -> Outcome {
    let recorded = try await recorded(runID)
    // Uses the rules approved at the run's clock.
    return try await RunReplay(context: context.withApprovedRules(at: recorded.asOf)).run(runID, recorded, directory: directory, out: out)
  }

  private func run(_ runID: String, _ recorded: Recorded, directory: String?, out: String?) async throws -> Outcome {
    guard recorded.settingsSHA256 == context.settingsSHA256 else {
      throw JobError(
        "could not replay run \"\(runID)\": it ran with other settings (SHA-256 \(recorded.settingsSHA256))",
        hint: "Give it the settings file it ran with in PAYRECON_CONFIG.", status: .usage)
    }
    guard let latest = recorded.manifests.first else {
      throw JobError("could not replay run \"\(runID)\": it wrote no report")
    }
    let folder = directory ?? latest.directory
    if directory == nil, try LocalFile.hash("\(folder)/\(ReportFolder.manifestName)") == nil {
      throw JobError(
        "could not replay run \"\(runID)\": its report is no longer in \"\(folder)\"",
        hint: "Name the folder to which it was moved with --report.")
    }
    let manifest = try Manifest.read(directory: folder)
    guard manifest.runID == runID, recorded.manifests.contains(where: { $0.sha256 == manifest.sha256 }) else {
      throw JobError(
        "could not replay run \"\(runID)\": the manifest in \"\(folder)\" is not one that it wrote",
        hint: "Look at it with payrecon runs verify, or name the run's folder with --report.")
    }
    var outcome =
      if let out {
        try await replay(manifest, recorded, folder: folder, into: out)
      } else {
        try await TemporaryFolder.using { try await replay(manifest, recorded, folder: folder, into: $0) }
      }
    if manifest.sha256 != latest.sha256, !outcome.findings.isEmpty {
      outcome.notes.append(
        "the run was started again at its clock and wrote a later report to \"\(latest.directory)\": what it took in then is known "
          + "at that clock, too, so that only the later one comes out alike; payrecon runs verify vouches for the earlier one")
    }
    if recorded.codeVersion != context.codeVersion {
      outcome.notes.append("the run was made by code \(recorded.codeVersion), this is \(context.codeVersion)")
    }
    return outcome
  }

  private func recorded(_ runID: String) async throws -> Recorded {
    let (found, manifests, reasons) = try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try (
        RunLedger.attempts(of: runID, &tx, sql: context.sql).last, RunLedger.manifests(of: runID, &tx, sql: context.sql),
        tx.rows(context.sql(RunsSQL.reasons), ["run_id": .text(runID)]).map { try Phrase.apart(json: $0) }
      )
    }
    guard let run = found, let asOf = try Timestamp(rfc3339: run.text("as_of")) else {
      throw JobError("could not replay run \"\(runID)\": the ledger has no such run", hint: "See payrecon runs list.")
    }
    guard try run["verdict"] != nil else {
      throw JobError("could not replay run \"\(runID)\": it has not finished")
    }
    return try Recorded(
      asOf: asOf, settingsSHA256: run.text("settings_sha256"), codeVersion: run.text("code_version"), manifests: manifests,
      reasons: reasons)
  }

  private func replay(
    _ manifest: Manifest, _ recorded: Recorded, folder: String, into scratch: String
  ) async throws -> Outcome {
    guard let kind = ReportKind(rawValue: manifest.report), let verdict = Verdict(rawValue: manifest.verdict) else {
      throw JobError("could not read \"\(folder)/\(ReportFolder.manifestName)\": it is not a manifest that payrecon wrote")
    }
    var header = ReportHeader(
      kind: kind, context: context.withClock(recorded.asOf), runID: manifest.runID, verdict: verdict,
      reasons: recorded.reasons(of: manifest))
    (header.settingsSHA256, header.codeVersion) = (manifest.settingsSHA256, manifest.codeVersion)
    let formats = Set(
      ReportFormat.allCases.filter { format in
        manifest.files.contains { format.wrote($0.name) }
      })
    header.hasSchemas = manifest.files.contains { $0.name.hasSuffix(TableSchema.ending) }
    try await context.withSession(as: .report) { session in
      try await ReportJob(context: context).write(header, formats: formats, directory: scratch, on: session)
    }
    let made = try Manifest.read(directory: scratch)
    // The recreated report may equal the manifest while the files in the folder differ.
    let kept = try await RunVerification(context: nil).verify(directory: folder).findings
    return Outcome(fileCount: manifest.files.count, findings: Self.compare(manifest, made) + kept, notes: [])
  }

  private static func compare(_ recorded: Manifest, _ made: Manifest) -> [RunVerification.Finding] {
    let before = Dictionary(uniqueKeysWithValues: recorded.files.map { ($0.name, $0) })
    let after = Dictionary(uniqueKeysWithValues: made.files.map { ($0.name, $0) })
    var findings: [RunVerification.Finding] = Set(before.keys).union(after.keys).sorted().compactMap { name in
      guard let old = before[name] else { return .init(file: name, text: "the run did not write it") }
      guard let new = after[name] else { return .init(file: name, text: "was not written again") }
      guard old.sha256 != new.sha256 else { return nil }
      return .init(
        file: name,
        text: "differs: \(old.byteCount) bytes with SHA-256 \(old.sha256), now \(new.byteCount) with \(new.sha256)")
    }
    if findings.isEmpty, recorded.sha256 != made.sha256 {
      findings.append(.init(file: ReportFolder.manifestName, text: "differs: \(recorded.sha256), now \(made.sha256)"))
    }
    return findings
  }
}

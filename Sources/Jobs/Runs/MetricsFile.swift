internal import Domain
internal import Glibc
public import JobCore
internal import Postgres
internal import SystemCalls

/// Writes metrics as a Prometheus text file.
///
/// - Source: Prometheus documentation, "Text-based format"; node_exporter, "Textfile Collector".
public struct MetricsFile: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Writes the file under a temporary name and renames it, so that a reader never sees a partial file.
  ///
  /// - Parameter path: must end in `.prom` for node_exporter to read it.
  /// - Throws: `JobError` if the file cannot be written, `PostgresError`.
  public func write(path: String) async throws {
    let text = try await text()
    let temporary = "\(path).\(getpid()).partial"
    let descriptor = LocalFile.create(temporary, mode: 0o644)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    do throws(SystemFault) {
      defer { close(descriptor) }
      try Descriptor.write(Array(text.utf8)[...], to: descriptor)
    } catch {
      unsafe unlink(temporary)
      throw Self.failure(path, error.code)
    }
    guard unsafe rename(temporary, path) == 0 else {
      let code = errno
      unsafe unlink(temporary)
      throw Self.failure(path, code)
    }
  }

  private static func failure(_ path: String, _ code: Int32) -> JobError {
    JobError(
      "could not write metrics to \"\(path)\": \(errnoText(code))",
      hint: "Name a file in a folder that this account may write to, under metrics.textfile of the settings.")
  }

  public func text() async throws -> String {
    let families = try await context.transaction(.readOnlySnapshot) { tx in
      func table(_ listing: Listing, _ parameters: [String: Value] = [:]) throws -> [ReportRecord] {
        try ReportTable.read(listing, parameters, files: context.sql, tx: &tx).records
      }
      return try Self.jobs(table(RunsSQL.metricJobs)) + Self.windows(table(RunsSQL.metricWindows))
        + Self.breaks(table(RunsSQL.metricBreaks, ["as_of": context.asOfValue]))
        + Self.inputs(InputState.all(asOf: context.asOf, in: context, &tx)) + Self.budgets(table(RunsSQL.metricBudgets))
    }
    return families.map(\.text).joined()
  }

  private static func jobs(_ rows: [ReportRecord]) throws -> [MetricFamily] {
    try [
      verdicts("payrecon_run_verdict", "Verdict of the last run that ended: 1 for the one it had.", rows),
      MetricFamily("payrecon_run_as_of_seconds", "Business clock of the last run that ended.", rows, "as_of"),
      MetricFamily("payrecon_run_ended_seconds", "When the last run ended.", rows, "ended_at"),
      MetricFamily("payrecon_run_last_clean_as_of_seconds", "Business clock of the last clean run.", rows, "clean_as_of"),
      MetricFamily(
        "payrecon_run_last_complete_as_of_seconds", "Business clock of the last run neither failed nor incomplete.", rows,
        "complete_as_of"),
      MetricFamily(
        "payrecon_run_last_complete_ended_seconds", "When the last run neither failed nor incomplete ended.", rows, "complete_at"),
      MetricFamily("payrecon_run_input_rows", "Input rows of the last run that ended.", rows, "row_count"),
      MetricFamily("payrecon_run_duration_seconds", "How long the last run took.", rows, "seconds"),
    ]
  }

  private static func windows(_ rows: [ReportRecord]) throws -> [MetricFamily] {
    try [
      verdicts("payrecon_job_verdict", "Verdict of the latest scheduled window that ended.", rows),
      MetricFamily("payrecon_job_window_end_seconds", "End of the latest scheduled window that ended.", rows, "window_to"),
      MetricFamily(
        "payrecon_job_last_complete_window_end_seconds", "End of the latest window neither failed nor incomplete.", rows, "complete_to"),
      MetricFamily("payrecon_job_ended_seconds", "When the latest scheduled window ended.", rows, "ended_at"),
      MetricFamily("payrecon_job_exit_status", "Exit status of the latest scheduled window.", rows, "exit_status"),
      MetricFamily("payrecon_job_attempt", "Attempts of the latest scheduled window.", rows, "attempt"),
    ]
  }

  private static func verdicts(_ name: String, _ help: String, _ rows: [ReportRecord]) throws -> MetricFamily {
    try MetricFamily(
      name, help,
      rows.flatMap { row in
        try Verdict.allCases.map { verdict in
          try (
            [("job", row.text("job")), ("verdict", verdict.rawValue)],
            row.text("verdict") == verdict.rawValue ? "1" : "0"
          )
        }
      })
  }

  private static func breaks(_ rows: [ReportRecord]) throws -> [MetricFamily] {
    let oldest = try rows.compactMap { try $0["oldest_at"].flatMap { Int64($0) } }.min()
    let labels = ["severity", "currency"]
    return try [
      MetricFamily("payrecon_breaks_open", "Open breaks that nobody decided.", rows, by: labels, "break_count"),
      MetricFamily(
        "payrecon_breaks_decided", "Open breaks that people accepted, dismissed or wrote off.", rows, by: labels, "decided_count"),
      MetricFamily(
        "payrecon_breaks_exposure_milliunits", "Money at stake in undecided Production breaks.",
        rows.filter { try !$0.text("currency").isEmpty }, by: labels, "exposure_milliunits"),
      MetricFamily(
        "payrecon_breaks_oldest_opened_seconds", "When the oldest undecided break opened; absent when there is none.",
        oldest.map { [([], String($0))] } ?? []),
    ]
  }

  private static func inputs(_ states: [InputState]) -> [MetricFamily] {
    [
      MetricFamily(
        "payrecon_input_newest_fact_seconds", "When the newest fact of a kind of input happened.",
        states.map { state in ([("kind", state.kind)], state.newestAt.map { "\($0.microseconds / 1_000_000)" }) }),
      MetricFamily(
        "payrecon_input_stale", "1 for a kind of input that is too old, too little or was never read.",
        states.map { ([("kind", $0.kind)], $0.isFresh ? "0" : "1") }),
    ]
  }

  private static func budgets(_ rows: [ReportRecord]) throws -> [MetricFamily] {
    let labels = ["bundle_id", "environment", "endpoint"]
    return try [
      MetricFamily(
        "payrecon_apple_budget_taken_to_seconds", "Up to when requests to Apple are taken; ahead of now while workers wait.", rows,
        by: labels, "taken_to"),
      MetricFamily(
        "payrecon_apple_budget_paused_to_seconds", "End of the pause that Apple last asked for; absent when it never did.", rows,
        by: labels, "paused_to"),
    ]
  }
}

private struct MetricFamily: Sendable {
  let text: String

  /// - Parameter samples: labels and values; nil values are omitted.
  init(_ name: String, _ help: String, _ samples: [([(String, String)], String?)]) {
    var lines = "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
    for (labels, value) in samples {
      guard let value else { continue }
      let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
      lines += list.isEmpty ? "\(name) \(value)\n" : "\(name){\(list)} \(value)\n"
    }
    text = lines
  }

  init(_ name: String, _ help: String, _ rows: [ReportRecord], by labels: [String] = ["job"], _ column: String) throws {
    self.init(name, help, try rows.map { row in try (labels.map { try ($0, row.text($0)) }, row[column]) })
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

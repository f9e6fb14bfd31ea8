public import JobCore

/// The steps from an installation to a nightly job that are still to be done, each with its next command.
public struct DoctorSteps: Sendable {
  public struct Progress: Sendable {
    var kinds: Set<String> = []
    var nightCount: Int128 = 0
    var nightDayCount: Int128 = 0
    var isScheduled = false

    /// The progress of an installation without a database.
    public init() {}

    /// Nights of several days began by themselves.
    private static let scheduledDaysMin: Int128 = 2

    var isDone: Bool { nightCount > 0 && (isScheduled || nightDayCount >= Self.scheduledDaysMin) }
  }

  struct Step: Sendable, Hashable {
    var name: String
    var missing: String
    var next: String
  }

  let settings: JobSettings
  /// nil if a database exists and could not be queried.
  let progress: Progress?

  public init(settings: JobSettings, progress: Progress?) {
    self.settings = settings
    self.progress = progress
  }

  public static func progress(in context: JobContext) async throws -> Progress {
    let row = try await context.withSession { session in try await context.records(DoctorSQL.steps, on: session).first }
    var progress = Progress()
    guard let row else { return progress }
    progress.kinds = try Set(row.text("kinds").split(separator: ",").map(String.init))
    progress.nightCount = try row.int("night_count")
    progress.nightDayCount = try row.int("night_day_count")
    progress.isScheduled = try row.text("is_scheduled") == "t"
    return progress
  }

  /// Lines in the form of the findings; empty once nights run by themselves.
  public var lines: [String] {
    steps.map { "to do \($0.name): \($0.missing)\n      do: \($0.next)" }
  }

  var steps: [Step] {
    guard settings.file != nil else {
      return [Step(name: "settings file", missing: "none is here", next: "payrecon init --guide asks a few questions and writes one")]
    }
    guard let progress, !progress.isDone else { return [] }
    return inputs(progress) + apple(progress) + nights(progress)
  }

  private func inputs(_ progress: Progress) -> [Step] {
    let reasons = [
      ("catalogue", "products and prices are not checked until one is read"),
      ("users", "account tokens and testers are unknown until users are read"),
      ("orders", "none was read"),
    ]
    return reasons.filter { !progress.kinds.contains($0.0) && !isSource($0.0) }.map { kind, missing in
      Step(
        name: kind, missing: missing,
        next: "payrecon ingest \(kind) --preview FILE proposes a mapping; then put the file into the inbox as \(kind)….csv")
    }
  }

  /// Returns whether a database source of the settings delivers a kind of input.
  private func isSource(_ kind: String) -> Bool { settings.sources.contains { $0.kind.rawValue == kind } }

  private func apple(_ progress: Progress) -> [Step] {
    let hasKey = settings.apps.contains { $0.api?.keyFile != nil }
    let key = Step(
      name: "API key", missing: "without one, no history and no missed notification is fetched",
      next: "set apps.api to a key of App Store Connect (issuer_id, key_id, key_file); payrecon doctor checks it")
    let files = "put notification bodies or signed transactions into the inbox, one per line"
    let evidence = Step(
      name: "Apple evidence", missing: "none was read", next: hasKey ? "payrecon collect notifications, or \(files)" : files)
    return (hasKey || settings.apps.isEmpty ? [] : [key]) + (progress.kinds.contains(InputKind.apple.rawValue) ? [] : [evidence])
  }

  private func nights(_ progress: Progress) -> [Step] {
    let first = Step(name: "first night", missing: "none ended yet", next: "payrecon nightly --out reports")
    let schedule = Step(
      name: "schedule", missing: "no night was started by run-due, or on a second day",
      next: "a line of cron, 15 3 * * * payrecon nightly, or payrecon run-due --jobs FOLDER each minute")
    let alert = Step(
      name: "alert destination", missing: "a night sends its verdict to nobody", next: "set alerts.email or alerts.webhook in the settings")
    let hasAlert = settings.alerts.email != nil || settings.alerts.webhook != nil
    return (progress.nightCount == 0 ? [first] : []) + [schedule] + (hasAlert ? [] : [alert])
  }
}

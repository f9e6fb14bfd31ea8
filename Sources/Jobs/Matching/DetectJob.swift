public import Domain
internal import Postgres

/// Runs the break classes: each is one SQL file that adds its findings, and one merge tells new from persisting.
public struct DetectJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Finds all differences anew and records what opened, changed, reopened or resolved, in one transaction.
  func run(runID: String, isDryRun: Bool, on session: Session) async throws -> DetectOutcome {
    let context = context
    return try await session.deciding(isDryRun: isDryRun) { tx in
      let detection = Detection(context: context)
      try detection.prepare(&tx)
      try detection.find(&tx)
      let changed = try detection.record(&tx, runID: runID)
      var outcome = try detection.outcome(&tx, changedCount: changed, keepsRows: isDryRun)
      outcome.liveSignalCount = try RuleRun(context: context).run(&tx, runID: runID).liveCount
      return outcome
    }
  }
}

/// What a detect run found.
public struct DetectOutcome: Sendable {
  /// An event that a dry run would have recorded.
  public struct Change: Sendable {
    public var breakID: String
    public var breakClass: String
    public var isOpen: Bool
    public var orderID: String?
    public var chargeID: String?
    public var detail: String
  }
  public var changedCount: Int
  /// Open breaks by severity.
  public var openCounts: [Severity: Int]
  public var pendingCount: Int
  /// Suspicions of live rules that are open.
  public var liveSignalCount = 0
  /// Changed rows; empty unless the run was dry.
  public var changes: [Change]

  public static let changesMax = 100_000

  /// Verdict of breaks and signals; a suspicion is never more than a warning.
  public func verdict(failAt: Severity) -> Verdict {
    if openCounts.contains(where: { $0.key >= failAt && $0.value > 0 }) { return .breaks }
    if liveSignalCount > 0 || openCounts.values.contains(where: { $0 > 0 }) { return .warnings }
    return pendingCount > 0 ? .pending : .clean
  }
}

/// One detection inside a transaction.
private struct Detection {
  let context: JobContext

  func file(_ name: String) throws -> SQLFile { try context.sql("detect/\(name).sql") }

  func prepare(_ tx: inout Transaction) throws {
    try tx.execute("set local enable_nestloop = off; set local work_mem = '256MB'")
    try tx.execute(context.sql.text("detect/00_work_tables.sql"))
    _ = try tx.copyIn(
      "copy allowed_sandbox (bundle_id, user_id, allowed_from, allowed_to) from stdin (format binary)"
    ) { writer in
      for app in context.settings.apps {
        for window in app.sandboxWindows { try window.write(to: &writer, bundleID: app.bundleID) }
      }
    }
    _ = try tx.run(file("04_allowed_testers"))
    _ = try tx.run(file("01_pairs"))
    _ = try tx.run(file("02_open_charges"))
    _ = try tx.run(file("03_open_orders"))
    try tx.execute("analyze detect_pair; analyze detect_open_charge; analyze detect_open_order; analyze allowed_sandbox")
  }

  /// Every class file of the folder: those whose name begins with a letter.
  func find(_ tx: inout Transaction) throws {
    let known: [String: Value] = [
      "grace": interval(seconds: context.settings.breaks.graceSeconds),
      "skew": interval(seconds: context.settings.match.clockSkewSeconds),
      "as_of": context.asOfValue,
    ]
    for path in context.sql.paths.sorted() where Self.isClassFile(path) {
      let statement = try context.sql(path)
      let parameters = known.filter { statement.parameterNames.contains($0.key) }
      _ = try tx.run(statement, parameters)
    }
  }

  private static func isClassFile(_ path: String) -> Bool {
    guard path.hasPrefix("detect/"), let first = path.dropFirst("detect/".count).first else { return false }
    return first.isLetter
  }

  func record(_ tx: inout Transaction, runID: String) throws -> Int {
    let stamp: [String: Value] = ["run_id": .text(runID), "as_of": context.asOfValue]
    _ = try tx.run(file("90_judged"), ["as_of": context.asOfValue])
    _ = try tx.run(file("91_latest_events"))
    let changed = try tx.run(file("92_changes"), stamp)
    _ = try tx.run(file("93_end_pending"), ["as_of": context.asOfValue])
    _ = try tx.run(file("94_begin_pending"), ["as_of": context.asOfValue])
    _ = try tx.run(file("95_detection"), stamp)
    return changed
  }

  func outcome(_ tx: inout Transaction, changedCount: Int, keepsRows: Bool) throws -> DetectOutcome {
    var outcome = DetectOutcome(changedCount: changedCount, openCounts: [:], pendingCount: 0, changes: [])
    let counts = try tx.rows(context.sql("runs/break_counts.sql")) { row throws(PostgresError) in
      (try row.text(), try row.int8())
    }
    for (name, count) in counts {
      if let severity = Severity(rawValue: name) { outcome.openCounts[severity] = Int(count) }
      if name == "pending" { outcome.pendingCount = Int(count) }
    }
    guard keepsRows else { return outcome }
    outcome.changes = try tx.rows(
      file("96_changed_rows"), ["as_of": context.asOfValue, "row_max": .int8(Int64(DetectOutcome.changesMax))]
    ) { row throws(PostgresError) in
      DetectOutcome.Change(
        breakID: try row.text(), breakClass: try row.text(), isOpen: try row.bool(),
        orderID: try row.optionalText(), chargeID: try row.optionalText(), detail: try row.text())
    }
    return outcome
  }
}

/// A span in which one user may hold live goods from a sandbox purchase.
private struct SandboxWindow {
  var userID: String
  var from: Int64
  var to: Int64

  func write(to writer: inout CopyWriter, bundleID: String) throws {
    try writer.beginRow(columns: 4)
    try writer.text(bundleID)
    try writer.text(userID)
    try writer.timestamptz(microseconds: from)
    try writer.timestamptz(microseconds: to)
  }
}

extension AppSettings {
  /// Bounds that no business instant passes: the years 1900 and 2400.
  fileprivate static let ever = (from: Int64(-2_208_988_800_000_000), to: Int64(13_569_465_600_000_000))

  fileprivate var sandboxWindows: [SandboxWindow] {
    let always = testers.map { SandboxWindow(userID: $0, from: Self.ever.from, to: Self.ever.to) }
    let reviews = reviewWindows.flatMap { window in
      (window.users.isEmpty ? [""] : window.users).map {
        SandboxWindow(userID: $0, from: window.from.microseconds, to: window.to.microseconds)
      }
    }
    return always + reviews
  }
}

public import Domain
internal import Glibc
public import JobCore
internal import Matching
internal import Postgres
internal import Review
internal import Wording

/// Checks of the database that a night needs.
public struct DoctorJob: Sendable {
  /// Largest accepted difference between the clocks of this machine and the server, in seconds.
  private static let clockSecondsMax: Int64 = 60

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  private static let checks = [
    "database", "clock", "privileges", "write access to the database", "inputs", "signatures", "decisions",
    "dead letters", "high-degree keys", "runs", "webhooks", "four eyes", "settings change", "rules", "last night", "statements",
  ]

  /// Returns the findings for a database that cannot be queried, or that unreadable settings leave unknown.
  ///
  /// - Parameters:
  ///   - isNew: whether there is no database yet, so that nothing else can be wrong with it.
  ///   - cure: the cure for the database; nil for that of a server that does not answer.
  public static func unreachable(
    _ reason: String, settingsFault: String? = nil, isNew: Bool = false, cure: String? = nil
  ) -> [DoctorFinding] {
    guard settingsFault == nil else { return checks.map(DoctorFinding.unchecked) }
    guard !isNew else { return [.fault("database", reason, cure: "payrecon init makes one, and so does the first night")] }
    let usual = "payrecon database status and start for the private one, PAYRECON_DATABASE_URL for another; payrecon init makes one"
    return [.fault("database", reason, cure: cure ?? usual)]
      + checks.filter { $0 != "database" }.map { .fault($0, "not checked: the database cannot be asked", cure: "see database") }
  }

  /// - Parameter now: this machine's clock.
  public func run(now: Timestamp) async throws -> [DoctorFinding] {
    return try await context.withSession { session in
      var findings = try await session.transaction(.readOnlySnapshot) { tx in
        func rows(_ file: Listing, _ parameters: [String: Value] = [:]) throws -> [ReportRecord] {
          try ReportTable.read(file, parameters, files: context.sql, tx: &tx).records
        }
        let database = try rows(DoctorSQL.database).first
        var findings = try Self.database(database, now: now)
        findings.append(privileges())
        findings.append(
          try database?["is_in_recovery"] == "t" ? Self.recovery : Self.writeAccess(try rows(DoctorSQL.writeAccess)))
        let night = try rows(DoctorSQL.lastNight).first
        let inputs = try InputState.all(asOf: context.asOf, in: context, &tx)
        let inputsAtNightClock = try nightClock(night).map { try InputState.all(asOf: $0, in: context, &tx) } ?? inputs
        findings += zip(inputs, inputsAtNightClock).map { Self.input($0, atNightClock: $1) }
        findings.append(
          try Self.signatures(
            try rows(DoctorSQL.signatures, ["as_of": context.asOfValue]).first,
            areUnaccepted: inputs.contains { $0.kind == InputKind.apple.rawValue && $0.isUnaccepted }))
        findings.append(Self.decisions(try tx.rows(context.sql(RunsSQL.lastDecided)).first, now: now))
        let parked = try tx.rows(context.sql(RunsSQL.openParked), ["as_of": context.asOfValue])
        findings.append(Self.parkedItems(parked.first ?? 0))
        findings.append(Self.highDegreeKeys(try HighDegreeKey.heaviest(in: context, &tx)))
        findings += Self.nodes(try tx.rows(context.sql(DoctorSQL.nodes)).first)
        findings += try Self.runs(try rows(DoctorSQL.unfinishedRuns))
        let states = try WebhookJob.states(in: context, &tx).records
        findings.append(try Self.webhooks(WebhookJob(context: context).receivers, sent: rows(DoctorSQL.webhooks).first, states: states))
        return findings
      }
      let eyes = try await DatabaseAccountJob(context: context).fourEyes()
      findings.append(eyes.isEnforceable ? .fine("four eyes", eyes.text) : .note("four eyes", eyes.text))
      findings.append(try await settingsChange(on: session))
      findings.append(rules())
      findings.append(try Self.lastNight(try await context.records(DoctorSQL.lastNight, on: session).first))
      findings.append(await statements(on: session))
      return findings
    }
  }

  /// The short lock timeout keeps the check from blocking a running job, and the reverse.
  private func statements(on session: Session) async -> DoctorFinding {
    let files = context.sql
    do {
      let refused = try await session.transaction { tx in
        tx.send("set local lock_timeout = '1s'")
        return try StatementCheck(files: files, declared: SQLStatements.all(in: files)).run(&tx)
      }
      guard let first = refused.first else { return .fine("statements", "every SQL file fits the database") }
      return .fault(
        "statements", "\(refused.count) SQL files do not fit the database, the first being \(first)",
        cure: "put the SQL files that came with this payrecon into the folder it reads (PAYRECON_SQL_DIR)")
    } catch {
      return .note("statements", "not checked: \(error)")
    }
  }

  private static func database(_ row: ReportRecord?, now: Timestamp) throws -> [DoctorFinding] {
    guard let row else { return [] }
    let difference = try row["clock"].flatMap(Timestamp.init(rfc3339:)).map { ($0.microseconds - now.microseconds) / 1_000_000 } ?? 0
    return try [
      .fine(
        "database",
        "\"\(row.text("name"))\" answers and is migrated, PostgreSQL \(row.text("version")), \(row.text("size"))"),
      difference.magnitude <= clockSecondsMax
        ? .fine("clock", "the server's and this machine's agree")
        : .fault(
          "clock", "the server's is \(difference) s away from this machine's", cure: "let both follow a time server (NTP)"),
    ]
  }

  private func privileges() -> DoctorFinding {
    let missing = context.missingRoles.map(\.rawValue).sorted().joined(separator: ", ")
    guard context.connection.role != nil, context.missingRoles.isEmpty else {
      return .fault(
        "privileges",
        "the login may not act as \(missing.isEmpty ? "payrecon_jobs" : missing), so its own rights apply",
        cure: "have an administrator make these roles, grant them to the login, and call payrecon.grant_roles()")
    }
    return .fine(
      "privileges",
      "jobs, reports, reviews and erasures act as roles of their own; none can change evidence or the audit chain")
  }

  private static var recovery: DoctorFinding {
    var finding = DoctorFinding.fault(
      "write access to the database", "the server is in recovery and writes nothing",
      cure: "try again once its recovery has ended; a standby never ends it: name the primary in PAYRECON_DATABASE_URL")
    finding.isTemporary = true
    return finding
  }

  private static func writeAccess(_ rows: [ReportRecord]) throws -> DoctorFinding {
    let missing = try rows.map { try "\($0.text("privilege")) on \($0.text("name"))" }
    guard missing.isEmpty else {
      return .fault(
        "write access to the database", "jobs may not: \(missing.joined(separator: ", "))",
        cure: "have the owner of the schema call payrecon.grant_roles(); see that the server is no standby")
    }
    return .fine("write access to the database", "jobs may add facts, runs and reports")
  }

  /// Lag behind this machine's clock from which nights count as run in the past, in seconds.
  private static let lagSecondsMin: Int64 = 86_400

  /// Returns this machine's clock minus the lag of the last night, for an installation that runs nights as of the past.
  /// Returns nil if nights run as of now, or if a clock is given.
  private func nightClock(_ night: ReportRecord?) throws -> Timestamp? {
    guard !context.isClockGiven, let night else { return nil }
    let lagSeconds = try Int64(clamping: night.int("lag_seconds"))
    return lagSeconds < Self.lagSecondsMin ? nil : context.asOf.advanced(bySeconds: -lagSeconds)
  }

  /// - Parameter past: the state of the input at the clock of nights that are run as of the past.
  private static func input(_ state: InputState, atNightClock past: InputState) -> DoctorFinding {
    guard !state.isFresh else { return .fine("\(state.kind) input", "\(state.reason)") }
    guard !past.isFresh else {
      return .note(
        "\(state.kind) input",
        "\(state.reason); nights here are run as of the past, and by the clock of the last one it is in time: \(past.reason)")
    }
    let delivery = "look at the job that delivers it; what is allowed stands under inputs.\(state.kind) in the settings"
    let isApple = state.kind == InputKind.apple.rawValue
    let parked = "payrecon deadletter list says why; have the rows sent again, or retry them"
    let cure = !state.isUnaccepted ? delivery : isApple ? trustCure : parked
    return .fault("\(state.kind) input", "\(state.reason)", cure: cure)
  }

  /// Remedy if no signature verifies.
  private static let trustCure =
    "compare the roots above with those of the environment the items come from (PAYRECON_APPLE_ROOTS), and the bundle ids in the items "
    + "with apps in the settings; then start the night again: it re-evaluates them"

  private static func signatures(_ row: ReportRecord?, areUnaccepted: Bool) throws -> DoctorFinding {
    let (proven, refuted) = try (row?.int("proven_count") ?? 0, row?.int("refuted_count") ?? 0)
    let text = "\(proven) records of the last 7 days proven, \(refuted) items refuted"
    if areUnaccepted {
      let since = "(next to) nothing of what came since the last complete night is taken as genuine and ours"
      return .fault("signatures", "\(text): \(since)", cure: trustCure)
    }
    guard refuted > 0, proven == 0 else { return .fine("signatures", text) }
    return .fault("signatures", "\(text): nothing at all is taken as genuine", cure: trustCure)
  }

  private static func decisions(_ last: (runID: String, asOf: String)?, now: Timestamp) -> DoctorFinding {
    guard let last, let asOf = Timestamp(rfc3339: last.asOf) else { return .fine("decisions", "none was made yet") }
    let text = "the last were made as of \(asOf.rfc3339) in \(last.runID)"
    guard asOf > now else { return .fine("decisions", text) }
    return .fault(
      "decisions", "\(text), which lies ahead: until then nights decide nothing",
      cure: "restore the backup from before that run, or go on with --as-of \(asOf.rfc3339) --future")
  }

  private static func parkedItems(_ count: Int64) -> DoctorFinding {
    guard count > 0 else { return .fine("dead letters", "none") }
    return .fault(
      "dead letters", "\(count) parked items wait", cure: "payrecon deadletter list, then retry or discard")
  }

  private static func highDegreeKeys(_ keys: [HighDegreeKey]) -> DoctorFinding {
    guard !keys.isEmpty else { return .fine("high-degree keys", "no user, token or device is known to connect too much for a night") }
    let named = keys.map { "\($0.kind) \"\($0.key)\" (\($0.count) orders or subscriptions)" }.joined(separator: ", ")
    return .note(
      "high-degree keys",
      "a night with a change of one of them reads everything that it connects: \(named); "
        + "give each person an id instead of one for all guests")
  }

  /// Reports the nodes of a distributed database; nothing for a single node.
  private static func nodes(_ distribution: (Bool, String?)?) -> [DoctorFinding] {
    guard let (isDistributed, names) = distribution, isDistributed else { return [] }
    guard let names else { return [.fine("nodes", "each keeps what it committed, should it be killed")] }
    return [
      .fault(
        "nodes",
        "\(names) would lose what it committed, should it be killed, and the others keep: "
          + "synchronous_commit is off there or it does not answer",
        cure: "have an administrator say there: alter system set synchronous_commit = on; then: select pg_reload_conf()")
    ]
  }

  private static func runs(_ rows: [ReportRecord]) throws -> [DoctorFinding] {
    guard !rows.isEmpty else { return [.fine("runs", "none is under way, none died without a successor")] }
    return try rows.map { row in
      let place = try row["host"].map { try " on host \($0), process \(row.text("process"))" } ?? ""
      let text = try "\(row.text("run_id")) attempt \(row.text("attempt"))\(place), began \(row.text("started_at"))"
      guard try row.text("is_alive") != "t" else { return .fine("runs", "\(text), is under way") }
      return try .fault(
        "runs", "\(text), and died: it has no verdict and no session", cure: "start \(row.text("job")) again; it goes on where it stopped")
    }
  }

  private func settingsChange(on session: Session) async throws -> DoctorFinding {
    guard let difference = try await SettingsChange(context: context).sinceLastNight(on: session, amongAll: true) else {
      return .fine("settings change", "none since the last complete night, or there was none")
    }
    return .note("settings change", difference.lines.map(\.english).joined(separator: "; "))
  }

  private func rules() -> DoctorFinding {
    let lines = context.settings.rules.unapproved
    guard !lines.isEmpty else { return .fine("rules", "live ones are as they ship, or as two people set them") }
    return .note("rules", lines.joined(separator: "; "))
  }

  private static func lastNight(_ row: ReportRecord?) throws -> DoctorFinding {
    guard let row else { return .fine("last night", "none has run yet") }
    let text = try "\(row.text("run_id")) as of \(row.text("as_of")): \(row["verdict"] ?? "has not ended")"
    guard let verdict = try row["verdict"].flatMap(Verdict.init(rawValue:)), verdict >= .incomplete else {
      return .fine("last night", text)
    }
    return try .fault(
      "last night", text + (row["message"].map { ", \($0)" } ?? ""),
      cure: "mend what it says, then start nightly again with --as-of \(row.text("as_of"))")
  }
}

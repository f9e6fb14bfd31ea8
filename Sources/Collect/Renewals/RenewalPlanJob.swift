internal import Domain
public import JobCore
package import Postgres

/// Freezes the subscriptions that renew on a business day, with their expected outcomes.
public struct RenewalPlanJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// The plan of one app's day.
  public struct Plan: Sendable {
    public var bundleID: String
    /// `YYYY-MM-DD` in the app's time zone.
    public var day: String
    public var memberCount: Int
    /// Number of expected renewals; nil when the plan was frozen before.
    public var forecastCount: Int?
  }

  /// Minimum number of members in earlier cohorts for a forecast of a cell.
  static let historyMin: Int64 = 20

  /// Plans one day of each app; an existing plan is kept.
  ///
  /// - Parameter day: local date of the apps; nil means the day after the clock in each app's time zone.
  /// - Throws: `JobError` with status 64 for a past day.
  public func run(day: String?) async throws -> [Plan] {
    if let day, CivilDate(day) == nil {
      throw JobError("could not plan: \"\(day)\" is not a date such as 2026-05-01", status: .usage)
    }
    guard !context.settings.apps.isEmpty else {
      throw JobError(
        "could not plan renewals: the settings name no app", hint: "Add it under \"apps\" in the settings file.",
        status: .usage)
    }
    return try await context.withRun(job: "renewals-plan", lock: .renewals) { ledgered, session in
      let plans = try await run(day: day, runID: ledgered.runID, on: session)
      let members = plans.reduce(0) { $0 + $1.memberCount }
      return RunResult(plans, .clean, counts: [("plans", Int64(plans.count)), ("members", Int64(members))])
    }
  }

  /// Plans as part of an existing run.
  package func run(day: String?, runID: String, on session: Session) async throws -> [Plan] {
    var plans: [Plan] = []
    for app in context.settings.apps.sorted(by: { $0.bundleID < $1.bundleID }) {
      plans.append(try await plan(app, day: day, runID: runID, on: session))
    }
    try await RenewalQueue(context: context, session: session, now: context.asOf).refresh()
    return plans
  }

  private func plan(_ app: AppSettings, day: String?, runID: String, on session: Session) async throws -> Plan {
    let sql = context.sql
    let appParameters: [String: Value] = ["bundle_id": .text(app.bundleID), "time_zone": .text(app.timeZone)]
    return try await session.retrying { tx in
      let wanted = appParameters.merging(["day": .text(day ?? ""), "as_of": context.asOfValue]) { $1 }
      let found = try tx.rows(sql(RenewalsSQL.findPlan), wanted).first
      guard let (day, isOver, memberCount) = found else {
        throw JobError("could not find the day to plan of \"\(app.bundleID)\"")
      }
      if let memberCount {
        return Plan(bundleID: app.bundleID, day: day, memberCount: Int(memberCount), forecastCount: nil)
      }
      guard !isOver else {
        throw JobError(
          "could not plan \(day) of \"\(app.bundleID)\": the day is over at \(context.asOf.rfc3339)",
          hint: "A plan is made before its day ends: name a later --day, or an --as-of before it.", status: .usage)
      }
      let frozen = appParameters.merging(["day": .text(day), "as_of": context.asOfValue]) { $1 }
      try tx.send(sql(RenewalsSQL.freezeMembers), frozen)
      try tx.send(
        sql(RenewalsSQL.freezeForecast),
        ["bundle_id": .text(app.bundleID), "day": .text(day), "as_of": context.asOfValue, "history_min": .int8(Self.historyMin)])
      let counts: (Int64, Int64) = try tx.rows(sql(RenewalsSQL.freezePlan), frozen.merging(["run_id": .text(runID)]) { $1 }).first ?? (0, 0)
      return Plan(bundleID: app.bundleID, day: day, memberCount: Int(counts.0), forecastCount: Int(counts.1))
    }
  }
}

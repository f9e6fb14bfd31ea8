internal import Domain
public import JobCore
internal import Logging
internal import Postgres

/// A job that tries a rule with other parameters at the clocks of the last complete nights, on the facts known at each clock. Each trial
/// of a night is a transaction that is rolled back.
public struct RuleBackTest: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// A trial that a user requested.
  private struct Due: Sendable {
    var id: String
    var rule: String
    var parameters: String
    var nightMax: Int32
    var asOf: Timestamp
  }

  /// Runs the unfinished trials, one after another.
  ///
  /// - Parameter trialID: the only trial to run; nil for all.
  /// - Returns: the number of finished trials.
  /// - Throws: `JobError` with status 4 while another process runs trials.
  @discardableResult
  public func workDue(_ trialID: String? = nil) async throws -> Int {
    try await context.withSession { session in
      try await JobLock.trials.take(on: session, in: context)
      let due = try await due(trialID, on: session)
      for trial in due { try await work(trial, on: session) }
      return due.count
    }
  }

  private func due(_ trialID: String?, on session: Session) async throws -> [Due] {
    try await context.rows(RuleChangesSQL.due, ["trial_id": .text(trialID ?? "")], on: session).map {
      Due(id: $0, rule: $1, parameters: $2, nightMax: $3, asOf: Timestamp(rfc3339: $4) ?? context.asOf)
    }
  }

  private func work(_ trial: Due, on session: Session) async throws {
    var sum = Sum()
    do {
      guard let parameters = context.settings.rules.reading(trial.parameters, of: trial.rule) else {
        throw TrialFault(description: "rule \(trial.rule) has no such parameters in this payrecon")
      }
      let sql = context.sql
      try await session.transaction { tx in
        try tx.send(sql(RuleChangesSQL.forgetNights), ["trial_id": .text(trial.id)])
      }
      for night in try await nights(of: trial, on: session) {
        let found = try await trialSignals(trial.rule, parameters, at: night.asOf, on: session)
        try await keep(sum.add(found), at: night, of: trial, on: session)
        context.log.info("night tried", metadata: ["rule": "\(trial.rule)", "night": "\(night.runID)"])
      }
      try await end(trial, sum, fault: nil, on: session)
    } catch let fault as TrialFault {
      try await end(trial, Sum(), fault: fault.description, on: session)
    } catch PostgresError.server(let error) where error.sqlState.code.hasPrefix("22") {
      // Another attempt would fail in the same way. One cause is a number too large for the rule.
      try await end(trial, Sum(), fault: error.message, on: session)
    }
  }

  private struct Night: Sendable {
    var runID: String
    var asOf: Timestamp
  }

  private func nights(of trial: Due, on session: Session) async throws -> [Night] {
    let parameters: [String: Value] = ["as_of": trial.asOf.sqlValue, "night_max": .int4(trial.nightMax)]
    return try await context.rows(RuleChangesSQL.nights, parameters, on: session).map {
      Night(runID: $0, asOf: Timestamp(rfc3339: $1) ?? trial.asOf)
    }
  }

  /// Returns the signals of the rule at a clock, on the facts known at that clock.
  private func trialSignals(
    _ rule: String, _ parameters: [String: RuleParameter], at clock: Timestamp, on session: Session
  ) async throws -> [TrialSignal] {
    let nightContext = context.withGivenClock(clock).withSettings { settings in
      settings.rules.set(rule) {
        $0.state = .live
        $0.parameters = parameters
      }
    }
    let found = try await session.deciding(isDryRun: true) { tx in
      try tx.lookBack(to: clock, files: nightContext.sql)
      try RuleRun(context: nightContext, only: [rule]).judge(&tx)
      let wanted: [String: Value] = ["rule": .text(rule), "row_max": .int8(Int64(RuleRun.foundMax + 1))]
      return try tx.rows(nightContext.sql(RulesSQL.trialSignals), wanted).map {
        TrialSignal(signalID: $0, caseID: $1, isFound: $2, isStanding: $3)
      }
    }
    guard found.count <= RuleRun.foundMax else {
      throw TrialFault(description: "more than \(RuleRun.foundMax) signals at \(clock.rfc3339)")
    }
    return found
  }

  private func keep(_ counts: Counts, at night: Night, of trial: Due, on session: Session) async throws {
    let sql = context.sql
    let parameters: [String: Value] = [
      "trial_id": .text(trial.id), "run_id": .text(night.runID), "night": night.asOf.sqlValue,
      "signals": .int8(counts.signals), "new": .int8(counts.new), "gone": .int8(counts.gone), "cases": .int8(counts.cases),
    ]
    try await session.transaction { tx in try tx.send(sql(RuleChangesSQL.keepNight), parameters) }
  }

  private func end(_ trial: Due, _ sum: Sum, fault: String?, on session: Session) async throws {
    let context = context
    let counts = sum.counts
    let parameters: [String: Value] = [
      "trial_id": .text(trial.id), "outcome": .text(fault == nil ? "finished" : "failed"),
      "fault": fault.map(Value.text) ?? .null, "code_version": .text(context.codeVersion),
      "as_of": trial.asOf.sqlValue, "nights": .int4(Int32(sum.nightCount)),
      "signals": .int8(counts.signals), "new": .int8(counts.new), "gone": .int8(counts.gone),
      "case_ids": .textArray(sum.cases.sorted()),
    ]
    let entry = AuditEntry(
      actor: "rules", act: .ruleTried, subject: trial.rule,
      details: [
        .text("trial", trial.id), .text("parameters", trial.parameters), .text("outcome", fault == nil ? "finished" : "failed"),
        .number("nights", Int64(sum.nightCount)), .number("cases", counts.cases),
      ])
    try await session.retrying { tx in
      guard try tx.run(context.sql(RuleChangesSQL.end), parameters) == 1 else { return }
      try tx.audit(entry, in: context)
    }
  }
}

/// The reason why a trial can never finish.
private struct TrialFault: Error, CustomStringConvertible { var description: String }

/// A signal that the trial finds, or a recorded one that it does not find.
private struct TrialSignal: Sendable {
  var signalID: String
  var caseID: String
  var isFound: Bool
  var isStanding: Bool
}

private struct Counts {
  var signals: Int64
  var new: Int64
  var gone: Int64
  var cases: Int64
}

/// The result of all nights of a trial. Each signal and each case counts once.
private struct Sum {
  var nightCount = 0
  var cases: Set<String> = []
  private var found: Set<ByteText> = []
  private var standing: Set<ByteText> = []

  var counts: Counts {
    Counts(
      signals: Int64(found.count), new: Int64(found.subtracting(standing).count), gone: Int64(standing.subtracting(found).count),
      cases: Int64(cases.count))
  }

  /// Adds the signals of a night.
  ///
  /// - Returns: the counts of the night alone.
  mutating func add(_ night: [TrialSignal]) -> Counts {
    nightCount += 1
    let ofNight = night.filter(\.isFound)
    let casesOfNight = Set(ofNight.map(\.caseID))
    found.formUnion(ofNight.map { ByteText($0.signalID) })
    standing.formUnion(night.filter(\.isStanding).map { ByteText($0.signalID) })
    cases.formUnion(casesOfNight)
    return Counts(
      signals: Int64(ofNight.count), new: Int64(ofNight.count { !$0.isStanding }), gone: Int64(night.count - ofNight.count),
      cases: Int64(casesOfNight.count))
  }
}

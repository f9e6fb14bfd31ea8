internal import Domain
public import JobCore
internal import Postgres

/// A run of selected rules outside the night.
public struct RuleTrial: Sendable {
  let context: JobContext
  let rules: Set<String>
  let isShadow: Bool

  /// - Parameters:
  ///   - rules: names such as `R01`.
  ///   - isShadow: whether signals are recorded as shadows regardless of the settings.
  /// - Throws: `JobError` naming a rule that does not exist.
  public init(context: JobContext, rules: [String], isShadow: Bool) throws {
    let known = context.settings.rules.catalogue.map(\.name).sorted()
    for name in rules where !known.contains(name) {
      throw JobError(
        "could not run rule \"\(name)\": there is none of that name",
        hint: "Rules are \(known.joined(separator: ", ")).", status: .usage)
    }
    self.context = context
    self.rules = Set(rules)
    self.isShadow = isShadow
  }

  /// Runs the rules and records their signals unless the run is dry.
  public func run(isDryRun: Bool) async throws -> RuleOutcome {
    return try await context.withSession { session in
      try await JobLock.detect.take(on: session, in: context)
      let runID = context.runID(job: "rules")
      let rules = RuleRun(context: context, only: rules, isTrial: isShadow)
      return try await session.deciding(isDryRun: isDryRun) { tx in try rules.run(&tx, runID: runID) }
    }
  }
}

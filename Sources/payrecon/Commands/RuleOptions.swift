internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Matching

/// Options of `detect` that run selected rules only.
struct RuleOptions: ParsableArguments {
  @Option(help: "Runs these rules alone, such as R01,R04, and shows what they find.")
  var rules: String?

  @Flag(help: "With --rules: keeps what is found as shadows, whatever the settings say.")
  var shadow = false

  func validate() throws {
    if shadow, rules == nil { throw ValidationError("--shadow needs --rules") }
  }

  /// Runs the selected rules.
  ///
  /// - Returns: whether rules were selected.
  func run(context: JobContext, isDryRun: Bool) async throws -> Bool {
    guard let rules else { return false }
    let names = rules.split(separator: ",").map(String.init)
    let outcome = try await RuleTrial(context: context, rules: names, isShadow: shadow).run(isDryRun: isDryRun)
    Output.write(CSVLine.bytes(["rule", "subject_kind", "subject_id", "user_id", "score", "detail"]))
    for found in outcome.found {
      Output.write(CSVLine.bytes([found.rule, found.subjectKind, found.subjectID, found.userID, "\(found.score)", found.detail]))
    }
    return true
  }
}

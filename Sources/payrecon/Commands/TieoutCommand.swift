internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import Reports
internal import Wording

struct TieoutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tieout", abstract: "Proves our charges against Apple's financial reports, cell by cell, down to the bank line.",
    discussion: """
      A cell is one product in one storefront at one price on one day. Cells that are not equal are explained step by step; what \
      nothing explains stays a line of its own. Reads what payrecon ingest finance and bank read; see payrecon report tieout.
      """)

  @Option(help: "Fiscal period of settlement, such as 2026-P11.")
  var period: String?

  @Option(
    name: .customLong("provisional-day"),
    help: "A day, such as 2026-08-12, before its period closes: against SALES or SUBSCRIBER, labelled provisional, without breaks.")
  var provisionalDay: String?

  @OptionGroup var options: JobOptions

  func validate() throws {
    guard (period == nil) != (provisionalDay == nil) else {
      throw ValidationError("give either --period 2026-P11 or --provisional-day 2026-08-12")
    }
    if let day = provisionalDay, CivilDate(day) == nil {
      throw ValidationError("--provisional-day \"\(day)\" is not a day such as 2026-08-12")
    }
    if let period { try PeriodName.check(period, "--period") }
  }

  func run() async throws {
    let context = try await options.context(label: "tieout")
    try await Environment.requireSettings(for: "tieout", of: context)
    let outcome = try await TieoutJob(context: context).run(period: period ?? "D\(provisionalDay ?? "")")
    let label = period ?? "provisional \(provisionalDay ?? "")"
    for part in outcome.coverage { Output.write(line: "\(label) \(part.text)") }
    if !outcome.missing.isEmpty { Output.write(line: "\(label) \(outcome.missing.map(\.english).joined(separator: "; "))") }
    Output.write(line: "tieout: \(outcome.verdict.rawValue), \(outcome.breakText)")
    try ExitStatusError.check(outcome.verdict)
  }
}

internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import Reports

struct PeriodCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "period", abstract: "Lists Apple's fiscal periods: their bounds, what was read of each, how far it is tied out.",
    subcommands: [List.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists fiscal periods, from the first that a report was read of to the one of the clock.",
      discussion: """
        starts_at and ends_at are midnights of Apple's own zone (America/Los_Angeles); a period ends where the next one starts. \
        state: running, until it ends; over, while no FINANCIAL or FINANCE_DETAIL of it was read; reported, until payrecon \
        tieout; tied_out, then with the shares of its units that are proved, explained, unexplained and not yet settled. \
        is_settled: a report of each of the periods in which its sales may settle (finance.horizon_periods) was read, too, \
        though not of every region where Apple's report is read by region. \
        new_files: files of the period that were read since it was tied out; tie it out again. Nobody closes a period: reports \
        of a past instant stay as they were (--as-of).
        """)
    @OptionGroup var wanted: ListLimit
    @OptionGroup var form: ListFormat
    @OptionGroup var options: JobOptions

    func run() async throws {
      let context = try await options.context(label: "period", makes: false)
      try await PeriodList(context: context).stream(form.chosen, filter: wanted.filter) { try Output.tryWrite($0) }
    }
  }
}

/// Ties charges out against Apple's financial reports.
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
    if let day = provisionalDay, Timestamp(rfc3339: "\(day)T00:00:00Z") == nil {
      throw ValidationError("--provisional-day \"\(day)\" is not a day such as 2026-08-12")
    }
    guard let period else { return }
    let parts = period.split(separator: "-")
    let isPeriod = parts.count == 2 && parts[0].utf8.count == 4 && Int(parts[0]) != nil && parts[1].hasPrefix("P")
      && parts[1].dropFirst().utf8.count == 2 && (1...12).contains(Int(parts[1].dropFirst()) ?? 0)
    guard isPeriod else { throw ValidationError("--period \"\(period)\" is not a fiscal period such as 2026-P11") }
  }

  func run() async throws {
    let context = try await options.context(label: "tieout")
    try await Environment.requireSettings(for: "tieout", of: context)
    let outcome = try await TieoutJob(context: context).run(period: period ?? "D\(provisionalDay ?? "")")
    let label = period ?? "provisional \(provisionalDay ?? "")"
    for part in outcome.coverage { Output.write(line: "\(label) \(part.text)") }
    if let missing = outcome.missing { Output.write(line: "\(label) \(missing)") }
    Output.write(line: "tieout: \(outcome.verdict.rawValue), \(outcome.breakText)")
    if outcome.verdict.exitStatus != .clean { throw ExitStatusError(status: outcome.verdict.exitStatus) }
  }
}

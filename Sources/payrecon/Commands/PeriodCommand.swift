internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Postgres
internal import Reports

enum PeriodName {
  static func check(_ period: String, _ option: String) throws {
    guard period.wholeMatch(of: /[0-9]{4}-P(0[1-9]|1[0-2])/) != nil else {
      throw ValidationError("\(option) \"\(period)\" is not a fiscal period such as 2026-P11")
    }
  }
}

struct PeriodCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "period", abstract: "Lists Apple's fiscal periods, and closes or reopens them with two signatures.",
    subcommands: [List.self, Status.self, Close.self, Reopen.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "Lists fiscal periods, from the first that a report was read of to the one of the clock; with --limit the newest of them.",
      discussion: """
        starts_at and ends_at are midnights of Apple's own zone (America/Los_Angeles); a period ends where the next one starts. \
        state: running, until it ends; over, while no FINANCIAL or FINANCE_DETAIL of it was read; reported, until payrecon \
        tieout; tied_out, then with the shares of its units that are proved, explained, unexplained and not yet settled; closed, \
        with the shares that were signed. is_settled: a report of each of the periods in which its sales may settle \
        (finance.horizon_periods) was read, too, though not of every region where Apple's report is read by region. \
        new_files: files of the period that were read since that tie-out.
        """)
    @OptionGroup var list: ListOptions

    func run() async throws {
      try await list.write(TieoutSQL.periods, label: "period", lastBy: ["fiscal_period"]) { context in
        ["as_of": context.asOfValue, "horizon": .int8(context.settings.finance.horizonPeriods)]
      }
    }
  }

  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Lists who closed each period, what a close still needs, and what became known since.",
      discussion: """
        state: open, close_proposed, closed or reopen_proposed. obstacles: what a close as of this clock still needs. After a close: \
        tied_out_again_at, a later tie-out; new_files, later reports of the period; changed_charges, its charges and refunds \
        that became known or changed later. payrecon report restatement states the money. --replay writes the reports of a closed \
        period again and compares them with the signed hashes; exit status 1 when they differ.
        """)
    @Argument(help: "Fiscal period, such as 2026-P11 (default: all that were opened).") var period: String?
    @Flag(help: "Writes the signed reports of the period again and compares their hashes.") var replay = false
    @Option(help: "Folder for the reports of --replay, one subfolder each (default: none is kept).") var out: String?
    @OptionGroup var list: ListOptions

    func validate() throws {
      if let period { try PeriodName.check(period, "period") }
      guard !replay || period != nil else { throw ValidationError("--replay needs a period, such as 2026-P11") }
      guard out == nil || replay else { throw ValidationError("--out is for --replay") }
    }

    func run() async throws {
      let context = try await list.options.context(label: "period", createsCluster: false)
      guard replay, let period else {
        return try await PeriodStatus(context: context).stream(period, list.format, filter: list.filter) { try Output.tryWrite($0) }
      }
      let outcome = try await PeriodStatus(context: context).replay(period, out: out)
      for finding in outcome.findings { Output.write(line: "WRONG  \(finding)") }
      Output.write(
        line: "period: \(period) as of \(outcome.asOf.rfc3339), \(outcome.reportCount) reports, "
          + "\(outcome.findings.count) differ from what was signed")
      if !outcome.findings.isEmpty { throw ExitStatusError(status: .breaks) }
    }
  }

  struct Close: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "close", abstract: "Proposes to close a period; the same command by another account signs it.",
      discussion: """
        Both compute the reports coverage, daily, deferred, refunds and tieout as of --as-of; a signature needs equal bytes. The \
        hashes enter the audit chain. A close needs the coverage of finance.coverage_target, a tie-out of every report that was \
        read, and that every earlier period is closed or was never opened. From the clock of the signature on, reports show \
        the period as signed; payrecon report restatement lists what became known later.
        """)
    @OptionGroup var subject: PeriodArgument
    @Option(help: "Why (--reject and --withdraw need it).") var reason: String = ""
    @Option(help: "Folder for the signed reports, one subfolder each (default: none is kept).") var out: String?
    @Option(
      help: "Clock of the signature: reports of this clock and later show the close (default: now).", transform: Timestamp.option)
    var at: Timestamp?
    @OptionGroup var act: ActOptions

    func run() async throws {
      let (context, period) = (try await act.context(), subject.period)
      // Without --at the act is dated now, or as its reports if their clock is later.
      let closing = PeriodClosing(context: context.withClock(at ?? max(WallClock.now(), context.asOf)))
      if try await act.endsProposal(of: period, by: closing, reason) { return }
      try await Environment.requireSettings(for: "period close", of: context)
      let outcome = try await closing.close(period, asOf: context.asOf, by: act.person, reason: reason, out: out)
      for report in outcome.reports { Output.write(line: report) }
      Output.write(
        line: outcome.isProposal
          ? "period: close of \(period) proposed; another account signs it with --as-of \(context.asOf.rfc3339)"
          : "period: \(period) closed as of \(context.asOf.rfc3339)")
    }
  }

  struct Reopen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reopen", abstract: "Proposes to reopen a closed period; the same command by another account signs it.",
      discussion: "The signed hashes stay in the audit chain. Later closed periods are reopened first.")
    @OptionGroup var subject: PeriodArgument
    @Option(help: "Why.") var reason: String
    @OptionGroup var act: ActOptions

    func run() async throws {
      let (closing, period) = (PeriodClosing(context: try await act.context()), subject.period)
      if try await act.endsProposal(of: period, by: closing, reason) { return }
      let outcome = try await closing.reopen(period, by: act.person, reason: reason)
      Output.write(
        line: outcome.isProposal
          ? "period: reopening of \(period) proposed; another account signs it with the same command" : "period: \(period) reopened")
    }
  }

  struct PeriodArgument: ParsableArguments {
    @Argument(help: "Fiscal period, such as 2026-P11.") var period: String

    func validate() throws { try PeriodName.check(period, "period") }
  }

  /// The options of a close and of a reopening, with the flags that end a proposal without a signature.
  struct ActOptions: ParsableArguments {
    @Flag(help: "Rejects the proposal of another account for the period.") var reject = false
    @Flag(help: "Withdraws the proposal of this account for the period.") var withdraw = false
    @OptionGroup var acting: ActingOptions

    func validate() throws {
      if reject && withdraw { throw ValidationError("give either --reject or --withdraw") }
    }

    var person: Person { acting.person }

    func context() async throws -> JobContext { try await acting.options.context(label: "period", createsCluster: false) }

    /// Ends the proposal if a flag says so, and returns whether one did.
    func endsProposal(of period: String, by closing: PeriodClosing, _ reason: String) async throws -> Bool {
      guard reject || withdraw else { return false }
      try await closing.end(period, reject ? .rejected : .withdrawn, by: person, reason: reason)
      Output.write(line: "period: proposal for \(period) \(reject ? "rejected" : "withdrawn")")
      return true
    }
  }
}

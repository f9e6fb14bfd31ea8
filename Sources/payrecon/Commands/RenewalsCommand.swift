internal import ArgumentParser
internal import Collect
internal import CommandSupport
internal import Domain
internal import Glibc
internal import JobCore
internal import Logging

struct RenewalsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "renewals",
    abstract: "Plans who falls due, asks Apple around each end, and settles what became of it.",
    subcommands: [Plan.self, Poll.self, Settle.self])

  struct Plan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "plan", abstract: "Freezes the cohort of a business day with its forecast; a day that has a plan keeps it.")

    @Option(help: "Day to plan, YYYY-MM-DD in each app's time zone (default: the day after the clock).")
    var day: String?

    @OptionGroup var options: JobOptions

    func run() async throws {
      let context = try await options.context(label: "renewals plan")
      try await Environment.requireSettings(for: "renewals plan", of: context)
      try await context.requireNewestClock()
      for plan in try await RenewalPlanJob(context: context).run(day: day) {
        let forecast = plan.forecastCount.map { "\($0) renewals expected" } ?? "frozen before"
        Output.write(line: "plan \(plan.day) \(plan.bundleID): \(plan.memberCount) due, \(forecast)")
      }
    }
  }

  struct Poll: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "poll", abstract: "Asks Apple about the subscriptions whose appointments are due, the most money first.",
      discussion: "May run in several processes at once: they share the work and ask nobody twice.")

    @Option(help: "Most questions to ask (default: all that are due).")
    var limit: Int?

    @Option(help: "Keep appointments now that open before the clock and are due within this span, such as 24h.")
    var ahead: String?

    @Option(help: "How long an appointment is held by a worker that does not come back, such as 15m.")
    var lease: String = "15m"

    @Option(help: "Questions on their way to Apple at once, 1 to 8.")
    var inFlight: Int = RenewalPollJob.Options.inFlightMax

    @Option(help: "Name of this worker; default: host and process.")
    var worker: String?

    @Option(help: "Ask about this original transaction id only, now, in whichever App Store it is of.")
    var subscription: String?

    @OptionGroup var options: JobOptions

    func run() async throws {
      var poll = RenewalPollJob.Options()
      poll.limit = limit
      poll.aheadSeconds = try Self.seconds(ahead ?? "0s", of: "--ahead")
      poll.leaseSeconds = try Self.seconds(lease, of: "--lease")
      guard limit.map({ $0 > 0 }) ?? true else { throw ValidationError("--limit must be 1 or more") }
      guard (1...RenewalPollJob.Options.inFlightMax).contains(inFlight) else {
        throw ValidationError("--in-flight must be 1 to \(RenewalPollJob.Options.inFlightMax)")
      }
      poll.inFlight = inFlight
      guard poll.leaseSeconds >= Self.leaseSecondsMin else { throw ValidationError("--lease must be 1m or longer") }
      let context = try await options.context(label: "renewals poll")
      try await Environment.requireSettings(for: "renewals poll", of: context)
      try await context.requireNewestClock()
      let access = try Environment.storeAccess(context)
      let job = RenewalPollJob(context: context, access: access, worker: worker ?? Self.defaultWorker(), now: { WallClock.now() })
      let outcome =
        if let subscription { try await job.run(subscription: subscription) } else { try await job.run(poll) }
      let missed = outcome.missedCount > 0 ? ", \(outcome.missedCount) not known to Apple" : ""
      Output.write(line: "renewals poll: \(outcome.askedCount) asked\(missed), \(outcome.failedCount) failed; \(outcome.tally.text)")
      for app in outcome.unasked { Output.write(line: "  \(app)") }
      for reason in outcome.unfinished {
        context.log.warning("not answered", metadata: ["reason": "\(reason)"])
      }
      try ExitStatusError.check(outcome.verdict)
    }

    /// Longest duration of an answer from Apple, in seconds.
    private static let leaseSecondsMin: Int64 = 60

    private static func seconds(_ text: String, of option: String) throws -> Int64 {
      guard let seconds = DurationText.seconds(text) else {
        throw ValidationError("\(option) \"\(text)\" is not a span such as 15m, 24h or 2d")
      }
      return seconds
    }

    private static func defaultWorker() -> String { "\(ProgramLocation.host())-\(getpid())" }
  }

  struct Settle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "settle", abstract: "Says what became of every member of the plans, and whether our books followed.")

    @OptionGroup var options: JobOptions

    func run() async throws {
      let context = try await options.context(label: "renewals settle")
      try await Environment.requireSettings(for: "renewals settle", of: context)
      try await context.requireNewestClock()
      let outcome = try await RenewalSettleJob(context: context).run()
      Output.write(line: "renewals settle: \(outcome.changedCount) outcomes new or changed")
      for (name, count) in outcome.counts { Output.write(line: "  \(name) \(count)") }
    }
  }
}

internal import ArgumentParser
internal import Collect
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Logging

struct ConsumptionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "consumption",
    abstract: "Answers Apple's requests for consumption information, where the customer consented.",
    subcommands: [Plan.self, Send.self])

  struct Plan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "plan", abstract: "Lists the open requests: hours left, what would be sent, or why nothing would be. Sends nothing.",
      discussion: """
        action is send or nothing; reason states why nothing would be sent. consumption_percentage is in thousandths of a percent. \
        A request is open until it is answered, Apple decides, or twelve hours have passed.
        """)

    @OptionGroup var list: ListOptions

    func run() async throws {
      let context = try await list.options.context(label: "consumption plan", createsCluster: false)
      try Output.tryWrite(try await ConsumptionPlanJob(context: context).run(list.format, filter: list.filter))
    }
  }

  struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "send",
      abstract: "Sends the answers of the plan to Apple, each once; only with consumption: {send: true} and the customer's consent.",
      discussion: """
        An answer is recorded before it is sent. A run that was killed between the two sends the same text again, which Apple \
        accepts. Nothing is sent after Apple's twelve hours, whatever --as-of says.
        """)

    @OptionGroup var options: JobOptions

    func run() async throws {
      let context = try await options.context(label: "consumption send")
      try await Environment.requireSettings(for: "consumption send", of: context)
      let access = try Environment.storeAccess(context)
      let outcome = try await ConsumptionSendJob(context: context, access: access, now: { WallClock.now() }).run()
      Output.write(line: "consumption send: \(outcome.text)")
      if !context.settings.consumption.isSending {
        Output.write(line: "  nothing is sent: the settings do not state consumption: {send: true}")
      }
      for app in outcome.unasked { Output.write(line: "  \(app)") }
      for reason in outcome.unfinished {
        context.log.warning("not answered", metadata: ["reason": "\(reason)"])
      }
      try ExitStatusError.check(outcome.verdict)
    }
  }
}

internal import ArgumentParser
internal import CommandSupport
internal import JobCore
internal import Jobs

struct WebhooksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "webhooks",
    abstract: "Sends new cases, decisions and verdicts to programs by signed posts, and notifications to people by mail.",
    subcommands: [Send.self, List.self, Retry.self])

  struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "send", abstract: "Gathers new events and sends those that are due, for two minutes at most.",
      discussion: "An event that is not accepted (2xx within the timeout, ten seconds unless set) is sent again after one minute, two, "
        + "four and so on, six hours at most, \(WebhookLimits.triesMax) times; doctor says what is stuck. Every night does the same at "
        + "its end.")
    @OptionGroup var options: JobOptions

    func run() async throws {
      let context = try await options.context(label: "webhooks", createsCluster: false)
      let job = WebhookJob(context: context)
      guard job.hasReceivers else { return Output.write(line: "webhooks: none is named in the settings") }
      let outcome = try await job.send()
      Output.write(line: "webhooks: gathered \(outcome.gatheredCount), taken \(outcome.takenCount), not taken \(outcome.failedCount)")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "Lists how many events each webhook accepted, how many are pending and how many were given up.")
    @OptionGroup var list: ListOptions

    func run() async throws {
      let context = try await list.options.context(label: "webhooks", createsCluster: false)
      try list.write(try await WebhookJob(context: context).states())
    }
  }

  struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry", abstract: "Makes due at once what was given up or waits for its next try.")
    @Argument(help: "Name of the webhook (default: all).") var name: String?
    @OptionGroup var options: JobOptions

    func run() async throws {
      let context = try await options.context(label: "webhooks", createsCluster: false)
      let count = try await WebhookJob(context: context).retry(name)
      Output.write(line: "webhooks: \(count) are due")
    }
  }
}

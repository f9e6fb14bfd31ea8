internal import ArgumentParser
internal import Collect
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Logging

struct CollectCommand: AsyncParsableCommand {
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case notifications, transactions, refunds, receipts, finance
  }

  static let configuration = CommandConfiguration(
    commandName: "collect",
    abstract: "Asks the App Store Server API for notifications, transactions, refunds or (StoreKit 1) receipts, and App Store "
      + "Connect for reports about money, and stores what comes as evidence.",
    discussion: """
      collect finance downloads every report of finance.accounts that should be there and was not taken, the oldest first, and \
      asks for none twice; what Apple corrects later is asked for again. Run it once a day.

      Examples:
        payrecon collect notifications
        payrecon collect finance
        payrecon collect finance --again 2026-P11
      """)

  @Argument(help: "What to ask for: notifications, transactions, refunds, receipts or finance.")
  var kind: Subject

  @Option(
    help: ArgumentHelp("Of finance: a fiscal period or day to ask about whatever is known of it; may be repeated.", valueName: "period"))
  var again: [String] = []

  @OptionGroup var options: JobOptions

  func validate() throws {
    guard again.isEmpty || kind == .finance else { throw ValidationError("--again is for collect finance") }
  }

  func run() async throws {
    let context = try await options.context(label: "collect")
    if let kind = CollectKind(rawValue: kind.rawValue) {
      try await collect(kind, context)
    } else {
      try await collectFinance(context)
    }
  }

  private func collect(_ kind: CollectKind, _ context: JobContext) async throws {
    let access = try Environment.storeAccess(context)
    let outcome = try await CollectJob(context: context, access: access).run(kind)
    let missing = kind == .receipts ? "receipts Apple refused" : "ids Apple does not know"
    let missed = outcome.missedCount > 0 ? ", \(outcome.missedCount) \(missing)" : ""
    let failed = outcome.failedCount > 0 ? ", \(outcome.failedCount) without an answer" : ""
    Output.write(line: "collect \(kind.rawValue): \(outcome.tally.text)\(missed)\(failed)")
    for app in outcome.unasked { Output.write(line: "  \(app)") }
    for reason in outcome.unfinished {
      context.log.warning("not read to its end", metadata: ["reason": "\(reason)"])
    }
    try ExitStatusError.check(outcome.verdict)
  }

  private func collectFinance(_ context: JobContext) async throws {
    let access = try Environment.reportAccess(context)
    let outcome = try await FinanceCollectJob(context: context, access: access).run(again: again)
    Output.write(line: "collect finance: \(outcome.text)")
    for message in outcome.messages { Output.write(line: "  \(message)") }
    for reason in outcome.alarms + outcome.missing {
      context.log.warning("report missing", metadata: ["reason": "\(reason)"])
    }
    try ExitStatusError.check(outcome.verdict)
  }
}

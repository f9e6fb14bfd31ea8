public import ArgumentParser
internal import CommandSupport
internal import Domain
internal import Logging
public import Jobs

extension CollectKind: ExpressibleByArgument {}

/// Asks Apple for what is not known yet.
struct CollectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect",
    abstract: "Asks the App Store Server API for notifications, transactions, refunds or (StoreKit 1) receipts, and stores "
      + "them as evidence.")

  @Argument(help: "What to ask for: notifications, transactions, refunds or receipts.")
  var kind: CollectKind

  @OptionGroup var options: JobOptions

  func run() async throws {
    let context = try await options.context(label: "collect")
    let access = try Environment.storeAccess(context)
    let outcome = try await CollectJob(context: context, access: access).run(kind)
    let missed = outcome.missedCount > 0 ? ", \(outcome.missedCount) ids Apple does not know" : ""
    Output.write(line: "collect \(kind.rawValue): \(outcome.tally.text)\(missed)")
    for reason in outcome.unfinished {
      context.log.warning("not read to its end", metadata: ["reason": "\(reason)"])
    }
    if outcome.verdict.exitStatus != .clean { throw ExitStatusError(status: outcome.verdict.exitStatus) }
  }
}

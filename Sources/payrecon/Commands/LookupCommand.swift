internal import ArgumentParser
internal import CommandSupport
internal import JobCore
internal import Jobs
internal import Matching

struct LookupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lookup",
    abstract: "Shows everything known about an id of any kind; asks Apple when nothing is.",
    discussion: "The beginning of an id is enough where no other id begins so. A user, a token or a device is shown with its "
      + "orders and the charges each has.")

  @Argument(help: "Order, transaction, charge, break, signal, user, app account token, device, evidence hash or Apple's order number.")
  var id: String

  @Flag(help: "Write the bytes of evidence, given its hash, as Apple signed them.")
  var raw = false

  @Option(help: "text or json (default: text).") var format = Form.text

  enum Form: String, CaseIterable, ExpressibleByArgument { case text, json }

  @OptionGroup var options: JobOptions

  /// Note about evidence without a signature.
  private static let rowNote =
    "the row has no signature, so its hash covers the hash of its container and then its bytes; the container: payrecon lookup --raw"

  func run() async throws {
    let context = try await options.context(label: "lookup", createsCluster: false)
    if raw {
      let hash = try await IDResolver(context: context).completed(id, among: [.evidence])
      let (bytes, container) = try await ExplainJob(context: context).hashedText(hash)
      Output.write(bytes)
      if let container { Output.writeError("payrecon: \(Self.rowNote) \(container)") }
      return
    }
    let job = LookupJob(context: context, access: try Environment.storeAccess(context))
    Output.write(line: try await format == .json ? job.json(id) : job.run(id))
  }
}

public import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
public import Review

struct ConsoleAccountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Lists, makes or ends accounts of the review console.",
    discussion: """
      Takes the rights of the schema's owner. Two people are two accounts: an account and a login of the database that \
      have the same name, in whatever letter case, count as one person, so give somebody who uses both the same name.
      """,
    subcommands: [List.self, Add.self, Password.self, Unlock.self, Address.self, Disable.self, ProxyKey.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the accounts of the console.")
    @OptionGroup var list: ListOptions
    func run() async throws { try await list.write(ConsoleSQL.accounts, label: "account", role: .migrate) }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Makes an account; its password is asked for, or read from standard input.")
    @Argument(help: "Name of the account.") var name: String
    @Option(help: "reader, analyst, finance, approver or admin.") var role: ConsoleRole
    @Option(help: "Team whose cases it sees and works on; may be given several times (default: all).") var inbox: [String] = []
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "account")
      try await ConsoleAccountJob(context: context).add(name, role: role, inboxes: inbox, password: try readPassword())
      Output.write(line: "account: \(name) made")
    }
  }

  struct Password: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "password", abstract: "Gives an account another password; its sessions end.")
    @OptionGroup var account: ConsoleAccountOptions
    func run() async throws {
      try await account.change("has another password") { job, name in try await job.setPassword(name, to: try readPassword()) }
    }
  }

  struct Unlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unlock", abstract: "Lets an account log in again that failed log-ins had locked.")
    @OptionGroup var account: ConsoleAccountOptions
    func run() async throws { try await account.change("unlocked") { job, name in try await job.unlock(name) } }
  }

  struct Disable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "disable", abstract: "Ends an account and its sessions; what it did stays.")
    @OptionGroup var account: ConsoleAccountOptions
    func run() async throws { try await account.change("disabled") { job, name in try await job.disable(name) } }
  }
}

extension ConsoleAccountCommand {
  struct Address: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "address", abstract: "Sets the mail address that receives the notifications of an account.")
    @Argument(help: "Name of the account.") var name: String
    @Argument(help: "Mail address (default: none, which ends the mail).") var address = ""
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "account", createsCluster: false)
      try await ConsoleAccountJob(context: context).setAddress(name, to: address)
      Output.write(line: "account: \(name) has \(address.isEmpty ? "no" : "another") mail address")
    }
  }

  struct ProxyKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "proxy-key", abstract: "Writes to standard output a new key for serve --console --socket; the one of before ends.",
      discussion: "Whoever has the key opens sessions of any account: keep it in a file that the console alone may read.")
    @Flag(help: "Makes none: only ends the one there is.") var end = false
    @OptionGroup var options: JobOptions
    func run() async throws {
      let job = ConsoleAccountJob(context: try await options.context(label: "account", createsCluster: false))
      guard end else { return Output.write(line: try await job.makeProxyKey()) }
      Output.write(line: try await job.endProxyKey() ? "account: the key has ended" : "account: there is no key")
    }
  }
}

struct ConsoleAccountOptions: ParsableArguments {
  @Argument(help: "Name of the account.") var name: String
  @OptionGroup var options: JobOptions

  func change(_ done: String, _ work: (ConsoleAccountJob, String) async throws -> Void) async throws {
    let context = try await options.context(label: "account", createsCluster: false)
    try await work(ConsoleAccountJob(context: context), name)
    Output.write(line: "account: \(name) \(done)")
  }
}

extension ConsoleRole: ExpressibleByArgument {}

/// Reads the password as the user types it.
private func readPassword() throws -> String {
  guard let password = Keyboard.secretLine(prompt: "password: ") else {
    throw JobError("could not read the password: standard input is at its end", status: .usage)
  }
  return password
}

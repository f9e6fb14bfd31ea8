internal import ArgumentParser
internal import CommandSupport
internal import JobCore
internal import Postgres
internal import Review

struct DatabaseAccountsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accounts", abstract: "Lists, makes or ends accounts of people, who decide and approve.",
    discussion: """
      Who you are is your login of the database: PAYRECON_ACCOUNT on the private cluster, the user of PAYRECON_DATABASE_URL \
      (or PGUSER) on a server of your own; the password comes from PGPASSWORD, PGPASSFILE or ~/.pgpass. Two people are two \
      accounts.
      """,
    subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the logins that may decide.")
    @OptionGroup var wanted: LimitOptions
    @Option(help: "table, csv, json or ndjson (default: a line each, in words).") var format: ExportFormat?
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "accounts", createsCluster: false)
      let accounts = try await DatabaseAccountJob(context: context).list()
      if format != nil || wanted.limit != nil || wanted.sort != nil {
        let rows = accounts.map { [$0.name, $0.isThis ? "yes" : "no", $0.isSuperuser ? "yes" : "no"] as [String?] }
        let table = ReportTable(columns: ["account", "is_you", "is_owner"], isNumeric: [false, false, false], rows: rows)
        return Output.write(try wanted.filter.bytes(of: table, as: format ?? .table))
      }
      for account in accounts {
        let notes = [account.isThis ? "you" : nil, account.isSuperuser ? "owner, may act as anybody" : nil]
        let note = notes.compactMap(\.self).joined(separator: ", ")
        Output.write(line: note.isEmpty ? account.name : "\(account.name)  (\(note))")
      }
    }
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Makes an account that may decide and read, and prints its password once.")
    @Argument(help: "Name of the account.") var name: String
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "accounts")
      let password = try await DatabaseAccountJob(context: context).add(name)
      if Environment.usesPrivateCluster { try await Environment.cluster().admitAccounts() }
      Output.write(line: "accounts: \(name) made, password \(password), which is shown only once")
      Output.write(
        line: Environment.usesPrivateCluster
          ? "accounts: to act as it, set PAYRECON_ACCOUNT=\(name) and PGPASSWORD, or keep the password in ~/.pgpass"
          : "accounts: to act as it, name it as the user of PAYRECON_DATABASE_URL")
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Ends an account; what it decided stays.")
    @Argument(help: "Name of the account.") var name: String
    @OptionGroup var options: JobOptions
    func run() async throws {
      let context = try await options.context(label: "accounts", createsCluster: false)
      try await DatabaseAccountJob(context: context).remove(name)
      Output.write(line: "accounts: \(name) removed")
    }
  }
}

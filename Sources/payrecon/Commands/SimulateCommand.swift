internal import ArgumentParser
internal import CommandSupport
internal import Simulation

struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Makes a believable world to try payrecon on.",
    subcommands: [WorldCommand.self, FinanceCommand.self, SimulateAppStoreCommand.self, BenchCommand.self])

  struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "bench", abstract: "Writes plain orders and as many signed transactions, to measure speed with.")
    @Option(help: "Same seed, same bytes.") var seed: UInt64 = 1
    @Option(help: "Orders, and as many charges.") var charges = 1_000_000
    @Option(help: "Folder to write to.") var out: String
    func run() async throws { try await World.writeBench(seed: seed, charges: charges, directory: out) }
  }

  struct FinanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "finance", abstract: "Writes three fiscal periods of charges, Apple's reports about their money, and why they differ.")
    @Option(help: "Same seed, same bytes.") var seed: UInt64 = 1
    @Option(help: "Charges, renewals not counted.") var charges = 5000
    @Option(help: "Number of the first case; give the orders of another world to keep both in one database.") var firstCase = 0
    @Option(help: "Folder to write to.") var out: String
    func run() async throws {
      Output.write(line: "\(try await World.writeMoney(seed: seed, charges: charges, firstCase: firstCase, directory: out))")
    }
  }

  struct WorldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "world", abstract: "Writes a fortnight of two apps with every break class planted, and the truth.")
    @Option(help: "Same seed, same bytes.") var seed: UInt64 = 1
    @Option(help: "Order rows.") var orders = 2000
    @Flag(help: "Wrong clocks, lost tokens, shared devices, late and missing notifications.") var noise = false
    @Option(help: "Folder to write to.") var out: String
    func run() async throws {
      let summary = try await World.write(seed: seed, orders: orders, directory: out, noise: noise ? .usual : .none)
      Output.write(line: "\(summary)")
    }
  }
}

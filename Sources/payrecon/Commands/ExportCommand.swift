public import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Reports

extension ExportList: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}

struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes a list as CSV or JSON, as it was known at an instant.")

  @Argument(help: "\(ExportList.allCases.map(\.rawValue).joined(separator: ", ")).")
  var list: ExportList

  @Option(help: "csv, ndjson, json or table.")
  var format: ExportFormat = .csv

  @OptionGroup var wanted: LimitOptions

  @Flag(help: "Writes what the columns hold instead: a Frictionless Table Schema, which keeps ids text.")
  var schema = false

  @OptionGroup var options: JobOptions

  func run() async throws {
    let context = try await options.context(label: "export", createsCluster: false)
    guard !schema else { return Output.write(try await ExportJob(context: context).schema(list)) }
    let filter = wanted.filter.keeping(lastBy: list.keys)
    _ = try await ExportJob(context: context).run(list, format: format, filter: filter) { try Output.tryWrite($0) }
  }
}

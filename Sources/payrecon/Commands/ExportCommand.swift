public import ArgumentParser
internal import CommandSupport
internal import Domain
public import Jobs

extension ExportList: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}

/// Writes a list to standard output.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes a list as CSV or NDJSON, as it was known at an instant.")

  @Argument(help: "\(ExportList.allCases.map(\.rawValue).joined(separator: ", ")).")
  var list: ExportList

  @Option(help: "csv or ndjson.")
  var format: ExportFormat = .csv

  @OptionGroup var options: JobOptions

  func run() async throws {
    let context = try await options.context(label: "export", makes: false)
    _ = try await ExportJob(context: context).run(list, format: format) { bytes in try Output.tryWrite(bytes) }
  }
}

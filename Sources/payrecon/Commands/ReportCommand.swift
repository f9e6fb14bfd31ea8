public import ArgumentParser
internal import CommandSupport
internal import Domain
public import Jobs

extension ReportKind: ExpressibleByArgument {}
extension ReportFormat: ExpressibleByArgument {}

/// Writes reports to a folder.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Writes the daily summary, the break list or the renewals, with a manifest of hashes.")

  @Argument(help: "daily, breaks, all (both) or renewals.")
  var kind: ReportKind

  @Option(help: "Folder to write to; default: the configured one.")
  var out: String?

  @Option(help: "csv, json or html; may be given several times; default: all.")
  var format: [ReportFormat] = []

  @OptionGroup var options: JobOptions

  func run() async throws {
    let context = try await options.context(label: "report", makes: false)
    let formats = format.isEmpty ? Set(ReportFormat.allCases) : Set(format)
    let directory = out ?? context.settings.reportDirectory
    let files = try await ReportJob(context: context).run(kind: kind, formats: formats, directory: directory)
    for file in files { Output.write(line: "\(directory)/\(file)") }
  }
}

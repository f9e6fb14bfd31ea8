public import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Reports

extension ReportKind: ExpressibleByArgument {}
extension ReportFormat: ExpressibleByArgument {}

struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Writes the daily summary, breaks, renewals, refunds, revenue, journal or Apple's money, with a manifest of hashes.")

  @Argument(help: "daily, breaks, all (both), renewals, refunds, deferred, journal, tieout, coverage or restatement.")
  var kind: ReportKind

  @Option(help: "Folder to write to; default: the configured one.")
  var out: String?

  @Option(help: "Period of the journal: 2026-P11 or 2026-08; default: the last fiscal period that has ended.")
  var period: String?

  @Option(help: "csv, json, html or xlsx; may be given several times; default: reports.formats of the settings, else csv, json and html.")
  var format: [ReportFormat] = []

  @OptionGroup var options: JobOptions

  func run() async throws {
    let context = try await options.context(label: "report", createsCluster: false)
    Environment.warnWithoutSettings("the report is made by the defaults, time zones and limits too", context)
    let formats = format.isEmpty ? context.settings.reportFormats : Set(format)
    let directory = out ?? context.settings.reportDirectory
    let files = try await ReportJob(context: context).run(kind: kind, formats: formats, directory: directory, period: period)
    for file in files { Output.write(line: "\(directory)/\(file)") }
  }
}

internal import ArgumentParser
internal import CommandSupport
internal import JobCore

struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Makes and migrates the database; ingest and the jobs do so too when needed.",
    discussion: "With --guide, writes a settings file instead.")
  @OptionGroup var guide: GuideOptions
  @OptionGroup var options: JobOptions
  func run() async throws {
    guard !guide.guide else { return try guide.run() }
    let context = try await options.context(label: "init", restoring: true)
    Output.write(line: "database ready, \(context.settings.apps.count) apps configured")
  }
}

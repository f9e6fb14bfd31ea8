internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore

struct SettingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Shows the settings as they are read.", subcommands: [Show.self],
    defaultSubcommand: Show.self)

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Shows every setting as it is read, defaults included; never a secret.")
    @Flag(help: "Shows what differs from the last complete night instead; exit status 1 when something does.")
    var diff = false
    @OptionGroup var options: JobOptions

    func run() async throws {
      let settings = try Environment.settings()
      if let file = settings.file, settings.apps.isEmpty {
        throw JobError(
          "cannot use settings file \"\(file)\": it names no app, so nothing of Apple's is taken as ours",
          hint: "Name each app under apps, such as: apps: [{bundle_id: com.acme.reader}].", status: .usage)
      }
      if diff {
        let context = try await options.context(label: "settings", createsCluster: false)
        guard let difference = try await SettingsChange(context: context).run() else {
          return Output.write(line: "no difference from the last complete night, or there was none")
        }
        if difference.changes != nil { Output.write(line: "# since \(difference.runID)") }
        for line in difference.changes ?? difference.lines.map({ "\($0)" }) { Output.write(line: line) }
        throw ExitStatusError(status: .breaks)
      }
      Output.write(line: "# " + (settings.file.map { "read from \($0)" } ?? "no settings file: defaults"))
      for line in Environment.lines(of: settings) { Output.write(line: line) }
    }
  }
}

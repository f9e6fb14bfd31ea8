internal import ArgumentParser
internal import CommandSupport
internal import Jobs

/// Shows the abuse rules as they are set; reads the settings and nothing else.
struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "Lists the abuse rules as CSV: state, version and parameters as they are set.")

  func run() throws {
    let settings = try Environment.settings().rules
    Output.write(CSVLine.bytes(["rule", "state", "version", "suspects", "parameters"]))
    for rule in RuleCatalogue.all.sorted(by: { $0.name < $1.name }) {
      guard let setting = settings.rules[rule.name] else { continue }
      Output.write(
        CSVLine.bytes([
          rule.name, setting.state.rawValue, "\(setting.version)", rule.title, setting.parameterText,
        ]))
    }
  }
}

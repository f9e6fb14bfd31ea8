internal import ArgumentParser
internal import CommandSupport
internal import JobCore

/// Shows the abuse rules as they are set; reads the settings and nothing else.
struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "Lists the abuse rules: state, version and parameters as they are set.")

  @OptionGroup var wanted: ListLimit
  @OptionGroup var form: ListFormat

  func run() throws {
    let settings = try Environment.settings().rules
    let rows = settings.catalogue.sorted { $0.name < $1.name }.compactMap { rule -> [String?]? in
      guard let setting = settings.rules[rule.name] else { return nil }
      return [rule.name, setting.state.rawValue, "\(setting.version)", rule.title, setting.parameterText]
    }
    let table = ReportTable(
      columns: ["rule", "state", "version", "suspects", "parameters"], isNumeric: [false, false, true, false, false], rows: rows)
    Output.write(try wanted.filter.bytes(of: table, as: form.chosen))
  }
}

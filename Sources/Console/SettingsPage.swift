internal import JobCore

extension Desk {
  /// The settings as this console reads them, and what they differ in from those of the last complete night; secrets stand in
  /// files of their own, of which only the names are settings.
  func settings() async throws -> Page {
    try checkSeesAll()
    let context = try await context.ruled(at: context.asOf)
    var page = Page(
      title: "Settings", visit: visit, subtitle: "As this console read them when it was started; changed in the settings file alone")
    let entries = ReportTable(
      columns: ["setting", "value"], isNumeric: [false, false], rows: context.settings.entries.map { [$0.key, $0.value] })
    let difference = try await SettingsChange(context: context).run()
    var changed = Section("Changed since the last complete night")
    changed.empty = "Nothing, or there was no complete night yet."
    changed.lines = (difference?.changes ?? difference?.lines ?? []).joined(separator: "\n")
    page.sections = [changed, Section("Settings", entries, isLinked: false)]
    try await viewed("settings")
    return page
  }
}

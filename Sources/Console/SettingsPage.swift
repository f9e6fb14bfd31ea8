internal import JobCore
internal import Wording

extension Desk {
  /// The settings as this console reads them, and what they differ in from those of the last complete night; secrets stand in
  /// files of their own, of which only the names are settings.
  func settings() async throws -> Page {
    try checkSeesAll()
    let context = try await context.ruled(at: context.asOf)
    var page = Page(
      title: "settings.title", visit: visit, subtitle: "settings.subtitle")
    let entries = ReportTable(
      columns: ["setting", "value"], isNumeric: [false, false], rows: context.settings.entries.map { [$0.key, $0.value] })
    let difference = try await SettingsChange(context: context).run()
    var changed = Section("settings.changed")
    changed.empty = "settings.unchanged"
    changed.lines = (difference?.changes ?? difference?.lines ?? []).joined(separator: "\n")
    page.sections = [changed, Section("settings.title", entries, isLinked: false)]
    try await viewed("settings")
    return page
  }
}

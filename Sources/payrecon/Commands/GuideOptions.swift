internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import Ingest
internal import Intake
internal import JobCore

/// Answers to the questions of `init --guide`; on a terminal, missing ones are asked.
struct GuideOptions: ParsableArguments {
  @Flag(help: "Ask a few questions and write a commented settings file; fetches nothing and makes no database.")
  var guide = false

  @Option(name: .customLong("bundle-id"), help: "Answer: bundle id of the app, such as com.acme.reader.")
  var bundleID: String?

  @Option(name: .customLong("apple-id"), help: "Answer: the app's number in App Store Connect.")
  var appleID: String?

  @Option(help: "Answer: IANA time zone of the business days, such as Asia/Shanghai.")
  var timeZone: String?

  @Option(help: "Answer: first day to reconcile in that time zone, such as 2026-05-01, or an RFC 3339 instant.")
  var reconcileFrom: String?

  @Option(help: "Answer: an export of orders, whose mapping is proposed.")
  var orders: String?

  @Option(help: "The settings file to write.")
  var file: String = "payrecon.yaml"

  func run() throws {
    let bundle = try answer(bundleID, "--bundle-id", "Bundle id of the app, such as com.acme.reader")
    var settings = SettingsGuide(bundleID: bundle ?? "", timeZone: "UTC")
    guard bundle != nil else { throw ValidationError("--guide needs --bundle-id, or a terminal to ask on") }
    settings.appleID = try answer(appleID, "--apple-id", "The app's number in App Store Connect (empty: not checked)")
    settings.timeZone = try answer(timeZone, "--time-zone", "Time zone of your business days (empty: UTC)") ?? "UTC"
    let start = try answer(reconcileFrom, "--reconcile-from", "First day to reconcile, such as 2026-05-01 (empty: all history)")
    if let start { settings.reconcile(from: start) }
    let export = try answer(orders, "--orders", "An export of your orders (empty: none at hand)")
    let preview = try export.map { try self.preview($0, settings) }
    (settings.mapping, settings.guesses) = (preview?.proposal ?? [], preview?.guesses ?? [])
    try settings.write(to: file)
    if !settings.guesses.isEmpty {
      Output.write(line: "Guesses of the mapping, to be checked; the file has them as comments:")
      for guess in settings.guesses { Output.write(line: "  - \(guess)") }
    }
    Output.write(line: "Wrote \"\(file)\". Read it, and run next:")
    Output.write(line: "  payrecon ingest orders --preview \(export ?? "FILE")")
    Output.write(line: "  payrecon doctor")
    Output.write(line: "  payrecon nightly --out reports")
  }

  /// Returns a given answer, or asks on a terminal; nil for an empty one.
  private func answer(_ given: String?, _ option: String, _ question: String) throws -> String? {
    guard given == nil, Keyboard.isTerminal else { return given.flatMap { $0.isEmpty ? nil : $0 } }
    Output.writeError("\(question):")
    guard let line = Keyboard.line() else { throw ValidationError("the input ended; give the answer as \(option)") }
    return line.isEmpty ? nil : line
  }

  private func preview(_ path: String, _ settings: SettingsGuide) throws -> InputPreview {
    var facts = PreviewFacts()
    facts.apps = [(settings.bundleID, settings.timeZone)]
    return try InputPreview(OrderRow.self, path: path, format: nil, mapping: nil, facts: facts)
  }
}

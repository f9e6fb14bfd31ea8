internal import Domain
internal import Glibc
internal import Intake
internal import JobCore
internal import SystemCalls
internal import TimeZones

/// A commented settings file made from a few answers.
package struct SettingsGuide {
  package var bundleID: String
  /// nil leaves the key out; app ids are then not checked.
  package var appleID: String?
  package var timeZone: String
  /// RFC 3339 instant; nil reconciles all history.
  package var reconcileFrom: String?
  /// Lines of a mapping, from `inputs:`; empty for payrecon's own columns.
  package var mapping: [String] = []
  /// Guesses of the mapping, which become comments above it.
  package var guesses: [String] = []

  package init(bundleID: String, timeZone: String) { (self.bundleID, self.timeZone) = (bundleID, timeZone) }

  package var text: String {
    let app = [
      "apps:", "  # From App Store Connect, App Information.", "  - bundle_id: \(bundleID)",
      appleID.map { "    apple_id: \($0)" } ?? "    # apple_id: 1500000001",
      "    # The zone of your business days.", "    time_zone: \(timeZone)",
      "    # The day of your first complete export. Older purchases explain later ones and raise no breaks.",
      reconcileFrom.map { "    reconcile_from: \($0)" } ?? "    # reconcile_from: 2026-05-01T00:00:00Z",
      "    # Users whose sandbox purchases may deliver live goods.", "    # testers: [U9]",
      "    # A key of App Store Connect, to fetch Apple's side instead of keeping it in files.",
      "    # api: {issuer_id: …, key_id: …, key_file: /etc/payrecon/AuthKey.p8}",
    ]
    let limits = [
      "", "# How long a difference may last before it is a break, and from which severity breaks fail a run.",
      "breaks: {grace: 24h, fail_at: low}", "",
      "# How rows of your export become rows of payrecon: `payrecon ingest orders --preview FILE` proposes it.",
    ]
    let guesses = guesses.isEmpty ? [] : ["# Guesses, to be checked:"] + guesses.map { "# - \(Self.comment($0))" }
    let inputs = mapping.isEmpty ? ["# inputs: {orders: {columns: {order_id: order_no}}}"] : guesses + mapping
    let rest = [
      "", "# Folder of the files that a night reads, and folder of its reports.", "inbox: {directory: inbox}",
      "reports: {directory: reports}",
    ]
    return (app + limits + inputs + rest).joined(separator: "\n") + "\n"
  }

  /// Sets the start to an instant, or to the midnight with which a day begins in `timeZone`, such as `2026-05-01`.
  ///
  /// A text that is neither is kept, so that the settings refuse it by its key.
  package mutating func reconcile(from start: String) {
    reconcileFrom = start
    guard let day = CivilDate(start)?.start, let zone = try? TimeZoneRules(named: timeZone) else { return }
    let seconds =
      switch zone.meaning(ofLocal: day.wholeSeconds) {
      case .once(let instant), .twice(let instant, _), .never(let instant): instant
      }
    reconcileFrom = day.advanced(bySeconds: seconds - day.wholeSeconds).rfc3339
  }

  /// Returns a sentence on one line, without characters that YAML does not allow in a comment.
  private static func comment(_ sentence: String) -> String { sentence.map { $0.isNewline ? " " : String($0) }.joined().printable }

  /// Writes the file; an existing one is not replaced.
  package func write(to path: String) throws {
    guard !Environment.exists(path) else {
      throw JobError(
        "refused to write \"\(path)\": there is such a file", hint: "Move it away, or name another with --file. Nothing was changed.",
        status: .usage)
    }
    let text = text
    _ = try SettingsFile.parse(text, path: path, rules: [])
    let descriptor = LocalFile.create(path, mode: 0o644)
    guard descriptor >= 0 else { throw JobError("could not write \"\(path)\": \(errnoText())") }
    defer { close(descriptor) }
    do { try Descriptor.write(Array(text.utf8)[...], to: descriptor) } catch {
      throw JobError("could not write \"\(path)\": \(errnoText(error.code))")
    }
  }
}

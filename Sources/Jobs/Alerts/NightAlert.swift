internal import Domain
internal import FoundationEssentials
internal import JobCore
internal import Logging
internal import Postgres

/// Sends the verdict of a night by email and webhook. A failed alert changes no verdict.
///
/// A verdict is recorded after its delivery, so a night killed between the two sends it again.
struct NightAlert: Sendable {
  private enum Channel: String { case email, webhook }

  private static let deadline = Duration.seconds(30)

  let context: JobContext

  private var settings: AlertSettings { context.settings.alerts }

  /// Sends the verdict to every configured channel that does not have it yet. A night whose clock lies ahead sends nothing.
  func send(_ summary: NightSummary, on session: Session) async {
    guard !context.isClockAhead else { return }
    var summary = summary
    var hasRead = false
    do { try await summary.readUrgent(session, in: context) } catch {
      context.log.warning("the urgent requests could not be read", metadata: ["error": "\(error)"])
    }
    for channel in channels {
      do {
        // An urgent request is reported whatever the verdict.
        let isVerdictChange = try await isVerdictChange(summary.verdict, to: channel, on: session)
        guard isVerdictChange || !summary.urgent.isEmpty else { continue }
        if !hasRead { try await summary.read(session, in: context) }
        hasRead = true
        switch channel {
        case .email: try await send(summary)
        case .webhook: try await post(summary)
        }
        try await record(summary, channel, on: session)
      } catch {
        context.log.warning(
          "the verdict of the night could not be sent", metadata: ["channel": "\(channel.rawValue)", "error": "\(error)"])
      }
    }
  }

  private var channels: [Channel] {
    (settings.email == nil ? [] : [.email]) + (settings.webhook == nil ? [] : [.webhook])
  }

  private func isVerdictChange(_ verdict: Verdict, to channel: Channel, on session: Session) async throws -> Bool {
    guard settings.occasion == .change else { return true }
    return try await context.rows(AlertsSQL.lastVerdict, ["channel": .text(channel.rawValue)], on: session).first != verdict.rawValue
  }

  private func record(_ summary: NightSummary, _ channel: Channel, on session: Session) async throws {
    let file = try context.sql(AlertsSQL.record)
    let row: [String: Value] = [
      "channel": .text(channel.rawValue), "run_id": .text(summary.runID), "verdict": .text(summary.verdict.rawValue),
    ]
    try await session.retrying { tx in try tx.send(file, row) }
  }

  private func send(_ summary: NightSummary) async throws {
    guard let email = settings.email else { return }
    let mail = PlainTextMail(to: email.to, subject: summary.title, lines: summary.lines)
    try await mail.send(by: email, id: UUID().uuidString, deadline: Self.deadline)
  }

  private func post(_ summary: NightSummary) async throws {
    guard let webhook = settings.webhook else { return }
    try await WebhookClient().post(summary.webhookBody, to: webhook, setting: "alerts.webhook", deadline: Self.deadline)
  }
}

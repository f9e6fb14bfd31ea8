internal import HTTP
internal import JobCore

/// Checks of the addresses, passwords and keys of alerts and webhooks. No address is contacted.
extension DoctorFiles {
  func checkAlerts() -> [DoctorFinding] {
    let alerts = settings.alerts
    guard alerts.email != nil || alerts.webhook != nil else {
      return [.fine("alerts", "a night sends its verdict to nobody: neither alerts.email nor alerts.webhook is set")]
    }
    return (alerts.email.map(checkEmail) ?? []) + (alerts.webhook.map { [checkAddress("alerts by webhook", $0, "alerts.webhook")] } ?? [])
  }

  private func checkEmail(_ email: AlertSettings.Email) -> [DoctorFinding] {
    let check = "alerts by email"
    let people = "\(email.to.count) \(email.to.count == 1 ? "address" : "addresses") by \(email.server)"
    let server: DoctorFinding =
      if let fault = HTTPRequest.fault(ofMailServer: email.server) {
        .fault(check, fault, cure: "correct alerts.email.server: smtps://HOST or smtp://HOST")
      } else {
        .fine(check, people)
      }
    guard let account = email.account else { return [server] }
    let password = checkSecretFile(
      "password of alerts by email", account.passwordFile, source: "write the password of \(account.user) into it, in one line"
    ) { Self.line($0).isEmpty ? "it holds no password" : nil }
    return [server, password]
  }

  func checkWebhooks() -> [DoctorFinding] {
    settings.webhooks.flatMap { webhook in
      [
        checkAddress("address of webhook \(webhook.name)", webhook.address, "webhooks.\(webhook.name)"),
        checkSecretFile(
          "key of webhook \(webhook.name)", webhook.secretFile,
          source: "make one, and give it to the receiver: printf 'whsec_%s' \"$(openssl rand -base64 32)\" >\(webhook.secretFile)"
        ) { _ in (try? WebhookSignature(of: webhook)) == nil ? "it holds no key, which is whsec_ and base64" : nil },
      ]
    }
  }

  private func checkAddress(_ check: String, _ address: AlertSettings.Webhook, _ setting: String) -> DoctorFinding {
    switch address {
    case .url(let url):
      guard let fault = HTTPRequest.fault(ofURL: url) else { return .fine(check, "an address that may be called") }
      return .fault(check, fault, cure: "correct the url of \(setting): https, or http on this machine alone")
    case .file(let path):
      return checkSecretFile(check, path, source: "write the address into it, in one line: https, or http on this machine alone") { bytes in
        let line = Self.line(bytes)
        return line.isEmpty ? "it holds no address" : HTTPRequest.fault(ofURL: line)
      }
    }
  }

  private static func line(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline } }
}

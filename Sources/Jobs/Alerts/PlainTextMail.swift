internal import Domain
internal import FoundationEssentials
internal import HTTP
internal import JobCore

struct PlainTextMail: Sendable {
  var to: [String]
  var subject: String
  var lines: [String]

  /// Sends the mail by the server of the settings.
  ///
  /// - Parameter id: local part of the Message-ID. Mail servers recognise a repeated mail by it.
  /// - Throws: `MailError`, or `JobError` if the password cannot be read.
  func send(by email: AlertSettings.Email, id: String, deadline: Duration) async throws {
    let account = try email.account.map { account in
      (user: account.user, password: try SecretFile.line(account.passwordFile, of: "password_file of alerts.email"))
    }
    try await MailClient(server: email.server).send(mail(from: email.from, id: id), account: account, deadline: deadline)
  }

  /// - Source: RFC 5322; RFC 2045 for the body; RFC 2047 for the subject.
  private func mail(from: String, id: String) -> Mail {
    let host = from.split(separator: "@").last.map(String.init) ?? "payrecon"
    let isPlain = subject.utf8.allSatisfy { $0 < 0x80 }
    let lines =
      [
        "From: payrecon <\(from)>", "To: \(to.joined(separator: ",\r\n "))",
        "Subject: \(isPlain ? subject : "=?utf-8?B?\(Data(subject.utf8).base64EncodedString())?=")",
        "Date: \(Self.date(WallClock.now()))",
        "Message-ID: <\(id)@\(host)>", "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit", "",
      ] + lines
    return Mail(from: from, to: to, bytes: Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Formats an instant as in `11 May 2026 03:00:00 +0000`.
  ///
  /// - Source: RFC 5322, section 3.3.
  private static func date(_ instant: Timestamp) -> String {
    let text = instant.rfc3339
    let (date, time) = (text.prefix(10).split(separator: "-"), text.dropFirst(11).prefix(8))
    return "\(date[2]) \(months[(Int(date[1]) ?? 1) - 1]) \(date[0]) \(time) +0000"
  }
}

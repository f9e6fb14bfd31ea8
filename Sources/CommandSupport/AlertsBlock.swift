internal import JobCore
internal import YAML

/// The block "alerts" of the settings file: recipients of a night's verdict.
enum AlertsBlock {
  static func read(_ node: SettingsNode) throws -> AlertSettings {
    let fields = try node.mapping(["when", "link", "email", "webhook", "notices"])
    var settings = AlertSettings()
    if let node = fields["when"] { settings.occasion = try node.choice(AlertSettings.Occasion.allCases) }
    settings.link = try fields["link"]?.text()
    if let node = fields["email"] { settings.email = try email(node) }
    settings.webhook = try fields["webhook"].map { try address(of: $0, try $0.mapping(["url", "url_file"])) }
    if let node = fields["notices"] {
      guard settings.email != nil else { throw node.fault("needs \"email\", whose server sends them") }
      let perMail = try node.mapping(["per_mail"])["per_mail"]
      settings.noticesPerMail = try perMail?.integer(AlertSettings.noticesPerMail) ?? 20
    }
    return settings
  }

  /// Reads an address, or the file that contains it.
  static func address(of node: SettingsNode, _ fields: [String: SettingsNode]) throws -> AlertSettings.Webhook {
    switch (fields["url"], fields["url_file"]) {
    case (let url?, nil): return .url(try url.text())
    case (nil, let file?): return .file(try file.text())
    default: throw node.fault("needs \"url\" or \"url_file\", one of them")
    }
  }

  private static func email(_ node: SettingsNode) throws -> AlertSettings.Email {
    let fields = try node.mapping(["server", "from", "to", "user", "password_file"])
    guard let server = fields["server"], let from = fields["from"], let to = fields["to"] else {
      throw node.fault("needs \"server\", \"from\" and \"to\"")
    }
    guard try server.text().hasPrefix("smtp://") || server.text().hasPrefix("smtps://") else {
      throw server.fault("must be smtps://HOST or smtp://HOST, with :PORT where it is another", isSecret: true)
    }
    var email = AlertSettings.Email(server: try server.text(), from: try address(from), to: try to.list().map(address))
    guard (1...AlertSettings.recipientsMax).contains(email.to.count) else {
      throw to.fault("must be a list of 1 to \(AlertSettings.recipientsMax) addresses")
    }
    switch (fields["user"], fields["password_file"]) {
    case (nil, nil): break
    case (let user?, let file?): email.account = AlertSettings.Account(user: try user.text(), passwordFile: try file.text())
    default: throw node.fault("needs \"user\" and \"password_file\" both, or neither")
    }
    return email
  }

  private static func address(_ node: SettingsNode) throws -> String {
    let text = try node.text()
    guard MailAddress.isValid(text) else { throw node.fault("must be an address such as finance@example.com") }
    return text
  }
}

internal import HTTP
internal import JobCore
internal import YAML

/// The block "webhooks" of the settings file: programs that receive events.
enum WebhooksBlock {
  static func read(_ node: SettingsNode) throws -> [WebhookSettings] {
    let webhooks = try node.list(uniqueBy: \.name, webhook)
    guard webhooks.count <= WebhookSettings.namedMax else { throw node.fault("names more than \(WebhookSettings.namedMax)") }
    return webhooks
  }

  private static func webhook(_ node: SettingsNode) throws -> WebhookSettings {
    let fields = try node.mapping(["name", "url", "url_file", "secret_file", "events", "timeout"])
    guard let name = fields["name"], let secret = fields["secret_file"] else { throw node.fault("needs \"name\" and \"secret_file\"") }
    guard try name.text().wholeMatch(of: #/[a-z0-9][a-z0-9-]{0,62}/#) != nil else {
      throw name.fault("must be lower-case letters, digits and hyphens, at most 63")
    }
    let events = try fields["events"]?.list().map { try $0.choice(WebhookSettings.Event.allCases) } ?? WebhookSettings.Event.usual
    guard !events.isEmpty else { throw node.fault("names no event") }
    var settings = WebhookSettings(
      name: try name.text(), address: try AlertsBlock.address(of: node, fields), secretFile: try secret.text(), events: Set(events))
    if let timeout = fields["timeout"] {
      try timeout.seconds(into: &settings.timeoutSeconds)
      guard WebhookSettings.timeouts.contains(settings.timeoutSeconds) else {
        throw timeout.fault("must be \(WebhookSettings.timeouts.lowerBound)s to \(WebhookSettings.timeouts.upperBound)s")
      }
    }
    if let url = fields["url"], let fault = try HTTPRequest.fault(ofURL: url.text()) {
      throw url.fault("must be https, or http to this machine: \(fault)", isSecret: true)
    }
    return settings
  }
}

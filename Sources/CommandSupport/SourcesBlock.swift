internal import JobCore
internal import Postgres
internal import YAML

/// The block "sources" of the settings file: databases that a night reads in addition to the inbox.
enum SourcesBlock {
  private static let sourcesMax = 100

  static func read(_ node: SettingsNode) throws -> [PullSource] {
    let sources = try node.list(uniqueBy: \.name, source)
    guard sources.count <= sourcesMax else { throw node.fault("has more than \(sourcesMax) sources") }
    return sources
  }

  private static func source(_ node: SettingsNode) throws -> PullSource {
    let fields = try node.mapping(["name", "kind", "url", "url_file", "query", "query_file", "relation", "watermark", "overlap"])
    guard let name = fields["name"], let kind = fields["kind"] else { throw node.fault("needs \"name\" and \"kind\"") }
    var source = PullSource(
      name: try name.text(), kind: try kind.choice(PullSource.kinds), origin: try origin(fields, of: node),
      query: try query(fields, of: node))
    if let watermark = fields["watermark"], try !source.setWatermark(watermark.text()) {
      throw watermark.fault(PullSource.watermarkRule)
    }
    if let overlap = fields["overlap"] { source.overlapSeconds = try overlap.seconds(0...604_800) }
    return source
  }

  private static func origin(_ fields: [String: SettingsNode], of node: SettingsNode) throws -> PullSource.Origin {
    switch (fields["url"], fields["url_file"]) {
    case (let url?, nil): .server(conninfo: try address(url))
    case (nil, let file?): .serverNamed(inFile: try file.text())
    case (nil, nil): .own
    default: throw node.fault("needs \"url\" or \"url_file\", not both")
    }
  }

  private static func address(_ node: SettingsNode) throws -> String {
    let text = try node.text()
    guard ServerAddress(text) != nil else { throw node.fault("\(ServerAddress.fault). \(ServerAddress.cure)", isSecret: true) }
    return text
  }

  private static func query(_ fields: [String: SettingsNode], of node: SettingsNode) throws -> String {
    switch (fields["query"], fields["query_file"], fields["relation"]) {
    case (let query?, nil, nil): try query.text()
    case (nil, let file?, nil): try PullSource.query(inFile: file.text())
    case (nil, nil, let relation?): try PullSource.query(ofRelation: relation.text())
    default: throw node.fault("needs one of \"query\", \"query_file\" and \"relation\"")
    }
  }
}

public import Domain
public import Yams

/// What is said of a file that cannot be used.
public protocol YAMLFileError: Error {
  /// What the file is, such as `job file`.
  static var file: String { get }
  /// What the whole of it says, such as `the job`.
  static var whole: String { get }
  /// What one key of it is, such as `setting`.
  static var key: String { get }

  init(description: String)
}

/// A YAML node with the key by which an operator finds it; what does not fit is refused by file, line and key.
public struct YAMLNode<Failure: YAMLFileError> {

  private let node: Node
  private let path: String
  private let file: String

  /// - Parameter root: nil for a file that says nothing.
  public init(_ root: Node?, file: String) { self.init(root ?? Node(""), at: "", file: file) }

  private init(_ node: Node, at path: String, file: String) {
    self.node = node
    self.path = path
    self.file = file
  }

  /// Characters of a value that a fault quotes.
  private static var quotedMax: Int { 100 }

  /// Words what is wrong with the node by file, line and key, and quotes its value.
  ///
  /// - Parameter isSecret: leaves the value out, where it may carry a password or stands in the wrong place.
  public func fault(_ reason: String, isSecret: Bool = false) -> Failure {
    let line = node.mark.map { ":\($0.line)" } ?? ""
    let name = path.isEmpty ? Failure.whole : "\(Failure.key) \"\(path)\""
    return Failure(description: "cannot use \(Failure.file) \"\(file)\"\(line): \(name) \(reason)\(isSecret ? "" : quoted(unless: reason))")
  }

  /// `; it is "Asia/Beijing"`; empty where the reason says it, and for a node that has no value.
  private func quoted(unless reason: String) -> String {
    guard let value = node.scalar?.string, !isNothing, !reason.contains("\"\(value)\"") else { return "" }
    let plain = String(value.prefix(Self.quotedMax).map { $0.isNewline ? " " : $0 })
    return "; it is \"\(plain)\(value.count > Self.quotedMax ? "…" : "")\""
  }

  private var isNothing: Bool { node == Node("") || node.null != nil }

  /// The children by key, none where nothing stands; a key outside `allowed` is refused by name, and Yams refuses one that
  /// is said twice.
  public func mapping(_ allowed: Set<String>) throws(Failure) -> [String: YAMLNode] {
    if isNothing { return [:] }
    guard let mapping = node.mapping else { throw fault("must be a mapping", isSecret: true) }
    var children: [String: YAMLNode] = [:]
    for (key, value) in mapping {
      let name = key.string ?? ""
      let child = YAMLNode(value, at: path.isEmpty ? name : "\(path).\(name)", file: file)
      guard allowed.contains(name) else {
        throw child.fault("is not recognized; known here: \(allowed.sorted().joined(separator: ", "))", isSecret: true)
      }
      children[name] = child
    }
    return children
  }

  /// Whole numbers above 0 by keys that are the operator's own.
  public func integers() throws(Failure) -> [String: Int64] {
    guard let mapping = node.mapping else { throw fault("must be a mapping", isSecret: true) }
    var numbers: [String: Int64] = [:]
    for (name, child) in try self.mapping(Set(mapping.compactMap { $0.key.string })) {
      numbers[name] = try child.integer()
    }
    return numbers
  }

  public func list() throws(Failure) -> [YAMLNode] {
    if isNothing { return [] }
    guard let sequence = node.sequence else { throw fault("must be a list", isSecret: true) }
    return sequence.enumerated().map { YAMLNode($0.element, at: "\(path)[\($0.offset)]", file: file) }
  }

  public func text() throws(Failure) -> String {
    guard let text = node.scalar?.string, !text.isEmpty else { throw fault("must be a text") }
    return text
  }

  public func integer(_ range: ClosedRange<Int64> = 1...Int64.max) throws(Failure) -> Int64 {
    guard let value = Int64(try text()), range.contains(value) else {
      throw fault(
        range.upperBound == .max
          ? "must be a whole number above \(range.lowerBound - 1)"
          : "must be a whole number, \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  public func instant() throws(Failure) -> Timestamp {
    guard let value = Timestamp(rfc3339: try text()) else {
      throw fault("must be an RFC 3339 instant with offset, such as 2026-05-01T00:00:00Z")
    }
    return value
  }

  public func choice<Choice: RawRepresentable<String>>(_ choices: [Choice]) throws(Failure) -> Choice {
    let text = try text()
    guard let choice = choices.first(where: { $0.rawValue == text }) else {
      throw fault("is \"\(text)\", which is not one of \(choices.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  /// Reads `90s`, `5m`, `24h` or `14d`.
  ///
  /// - Parameter others: what else the key may be, for the message.
  public func seconds(_ range: ClosedRange<Int64>? = nil, or others: String = "") throws(Failure) -> Int64 {
    let most = range.map { "\($0.lowerBound) to \($0.upperBound) seconds" } ?? "100 years at most"
    guard let seconds = DurationText.seconds(try text()), range?.contains(seconds) ?? true else {
      throw fault("must be \(others)a duration such as 90s, 15m, 24h or 14d, \(most)")
    }
    return seconds
  }

  /// As `seconds()`, into a value that stays as it is where the key is not said.
  public func seconds(into value: inout Int64) throws(Failure) { value = try seconds() }
}

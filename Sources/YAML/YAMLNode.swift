public import Domain
public import Yams

public protocol YAMLFileError: Error {
  /// Type of the file in messages, such as `job file`.
  static var file: String { get }
  /// Name of the whole content in messages, such as `the job`.
  static var whole: String { get }
  /// Name of one key in messages, such as `setting`.
  static var key: String { get }

  init(description: String)
}

/// A YAML node with its key. A node that does not fit is refused with file, line and key.
public struct YAMLNode<Failure: YAMLFileError> {
  private let node: Node
  private let path: String
  private let file: String

  /// - Parameter root: nil for an empty file.
  public init(_ root: Node?, file: String) { self.init(root ?? Node(""), at: "", file: file) }

  private init(_ node: Node, at path: String, file: String) {
    self.node = node
    self.path = path
    self.file = file
  }

  /// Maximum number of characters quoted from a value.
  private static var quotedMax: Int { 100 }

  /// Returns an error with file, line, key, reason and the quoted value.
  ///
  /// - Parameter isSecret: whether the value is omitted, because it may contain a password or is misplaced.
  public func fault(_ reason: String, isSecret: Bool = false) -> Failure {
    let line = node.mark.map { ":\($0.line)" } ?? ""
    let name = path.isEmpty ? Failure.whole : "\(Failure.key) \"\(path)\""
    return Failure(description: "cannot use \(Failure.file) \"\(file)\"\(line): \(name) \(reason)\(isSecret ? "" : quoted(unless: reason))")
  }

  /// Returns the value for a message, such as `; it is "Asia/Beijing"`; empty if the reason contains it, or the node has no value.
  private func quoted(unless reason: String) -> String {
    guard let value = node.scalar?.string, !isNothing, !reason.contains("\"\(value)\"") else { return "" }
    let plain = String(value.prefix(Self.quotedMax).map { $0.isNewline ? " " : $0 })
    return "; it is \"\(plain)\(value.count > Self.quotedMax ? "…" : "")\""
  }

  public var isNothing: Bool { node == Node("") || node.null != nil }

  /// Returns the children by key; an empty node has none. A key outside `allowed` is refused by name; Yams refuses repeated keys.
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

  /// Returns whole numbers above 0 by keys that the operator chooses.
  public func integers() throws(Failure) -> [String: Int64] {
    var numbers: [String: Int64] = [:]
    for (name, child) in try children() { numbers[name] = try child.integer() }
    return numbers
  }

  public var isMapping: Bool { node.mapping != nil }

  /// Returns the children by keys that the operator chooses.
  public func children() throws(Failure) -> [String: YAMLNode] {
    guard let mapping = node.mapping else { throw fault("must be a mapping", isSecret: true) }
    return try self.mapping(Set(mapping.compactMap { $0.key.string }))
  }

  public func list() throws(Failure) -> [YAMLNode] {
    if isNothing { return [] }
    guard let sequence = node.sequence else { throw fault("must be a list", isSecret: true) }
    return sequence.enumerated().map { YAMLNode($0.element, at: "\(path)[\($0.offset)]", file: file) }
  }

  /// Reads a list of elements with different names.
  ///
  /// - Parameter twice: the fault of a name that two elements have.
  public func list<Element>(
    uniqueBy name: KeyPath<Element, String>, twice: (String) -> String = { "names \"\($0)\" twice" }, _ read: (YAMLNode) throws -> Element
  ) throws -> [Element] {
    let elements = try list().map(read)
    let repeated = Dictionary(grouping: elements) { $0[keyPath: name] }.filter { $0.value.count > 1 }.keys.min()
    if let repeated { throw fault(twice(repeated)) }
    return elements
  }

  public func text() throws(Failure) -> String {
    guard let text = node.scalar?.string, !text.isEmpty else { throw fault("must be a text") }
    return text
  }

  /// Returns a text that may also be empty, or a word that YAML reads as something else, such as `null`.
  public func textOrEmpty() throws(Failure) -> String {
    guard let text = node.scalar?.string else { throw fault("must be a text") }
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
      throw fault("is not one of \(choices.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  public func choice(_ words: [String]) throws(Failure) -> String {
    let text = try text()
    guard words.contains(text) else { throw fault("is not one of \(words.joined(separator: ", "))") }
    return text
  }

  /// Reads `90s`, `5m`, `24h` or `14d`.
  ///
  /// - Parameter others: other accepted values, for the message.
  public func seconds(_ range: ClosedRange<Int64>? = nil, or others: String = "") throws(Failure) -> Int64 {
    let most = range.map { "\($0.lowerBound) to \($0.upperBound) seconds" } ?? "100 years at most"
    guard let seconds = DurationText.seconds(try text()), range?.contains(seconds) ?? true else {
      throw fault("must be \(others)a duration such as 90s, 15m, 24h or 14d, \(most)")
    }
    return seconds
  }

  /// Reads a duration like `seconds()` into a variable.
  public func seconds(into value: inout Int64) throws(Failure) { value = try seconds() }
}

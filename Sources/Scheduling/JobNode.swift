internal import Domain
internal import Yams

/// A YAML node with the key by which an operator finds it.
struct JobNode {
  private let node: Node
  private let path: String
  private let file: String

  init(_ node: Node, at path: String, file: String) {
    self.node = node
    self.path = path
    self.file = file
  }

  func fault(_ reason: String) -> JobFileError {
    let line = node.mark.map { ":\($0.line)" } ?? ""
    let name = path.isEmpty ? "the job" : "key \"\(path)\""
    return JobFileError(description: "cannot use job file \"\(file)\"\(line): \(name) \(reason)")
  }

  /// The children by key; a key outside `allowed` is refused by name, and Yams refuses one that is said twice.
  func mapping(_ allowed: Set<String>) throws(JobFileError) -> [String: JobNode] {
    guard let mapping = node.mapping else { throw fault("must be a mapping") }
    var children: [String: JobNode] = [:]
    for (key, value) in mapping {
      let name = key.string ?? ""
      let child = JobNode(value, at: path.isEmpty ? name : "\(path).\(name)", file: file)
      guard allowed.contains(name) else {
        throw child.fault("is not recognized; known here: \(allowed.sorted().joined(separator: ", "))")
      }
      children[name] = child
    }
    return children
  }

  func list() throws(JobFileError) -> [JobNode] {
    guard let sequence = node.sequence else { throw fault("must be a list") }
    return sequence.enumerated().map { JobNode($0.element, at: "\(path)[\($0.offset)]", file: file) }
  }

  func text() throws(JobFileError) -> String {
    guard let text = node.scalar?.string, !text.isEmpty else { throw fault("must be a text") }
    return text
  }

  func integer(_ range: ClosedRange<Int64>) throws(JobFileError) -> Int64 {
    guard let value = Int64(try text()), range.contains(value) else {
      throw fault("must be a whole number, \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func choice<Choice: RawRepresentable<String>>(_ choices: [Choice]) throws(JobFileError) -> Choice {
    let text = try text()
    guard let choice = choices.first(where: { $0.rawValue == text }) else {
      throw fault("is \"\(text)\", which is not one of \(choices.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  /// Reads `90s`, `5m`, `24h` or `14d`.
  ///
  /// - Parameter others: what else the key may be, for the message.
  func seconds(_ range: ClosedRange<Int64>, or others: String = "") throws(JobFileError) -> Int64 {
    guard let seconds = DurationText.seconds(try text()), range.contains(seconds) else {
      throw fault(
        "must be \(others)a duration such as 90s, 15m, 24h or 14d, \(range.lowerBound) to \(range.upperBound) seconds")
    }
    return seconds
  }
}

/// How the rows of an input file are written.
public enum InputFormat: String, Sendable, CaseIterable {
  case csv
  case ndjson

  /// Format that a file's name tells; nil when it tells none.
  public init?(path: String) {
    var name = path.split(separator: "/").last ?? ""
    // What a packed file holds is told by the name that it had before.
    if let ending = Packing.endings.keys.first(where: { name.lowercased().hasSuffix($0) }) {
      name = name.dropLast(ending.count)
    }
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "csv": self = .csv
    case "ndjson", "jsonl", "json": self = .ndjson
    default: return nil
    }
  }
}

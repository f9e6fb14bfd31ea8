public enum InputFormat: String, Sendable, CaseIterable {
  case csv
  case ndjson

  /// Derives the format from a file's name. Returns nil when the name has no known extension.
  public init?(path: String) {
    var name = path.split(separator: "/").last ?? ""
    // A compressed file's format is given by its name without the compression extension.
    if let ending = Packing.endings.keys.first(where: { name.lowercased().hasSuffix($0) }) {
      name = name.dropLast(ending.count)
    }
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "csv", "tsv": self = .csv
    case "ndjson", "jsonl", "json": self = .ndjson
    default: return nil
    }
  }

  /// Determines an input's format: as named, by the file's name, or else by the first byte of its content.
  init(of window: inout InputWindow, named: InputFormat?) throws(IntakeError) {
    if let known = named ?? InputFormat(path: window.file) {
      self = known
      return
    }
    while true {
      // The zeros of UTF-16 separate nothing.
      let first = window.bytes[window.start..<window.end].first { !ASCII.isSpace($0) && $0 != 0 }
      if first == nil, window.count <= IntakeLimits.recordBytesMax, try window.fill() { continue }
      self = first == ASCII.openBrace ? .ndjson : .csv
      return
    }
  }
}

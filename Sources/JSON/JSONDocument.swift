/// A JSON text, parsed once into a flat list of value positions: 16 bytes a value.
///
/// The parser is strict: UTF-8, no repeated names, bounded depth, a bounded number of values. Repeated names are refused because two
/// readers could take different values from one signed text.
/// - Source: RFC 8259.
final class JSONDocument: Sendable {
  enum Kind: UInt8 {
    case null, yes, no, number, text, escapedText, array, object
  }

  /// One value, or the name of a member, which precedes the member's value.
  struct Node {
    /// Start of the value in the text; a string excludes its quotes, a container includes its brackets.
    var start: UInt32
    var end: UInt32
    /// Index of the node after this one and all its descendants.
    var next: UInt32
    var kind: Kind
  }

  let bytes: ArraySlice<UInt8>
  let nodes: [Node]

  /// Parses a whole text.
  init(_ bytes: ArraySlice<UInt8>) throws(JSONFault) {
    guard bytes.count <= JSONLimits.bytesMax else {
      throw JSONFault("json.long", ["max": "\(JSONLimits.bytesMax)"], offset: JSONLimits.bytesMax)
    }
    var builder = Builder(bytes.count)
    try builder.read(bytes.span)
    self.bytes = bytes
    nodes = builder.nodes
  }

  /// Returns the original bytes of a value.
  func slice(_ node: Int) -> ArraySlice<UInt8> {
    bytes[(bytes.startIndex + Int(nodes[node].start))..<(bytes.startIndex + Int(nodes[node].end))]
  }

  /// Returns the unescaped bytes of a string.
  func plain(_ node: Int) -> ArraySlice<UInt8> {
    guard nodes[node].kind == .escapedText else { return slice(node) }
    let bytes = bytes
    var output: [UInt8] = []
    JSONScanner.appendPlain(bytes.span, Int(nodes[node].start)..<Int(nodes[node].end), to: &output)
    return output[...]
  }

  func isText(_ node: Int) -> Bool { nodes[node].kind == .text || nodes[node].kind == .escapedText }

  func text(_ node: Int) -> String { String(decoding: plain(node), as: UTF8.self) }

  func isName(_ node: Int, _ name: String) -> Bool {
    let entry = nodes[node]
    if entry.kind == .escapedText { return plain(node).elementsEqual(name.utf8) }
    guard Int(entry.end - entry.start) == name.utf8.count else { return false }
    return slice(node).elementsEqual(name.utf8)
  }

  func value(_ node: Int) -> JSONValue {
    switch nodes[node].kind {
    case .null: .null
    case .yes: .bool(true)
    case .no: .bool(false)
    case .number: .number(String(decoding: slice(node), as: UTF8.self))
    case .text, .escapedText: .string(text(node))
    case .array: .array(JSONArray(self, node))
    case .object: .object(JSONObject(self, node))
    }
  }
}

extension JSONDocument {
  /// Returns the nodes of a list's elements, or of the names of an object's members; a value is the node after its name.
  func children(of node: Int) -> UnfoldSequence<Int, Int> {
    let end = Int(nodes[node].next)
    let valueOffset = nodes[node].kind == .object ? 1 : 0
    return sequence(state: node + 1) { at in
      guard at < end else { return nil }
      defer { at = Int(self.nodes[at + valueOffset].next) }
      return at
    }
  }

  /// Returns the ranges of an object's scalars whose member name satisfies `isTaken`. Scalars in a list count under the list's name.
  func valueRanges(in object: Int, where isTaken: (String) -> Bool) -> [Range<Int>] {
    children(of: object).flatMap { name in valueRanges(of: name + 1, isNamed: isTaken(text(name)), where: isTaken) }
  }

  private func valueRanges(of node: Int, isNamed: Bool, where isTaken: (String) -> Bool) -> [Range<Int>] {
    switch nodes[node].kind {
    case .object: valueRanges(in: node, where: isTaken)
    case .array: children(of: node).flatMap { valueRanges(of: $0, isNamed: isNamed, where: isTaken) }
    default: isNamed ? [Int(nodes[node].start)..<Int(nodes[node].end)] : []
    }
  }
}

/// Limits on the memory that one JSON text may occupy.
public enum JSONLimits {
  public static let bytesMax = 64 << 20
  /// Maximum number of values in a text; Apple's largest answers have some hundred thousand.
  public static let valuesMax = 1_000_000
  /// Maximum nesting; Apple's payloads have five levels.
  public static let depthMax = 32
}

extension JSONDocument {
  fileprivate struct Builder {
    private(set) var nodes: [Node] = []
    private var scanner: JSONScanner
    private var valueCount = 0
    private var names = NameTable()

    /// Lower bound of the bytes per value with its name, for the initial capacity.
    private static let bytesPerNode = 16
    private static let reservedMax = 4096

    init(_ count: Int) {
      scanner = JSONScanner(0..<count)
      nodes.reserveCapacity(min(Self.reservedMax, count / Self.bytesPerNode + 2))
    }

    mutating func read(_ bytes: Span<UInt8>) throws(JSONFault) {
      if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { scanner.position = 3 }
      do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: bytes)
      } catch {
        throw JSONFault("json.utf8", offset: error.byteOffsets.lowerBound)
      }
      try value(bytes, depth: 0)
      scanner.skipSpace(bytes)
      guard scanner.position == bytes.count else { throw fault("json.after") }
    }

    private func fault(_ key: String, _ values: [String: String] = [:]) -> JSONFault {
      JSONFault(key, values, offset: scanner.position)
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) {
      guard depth < JSONLimits.depthMax else { throw fault("json.deep", ["max": "\(JSONLimits.depthMax)"]) }
      valueCount += 1
      guard valueCount <= JSONLimits.valuesMax else { throw fault("json.values", ["max": "\(JSONLimits.valuesMax)"]) }
      scanner.skipSpace(bytes)
      let start = scanner.position
      switch scanner.current(bytes) {
      case 0x7B?: try object(bytes, depth: depth)
      case 0x5B?: try array(bytes, depth: depth)
      case 0x22?: try text(bytes)
      case 0x74? where scanner.take(bytes, word: "true"): add(.yes, start..<scanner.position)
      case 0x66? where scanner.take(bytes, word: "false"): add(.no, start..<scanner.position)
      case 0x6E? where scanner.take(bytes, word: "null"): add(.null, start..<scanner.position)
      case 0x2D?, 0x30?, 0x31?, 0x32?, 0x33?, 0x34?, 0x35?, 0x36?, 0x37?, 0x38?, 0x39?:
        add(.number, try scanner.number(bytes))
      case nil: throw fault("json.early")
      default: throw fault("json.unexpected")
      }
    }

    private mutating func add(_ kind: Kind, _ range: Range<Int>) {
      nodes.append(Node(start: UInt32(range.lowerBound), end: UInt32(range.upperBound), next: UInt32(nodes.count + 1), kind: kind))
    }

    private mutating func text(_ bytes: Span<UInt8>) throws(JSONFault) {
      let text = try scanner.text(bytes)
      add(text.hasEscapes ? .escapedText : .text, text.range)
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) {
      let node = open(.array)
      if !isClosed(bytes, 0x5D) {
        repeat { try value(bytes, depth: depth + 1) } while try takeSeparator(bytes, 0x5D)
      }
      close(node)
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) {
      let node = open(.object)
      var memberCount = 0
      if !isClosed(bytes, 0x7D) {
        repeat {
          scanner.skipSpace(bytes)
          guard scanner.current(bytes) == 0x22 else { throw fault("json.name") }
          try text(bytes)
          scanner.skipSpace(bytes)
          guard scanner.take(bytes, 0x3A) else { throw fault("json.colon") }
          try value(bytes, depth: depth + 1)
          memberCount += 1
        } while try takeSeparator(bytes, 0x7D)
      }
      close(node)
      try requireDistinctNames(bytes, node, memberCount)
    }

    private mutating func open(_ kind: Kind) -> Int {
      add(kind, scanner.position..<scanner.position)
      scanner.position += 1
      return nodes.count - 1
    }

    private mutating func close(_ node: Int) {
      nodes[node].end = UInt32(scanner.position)
      nodes[node].next = UInt32(nodes.count)
    }

    private mutating func isClosed(_ bytes: Span<UInt8>, _ closing: UInt8) -> Bool {
      scanner.skipSpace(bytes)
      return scanner.take(bytes, closing)
    }

    /// Consumes a comma or the closing bracket. Returns whether it was a comma.
    private mutating func takeSeparator(_ bytes: Span<UInt8>, _ closing: UInt8) throws(JSONFault) -> Bool {
      scanner.skipSpace(bytes)
      if scanner.take(bytes, 0x2C) { return true }
      if scanner.take(bytes, closing) { return false }
      throw fault(scanner.position < scanner.end ? "json.comma" : "json.early")
    }

    private mutating func requireDistinctNames(_ bytes: Span<UInt8>, _ node: Int, _ count: Int) throws(JSONFault) {
      names.clear()
      var at = node + 1
      for _ in 0..<count {
        guard names.insert(at, nodes, bytes) else {
          let name = NameTable.plain(at, nodes, bytes)
          let shown = String(String(decoding: name.prefix(240), as: UTF8.self).prefix(60))
          throw JSONFault("json.repeated", ["name": shown], offset: Int(nodes[at].start))
        }
        at = Int(nodes[at + 1].next)
      }
    }
  }

  /// The names of one object: a few are compared one by one, many are looked up by their bytes.
  private struct NameTable {
    private static let linearMax = 32
    private var places: [Int] = []
    /// Unescaped names; `Set` hashes them with a seed that differs between processes, so that names cannot be chosen to collide.
    private var many: Set<[UInt8]> = []

    mutating func clear() {
      places.removeAll(keepingCapacity: true)
      many.removeAll()
    }

    /// Inserts a name. Returns false when it is repeated.
    mutating func insert(_ node: Int, _ nodes: [Node], _ bytes: Span<UInt8>) -> Bool {
      if places.count < Self.linearMax {
        for place in places where Self.isEqual(place, node, nodes, bytes) { return false }
        places.append(node)
        return true
      }
      if many.isEmpty { many = Set(places.map { Self.plain($0, nodes, bytes) }) }
      return many.insert(Self.plain(node, nodes, bytes)).inserted
    }

    static func plain(_ node: Int, _ nodes: [Node], _ bytes: Span<UInt8>) -> [UInt8] {
      var output: [UInt8] = []
      JSONScanner.appendPlain(bytes, Int(nodes[node].start)..<Int(nodes[node].end), to: &output)
      return output
    }

    private static func isEqual(_ one: Int, _ other: Int, _ nodes: [Node], _ bytes: Span<UInt8>) -> Bool {
      if nodes[one].kind == .escapedText || nodes[other].kind == .escapedText {
        return plain(one, nodes, bytes) == plain(other, nodes, bytes)
      }
      let (left, right) = (Int(nodes[one].start), Int(nodes[other].start))
      let count = Int(nodes[one].end) - left
      guard count == Int(nodes[other].end) - right else { return false }
      return (0..<count).allSatisfy { bytes[left + $0] == bytes[right + $0] }
    }
  }
}

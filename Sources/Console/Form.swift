internal import JSON

/// Strictly decoded fields of a form or query.
struct Form: Sendable {
  private var values: [String: [String]] = [:]
  var file: UploadedFile?
  /// Whether a program sent it. A program may leave out a choice, which then has its default; a person must choose.
  private(set) var isOfProgram = false

  init() {}

  /// Returns nil for a truncated escape, invalid UTF-8, a NUL or too many fields.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "&")
    guard parts.count <= ConsoleLimits.fieldsMax else { return nil }
    for part in parts {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(pair[0]), let value = Self.decoded(pair.count > 1 ? pair[1] : "") else { return nil }
      values[name, default: []].append(value)
    }
  }

  /// Field names that a program may send, besides the list of cases.
  static let names = [
    "reason", "note", "action", "outcome", "order", "charge", "break", "until", "assignee", "apple", "unasked", "proposal", "preview",
  ]

  /// Returns nil for an unknown name, a value of another type or a repeated name.
  init?(_ object: JSONObject) {
    isOfProgram = true
    for member in object.members {
      if member.name == "cases", case .array(let items) = member.value, values["case"] == nil {
        guard let cases = Self.texts(items) else { return nil }
        values["case"] = cases
        continue
      }
      guard Self.names.contains(member.name), case .string(let text) = member.value, values[member.name] == nil,
        !text.utf8.contains(0)
      else { return nil }
      values[member.name] = [text]
    }
  }

  /// Returns nil for values that are not strings, and for too many values.
  private static func texts(_ items: JSONArray) -> [String]? {
    var texts: [String] = []
    for item in items {
      guard case .string(let text) = item, !text.utf8.contains(0), texts.count < ConsoleLimits.fieldsMax else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// The last value of a field; empty if missing.
  subscript(_ name: String) -> String { values[name]?.last ?? "" }

  mutating func set(_ name: String, _ value: String) { values[name] = [value] }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.first != "+", digits.first != "-", let value = UInt8(digits, radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}

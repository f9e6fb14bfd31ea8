internal import Wording

/// How the rows of another platform become rows of payrecon: the text of the file, and the source of each column.
public struct InputMapping: Sendable, Hashable {
  /// Key in the settings file, for messages, such as `inputs.orders`.
  public var key: String
  /// Pattern of file names, or of names of database sources, with `*` and `?`; nil for all others.
  public var files: String?
  /// nil is UTF-8. A byte order mark in the file has precedence.
  public var encoding: TextEncoding?
  /// Byte between two values; nil finds it in the header.
  public var separator: UInt8?
  /// Byte around a value that contains the separator.
  public var quote = UInt8(ascii: "\"")
  /// Values that state nothing, such as `NULL`.
  public var nulls: [String] = []
  /// At most one per column of payrecon, in the order of the kind's columns.
  public var columns: [ColumnMapping] = []
  /// Whether rows come from a database, as JSON in UTF-8.
  public private(set) var isOfDatabase = false

  public init(key: String) { self.key = key }

  /// Returns whether the mapping applies to a file or source of this name.
  public func applies(to name: String) -> Bool {
    files.map { NamePattern($0).matches(name) } ?? true
  }

  /// The mapping for rows that a database returned as JSON.
  public var ofDatabaseRows: InputMapping {
    var mapping = self
    mapping.encoding = nil
    mapping.isOfDatabase = true
    return mapping
  }

  /// Returns the first column that the mapping names and the input does not have, with its setting; nil if there is none.
  func absentColumn(among names: [String]) -> (setting: String, name: String)? {
    for column in columns {
      let setting = "\(key).columns.\(column.target)"
      if case .column(let name) = column.source, !names.contains(name) { return (setting, name) }
      if case .instant(let format) = column.conversion, let name = format.offsetColumn, !names.contains(name) {
        return ("\(setting).offset", name)
      }
    }
    return nil
  }

  /// Checks that the rows of a query have every column that the mapping names.
  ///
  /// - Parameters:
  ///   - header: the query's columns as a line of CSV.
  ///   - title: how a message names the source.
  /// - Throws: `IntakeError` naming the setting and the columns.
  package func check(header: [UInt8], of title: String) throws(IntakeError) {
    let names = try CSVHeader.names(in: header, file: title, line: 1)
    guard let absent = absentColumn(among: names) else { return }
    throw IntakeError(
      file: title,
      reason: Phrase(
        "intake.rows_column",
        ["setting": .plain("\"\(absent.setting)\""), "column": .plain("\"\(absent.name)\""), "names": .plain(FlatObject.list(names))]),
      hint: "Correct the settings or the query; nothing of this source was read.")
  }

  /// Whether the settings state nothing.
  public var isEmpty: Bool {
    columns.isEmpty && encoding == nil && separator == nil && quote == ASCII.quote && nulls.isEmpty
  }

  /// Keys below `key` and their values, for the list of settings.
  public var entries: [(key: String, value: String)] {
    var entries: [(String, String)] = []
    if let files { entries.append(("files", files)) }
    if let encoding { entries.append(("encoding", encoding.rawValue)) }
    if let separator { entries.append(("separator", YAMLText.scalar(Self.shown(separator)))) }
    if quote != ASCII.quote { entries.append(("quote", YAMLText.scalar(Self.shown(quote)))) }
    if !nulls.isEmpty { entries.append(("nulls", "[\(nulls.map(YAMLText.scalar).joined(separator: ", "))]")) }
    return entries + columns.map { ("columns.\($0.target)", $0.text) }
  }

  /// The canonical text of what decides how a file is read, without the pattern of names.
  public var canonicalText: String {
    entries.filter { $0.key != "files" }.map { "\($0.key): \($0.value)\n" }.joined()
  }

  /// The word for a separator or quote, for a reader.
  static func shown(_ byte: UInt8) -> String {
    byte == 0 ? "none" : byte == ASCII.tab ? "tab" : String(UnicodeScalar(byte))
  }
}

/// The source of one column of payrecon.
public struct ColumnMapping: Sendable, Hashable {
  public enum Source: Sendable, Hashable {
    case column(String)
    /// The same value in every row.
    case constant(String)
    /// No value, although the input has a column of this name.
    case nothing
  }

  public enum Conversion: Sendable, Hashable {
    case none
    /// Values by the words of the source; another word is an error.
    case values([String: String])
    case instant(InstantFormat)
    /// An amount; `mark` separates its decimals, and nil reads only texts that are unambiguous.
    case money(MoneyUnit, mark: DecimalMark? = nil)
  }

  public var target: String
  public var source: Source
  public var conversion: Conversion

  public init(target: String, source: Source, conversion: Conversion = .none) {
    self.target = target
    self.source = source
    self.conversion = conversion
  }

  /// The mapping as it is written in the settings file, on one line.
  public var text: String {
    let from: String
    switch source {
    case .constant(let value): return "{value: \(YAMLText.scalar(value))}"
    case .nothing: return "null"
    case .column(let name): from = YAMLText.scalar(name)
    }
    switch conversion {
    case .none: return from
    case .values(let values):
      let pairs = values.sorted { $0.key < $1.key }.map { "\(YAMLText.scalar($0.key)): \(YAMLText.scalar($0.value))" }
      return "{from: \(from), values: {\(pairs.joined(separator: ", "))}}"
    case .instant(let format): return "{from: \(from)\(format.text)}"
    case .money(let unit, let mark):
      return "{from: \(from), unit: \(unit.rawValue)\(mark.map { ", decimal_mark: \($0.rawValue)" } ?? "")}"
    }
  }
}

/// The unit of an amount of money in another platform's rows.
public enum MoneyUnit: String, Sendable, Hashable, CaseIterable {
  /// Whole numbers of the currency's smallest unit: fen, cents, yen.
  case minor
  /// Decimals of the currency unit.
  case decimal
  /// Whole thousandths of the currency unit, as payrecon stores them.
  case milliunits
}

/// The character between whole units and decimals.
public enum DecimalMark: String, Sendable, Hashable, CaseIterable {
  case point, comma
}

/// A pattern of names in which `*` stands for any text and `?` for one character.
struct NamePattern {
  private let pattern: [Character]

  init(_ text: String) { pattern = Array(text) }

  func matches(_ name: String) -> Bool {
    let name = Array(name)
    var (at, position) = (0, 0)
    // Position of the last star, and of the text that it stands for so far.
    var star: (pattern: Int, text: Int)?
    while position < name.count {
      if at < pattern.count, pattern[at] == "*" {
        star = (at, position)
        at += 1
      } else if at < pattern.count, pattern[at] == "?" || pattern[at] == name[position] {
        at += 1
        position += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        at = last.pattern + 1
        position = last.text + 1
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == "*" }
  }
}

enum YAMLText {
  /// Returns a value as a plain scalar, or in quotes if it would be read as something else.
  static func scalar(_ text: String) -> String {
    let plain = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "_.-+/*".unicodeScalars.contains(scalar)
    }
    let isReserved = ["", "null", "~", "true", "false", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
    let first = text.unicodeScalars.first.map { $0.properties.isAlphabetic || $0.properties.numericType != nil } ?? false
    // A reader of YAML would write 01 and 1.0 as 1.
    let isOtherNumber = Double(text) != nil && Int(text).map(String.init) != text
    guard !plain || isReserved || !first || isOtherNumber else { return text }
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\t": "\\t"
      case "\n": "\\n"
      default: scalar.value < 0x20 ? "\\x\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))" : String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}

internal import Intake
internal import JobCore
internal import TimeZones
internal import YAML

/// The mapping of a kind of input in the settings file: `columns` and the form of the text, or a list of them by file name.
enum MappingBlock {
  /// Maximum number of mappings by file name, of values that state nothing, and of values that one column maps.
  private static let mappingsMax = 100
  private static let nullsMax = 20
  private static let valuesMax = 10_000
  private static let constantBytesMax = 255

  /// Reads the mappings of a kind: those of `mappings` first, then the one of the block itself.
  static func read(_ fields: [String: SettingsNode], of node: SettingsNode, _ kind: InputKind) throws -> [InputMapping] {
    guard let rowType = kind.rowType else {
      for key in ["encoding", "separator", "quote", "nulls", "columns", "mappings"] {
        if let field = fields[key] { throw field.fault("is for orders, users and catalogue only", isSecret: true) }
      }
      return []
    }
    let key = "inputs.\(kind.rawValue)"
    var mappings = try (fields["mappings"]?.list() ?? []).enumerated().map { index, node in
      let fields = try node.mapping(["files", "encoding", "separator", "quote", "nulls", "columns"])
      guard let files = fields["files"] else { throw node.fault("needs \"files\"", isSecret: true) }
      var mapping = try mapping(fields, key: "\(key).mappings[\(index)]", rowType)
      mapping.files = try files.text()
      return mapping
    }
    guard mappings.count <= mappingsMax else { throw node.fault("has more than \(mappingsMax) mappings", isSecret: true) }
    let whole = try mapping(fields, key: key, rowType)
    if !whole.isEmpty { mappings.append(whole) }
    return mappings
  }

  private static func mapping(_ fields: [String: SettingsNode], key: String, _ rowType: any InputRow.Type) throws -> InputMapping {
    var mapping = InputMapping(key: key)
    if let node = fields["encoding"] {
      guard let encoding = TextEncoding(named: try node.text()) else {
        throw node.fault("is not one of \(TextEncoding.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      mapping.encoding = encoding
    }
    if let node = fields["separator"] { mapping.separator = try separator(node) }
    if let node = fields["quote"] { mapping.quote = try quote(node) }
    if mapping.separator == mapping.quote, let node = fields["separator"] { throw node.fault("is also the quote") }
    if let node = fields["nulls"] {
      mapping.nulls = try node.list().map { try $0.textOrEmpty() }
      guard mapping.nulls.count <= nullsMax else { throw node.fault("has more than \(nullsMax) values", isSecret: true) }
    }
    let mapped = try fields["columns"]?.mapping(Set(rowType.columnNames)) ?? [:]
    mapping.columns = try rowType.columnNames.compactMap { name in try mapped[name].map { try column($0, name, rowType) } }
    return mapping
  }

  private static func separator(_ node: SettingsNode) throws -> UInt8 {
    let text = try node.textOrEmpty()
    if text == "tab" || text == "\\t" { return UInt8(ascii: "\t") }
    guard let byte = text.utf8.first, text.utf8.count == 1, byte < 0x7F, byte != 0x0A, byte != 0x0D, byte != 0 else {
      throw node.fault("must be one ASCII character, or tab")
    }
    return byte
  }

  /// Reads a quote; 0 stands for none.
  private static func quote(_ node: SettingsNode) throws -> UInt8 {
    let text = try node.textOrEmpty()
    guard text != "none" else { return 0 }
    guard let byte = text.utf8.first, text == "\"" || text == "'" else { throw node.fault("is not one of \", ', none") }
    return byte
  }

  private static func column(_ node: SettingsNode, _ name: String, _ rowType: any InputRow.Type) throws -> ColumnMapping {
    let nothing = ColumnMapping(target: name, source: .nothing)
    if node.isNothing { return nothing }
    guard node.isMapping else { return ColumnMapping(target: name, source: .column(try node.text())) }
    let fields = try node.mapping(["from", "value", "values", "zone", "format", "offset", "unit", "decimal_mark"])
    if let value = fields["value"] {
      guard fields.count == 1 else {
        throw node.fault("has a \"value\" for every row, so it cannot have \"from\" or another key", isSecret: true)
      }
      return value.isNothing ? nothing : ColumnMapping(target: name, source: .constant(try constant(value, name, rowType)))
    }
    guard let from = fields["from"] else { throw node.fault("needs \"from\" or \"value\"", isSecret: true) }
    let conversion = try conversion(fields, node, name, rowType)
    return ColumnMapping(target: name, source: .column(try from.text()), conversion: conversion)
  }

  /// - Returns: the text; empty for null, which states nothing.
  private static func constant(_ node: SettingsNode, _ name: String, _ rowType: any InputRow.Type) throws -> String {
    let text = node.isNothing ? "" : try node.text()
    guard text.utf8.count <= constantBytesMax else { throw node.fault("is longer than \(constantBytesMax) bytes") }
    if let fault = rowType.fault(of: text, in: name) { throw node.fault("cannot be \(name): \(fault)") }
    return text
  }

  private static func conversion(
    _ fields: [String: SettingsNode], _ node: SettingsNode, _ name: String, _ rowType: any InputRow.Type
  ) throws -> ColumnMapping.Conversion {
    let isInstant = ["zone", "format", "offset"].contains { fields[$0] != nil }
    let kinds = [fields["values"] != nil, isInstant, fields["unit"] != nil].count { $0 }
    guard kinds <= 1 else { throw node.fault("has more than one of \"values\", \"unit\" and \"zone\" or \"format\"", isSecret: true) }
    if let values = fields["values"] { return .values(try self.values(values, name, rowType)) }
    if let unit = fields["unit"] {
      guard name.hasSuffix("_milliunits") else { throw unit.fault("is for amounts of money only") }
      return .money(try unit.choice(MoneyUnit.allCases), mark: try fields["decimal_mark"]?.choice(DecimalMark.allCases))
    }
    if let mark = fields["decimal_mark"] { throw mark.fault("is for amounts with a \"unit\" only") }
    let namesInstant = name.hasSuffix("_at") || name == "valid_from"
    // Without a zone and a format, each value states its offset.
    guard isInstant else { return namesInstant ? .instant(InstantFormat()) : .none }
    guard namesInstant else { throw node.fault("is not an instant, so it has no zone, format or offset", isSecret: true) }
    return .instant(try instant(fields, node))
  }

  private static func values(_ node: SettingsNode, _ name: String, _ rowType: any InputRow.Type) throws -> [String: String] {
    let values = try node.children()
    guard !values.isEmpty else { throw node.fault("maps no value", isSecret: true) }
    guard values.count <= valuesMax else { throw node.fault("maps more than \(valuesMax) values", isSecret: true) }
    return try values.mapValues { value in try constant(value, name, rowType) }
  }

  private static func instant(_ fields: [String: SettingsNode], _ node: SettingsNode) throws -> InstantFormat {
    var format = InstantFormat()
    if let zone = fields["zone"] {
      let name = try zone.text()
      guard let rules = try? TimeZoneRules(named: name) else {
        throw zone.fault("is not an IANA time zone name of this system, such as Asia/Shanghai")
      }
      format.zone = rules
    }
    if let offset = fields["offset"] { format.offsetColumn = try offset.text() }
    if let pattern = fields["format"] {
      guard let known = InstantPattern(try pattern.text()) else {
        throw pattern.fault(
          "is not a format such as yyyy-MM-dd HH:mm:ss: it has the letters y M d H h m s S a X, and other letters between apostrophes; "
            + "or it is unix_seconds, unix_milliseconds or unix_microseconds")
      }
      format.pattern = known
    }
    let statesInstant = format.pattern?.statesInstant ?? false
    guard statesInstant || format.zone != nil || format.offsetColumn != nil else {
      throw node.fault("has a format without an offset, so it needs \"zone\" or \"offset\"", isSecret: true)
    }
    if let zone = fields["zone"], let pattern = format.pattern, pattern.statesInstant {
      throw zone.fault("has no meaning beside \(pattern.text), which states the instant by itself")
    }
    return format
  }
}

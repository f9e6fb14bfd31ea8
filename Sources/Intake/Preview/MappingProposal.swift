public import Domain
internal import TimeZones
internal import Wording

/// Facts beside the file that a proposal uses.
public struct PreviewFacts: Sendable {
  public var apps: [(bundleID: String, timeZone: String)] = []
  /// Prices of the catalogue by product and currency, in thousandths; empty without a database.
  public var prices: [(productID: String, currency: String, milliunits: Int64)] = []
  /// Whether the settings accept a last record without a line end.
  public var finalNewlineIsOptional = false
  /// Purchase instants of Apple's transactions by id; empty without a database.
  public var purchases: [String: Timestamp] = [:]

  public init() {}
}

/// A mapping that probably reads a file, with what is doubtful about it.
struct MappingProposal {
  private(set) var mapping: InputMapping
  /// Sentences about guesses, for a reader.
  private(set) var doubts: [String] = []
  private var hasZoneDoubt = false

  private let rowType: any InputRow.Type
  private let sample: InputSample
  private let facts: PreviewFacts
  /// Columns of the file by column of payrecon.
  let sourceNames: [String: String]
  private let region: Region?
  /// The app of the settings to which the file belongs; nil if several are possible.
  private let app: (bundleID: String, timeZone: String)?
  /// The form of the first instant, for columns without a value.
  private var instantForm: ColumnMapping.Conversion?

  init(_ rowType: any InputRow.Type, _ sample: InputSample, _ facts: PreviewFacts) {
    self.rowType = rowType
    self.sample = sample
    self.facts = facts
    mapping = InputMapping(key: "inputs.\(rowType.kind)")
    var usual = ColumnNames.sources(of: rowType.columnNames, kind: rowType.kind, in: sample.names)
    let needsApp = rowType.columnNames.contains("bundle_id") && usual["bundle_id"] == nil
    let bundle = needsApp ? Self.bundleColumn(of: sample, beside: usual, facts) : nil
    if needsApp { usual["bundle_id"] = bundle }
    let nulls = Self.nulls(sample)
    mapping.nulls = nulls
    mapping.quote = sample.quote
    var guessed = ColumnGuess(sample: sample, rowType: rowType, nulls: nulls).sources(beside: usual)
    guessed["bundle_id"] = bundle
    let sourceNames = usual.merging(guessed) { first, _ in first }
    self.sourceNames = sourceNames
    let codes = sourceNames["currency"].map { Set(sample.values($0)) } ?? []
    region = Region(sample, currencies: codes)
    app = Self.app(facts.apps, of: Set(["bundle_id", "product_id"].flatMap { sourceNames[$0].map { sample.values($0) } ?? [] }))
    if sample.rows.isEmpty {
      doubts.append("the file has no rows, so formats, zones, units and words are open. Preview a file with rows.")
    }
    if sample.encoding != .utf8 { mapping.encoding = sample.encoding == .utf16LE || sample.encoding == .utf16BE ? .utf16 : sample.encoding }
    if !sample.otherEncodings.isEmpty {
      let others = sample.otherEncodings.map(\.rawValue).joined(separator: ", ")
      doubts.append(
        "encoding: \(sample.encoding.rawValue) is a guess, as the bytes are also text in \(others). Read the names and words above.")
    }
    let pairs = rowType.columnNames.compactMap { target in guessed[target].map { "\(target) is \($0)" } }
    if !pairs.isEmpty {
      doubts.append("columns without a usual name, by a part of the name or by the values: \(pairs.joined(separator: ", ")).")
    }
    for name in rowType.columnNames {
      if let column = column(name) { mapping.columns.append(column) }
    }
    sandbox()
  }

  /// Returns an unread column with a bundle id of the settings; nil if there is none.
  private static func bundleColumn(of sample: InputSample, beside usual: [String: String], _ facts: PreviewFacts) -> String? {
    let apps = Set(facts.apps.map(\.bundleID))
    return sample.names.first { !usual.values.contains($0) && !apps.isDisjoint(with: sample.values($0)) }
  }

  /// Returns the only app of the settings, or the one of the file's bundle ids and products; nil if there are several.
  private static func app(
    _ apps: [(bundleID: String, timeZone: String)], of names: Set<String>
  ) -> (bundleID: String, timeZone: String)? {
    let fitting = apps.count < 2 ? apps : apps.filter { app in names.contains { $0 == app.bundleID || $0.hasPrefix(app.bundleID + ".") } }
    let longest = fitting.max { $0.bundleID.count < $1.bundleID.count }
    return fitting.allSatisfy { longest?.bundleID.hasPrefix($0.bundleID) == true } ? longest : nil
  }

  /// Words that the file writes where there is no value.
  private static let nullWords = ["NULL", "null", "\\N", "(null)", "None", "nil", "N/A", "-", "--"]

  private static func nulls(_ sample: InputSample) -> [String] {
    let found = Set(sample.rows.flatMap(\.values)).intersection(nullWords)
    return nullWords.filter(found.contains)
  }

  /// Returns the values of a source without those that state nothing.
  private func values(_ source: String) -> [String] { sample.values(source).filter { !mapping.nulls.contains($0) } }

  /// Returns the mapping of a column; nil if the input has it under its name, or not at all.
  private mutating func column(_ target: String) -> ColumnMapping? {
    guard let source = sourceNames[target] else { return constant(target) }
    let values = values(source)
    // A number of an app is no bundle id.
    if target == "bundle_id", values.contains(where: { !$0.contains(".") }) { return app(of: source, values) }
    if target == "product_id", !values.contains(where: { $0.contains(".") }), let first = values.first {
      doubts.append("\(source): \"\(first)\" does not look like a product id of App Store Connect; if it is another, map it: values: {…}.")
    }
    let fits = values.allSatisfy { rowType.fault(of: $0, in: target) == nil }
    let isInstant = target.hasSuffix("_at") || target == "valid_from"
    if isInstant, values.isEmpty || InstantGuess.areZeros(values) && isCount(instantForm), let instantForm {
      return ColumnMapping(target: target, source: .column(source), conversion: instantForm)
    }
    let money = target == "price_milliunits" && source != target ? money(source, values) : nil
    if fits, money == nil { return source == target ? nil : ColumnMapping(target: target, source: .column(source)) }
    let mapped: ColumnMapping.Conversion? =
      if isInstant { instant(source, values) } else if target == "price_milliunits" { money ?? self.money(source, values) } else {
        words(target, source, values)
      }
    if isInstant, let mapped { instantForm = instantForm ?? mapped }
    if let mapped { return ColumnMapping(target: target, source: .column(source), conversion: mapped) }
    if target == "environment", values.allSatisfy({ $0.allSatisfy(\.isNumber) }) {
      doubts.append(
        "\(source): numbers do not say which environment they mean. Write \(hint(target, source, values)), "
          + "with Production or Sandbox for each.")
    } else {
      let fault = values.compactMap { [rowType] value in rowType.fault(of: value, in: target) }.first?.english ?? ""
      doubts.append("\(target): column \"\(source)\" looks like it, but \(fault).")
    }
    // A column that nobody needs must not park every row.
    guard rowType.requiredColumns.contains(target) else { return source == target ? ColumnMapping(target: target, source: .nothing) : nil }
    return ColumnMapping(target: target, source: .column(source))
  }

  private static let hintValuesMax = 5

  /// Returns the text of a mapping whose words a reader fills in.
  private func hint(_ target: String, _ source: String, _ values: [String]) -> String {
    let distinct = Set(values).sorted()
    let words = distinct.prefix(Self.hintValuesMax).map { "\(YAMLText.scalar($0)): …" }
    let more = distinct.count > Self.hintValuesMax ? ", …" : ""
    return "\(target): {from: \(YAMLText.scalar(source)), values: {\(words.joined(separator: ", "))\(more)}}"
  }

  private func isCount(_ form: ColumnMapping.Conversion?) -> Bool {
    if case .instant(let format)? = form { format.pattern?.unixUnit != nil } else { false }
  }

  /// Returns one app for all rows, as a platform's own codes of apps say nothing to payrecon.
  private mutating func app(of source: String, _ values: [String]) -> ColumnMapping? {
    let mapped = constant("bundle_id")
    if case .constant(let bundle)? = mapped?.source {
      doubts.append(
        "\(source): its values are no bundle ids, so every row becomes one of \"\(bundle)\". "
          + "If they are several apps, write \(hint("bundle_id", source, values)), with a bundle id for each.")
    }
    return mapped
  }

  private static let sandboxNames = ["sandbox", "issandbox", "sandboxflag", "sandboxorder", "issandboxorder", "是否沙盒", "サンドボックス"]

  /// Names a column that says whether an order is of the sandbox, and the mapping that reads it.
  private mutating func sandbox() {
    let taken = Set(sourceNames.values)
    guard rowType.columnNames.contains("environment"), sourceNames["environment"] == nil,
      let name = sample.names.first(where: { !taken.contains($0) && Self.sandboxNames.contains(ColumnNames.plain($0)) })
    else { return }
    let words = Set(values(name)).sorted().prefix(Self.hintValuesMax).reduce(into: [:]) { words, value in
      words[value] = ValueWords.word(value, in: "is_tester").map { $0 == "true" ? "Sandbox" : "Production" }
    }
    let column = ColumnMapping(target: "environment", source: .column(name), conversion: .values(words))
    let text = words.isEmpty ? hint("environment", name, values(name)) : "environment: \(column.text)"
    doubts.append("\(name): it may say which orders are of the sandbox, and is not read. To read it, write \(text).")
  }

  private mutating func constant(_ target: String) -> ColumnMapping? {
    let value: String
    switch target {
    case "bundle_id": value = bundleID()
    case "currency":
      guard let amounts = sourceNames["price_milliunits"] else { return nil }
      let named = HeaderNote.currency(amounts)
      guard let guess = named ?? region?.currency ?? Region.currency(ofZone: app?.timeZone) else {
        doubts.append("currency: the file has amounts and no currency; add currency: {value: …}.")
        return nil
      }
      let reason = named != nil ? "\(amounts) names it" : region?.reason ?? "the app's time zone points to it"
      doubts.append("currency: the file has no such column. \(guess) is proposed, because \(reason). Check it.")
      value = guess
    default: return nil
    }
    return ColumnMapping(target: target, source: .constant(value))
  }

  private mutating func bundleID() -> String {
    if let app { return app.bundleID }
    let products = sourceNames["product_id"].map { Set(values($0)) } ?? []
    let parts = products.map { $0.split(separator: ".").map(String.init) }.filter { $0.count > 2 }
    let common = parts.first.map { first in first.prefix { part in parts.allSatisfy { $0.contains(part) } } } ?? []
    let guess = common.count >= 2 ? common.prefix(3).joined(separator: ".") : facts.apps.first?.bundleID ?? "com.example.app"
    doubts.append("bundle_id: neither the file nor the settings say which app; \"\(guess)\" is a guess. Write the app's bundle id.")
    return guess
  }

  private mutating func instant(_ source: String, _ values: [String]) -> ColumnMapping.Conversion? {
    guard let form = InstantGuess.form(of: values) else { return nil }
    switch form {
    case .plain: return ColumnMapping.Conversion.none
    case .format(let pattern, let isLocal):
      if let unit = pattern?.unixUnit {
        let prefix = unit == 1 ? "micro" : unit == 1000 ? "milli" : ""
        doubts.append(
          InstantGuess.areZeros(values)
            ? "\(source): every value is 0, which states no instant; \(prefix)seconds since 1970 are a guess."
            : "\(source): the numbers are counts of \(prefix)seconds since 1970; 0 states no instant.")
      }
      return .instant(InstantFormat(pattern: pattern, zone: isLocal ? zone(source) : nil))
    case .ambiguous(let pattern):
      doubts.append("\(source): day and month can be exchanged in every value; \"\(pattern.text)\" is a guess.")
      return .instant(InstantFormat(pattern: pattern, zone: zone(source)))
    }
  }

  private mutating func zone(_ source: String) -> TimeZoneRules? {
    if let stated = HeaderNote.zone(source) { return stated }
    let guess = ZoneGuess(region, appZone: app?.timeZone, hasHan: Region.hasHan(sample))
    if !hasZoneDoubt { doubts.append("times without a zone, such as \(source): \(guess.reason)") }
    hasZoneDoubt = true
    return try? TimeZoneRules(named: guess.name)
  }

  private mutating func money(_ source: String, _ values: [String]) -> ColumnMapping.Conversion {
    let values = values.map { AmountText($0).digits }
    let guess = UnitGuess(source: source, values: values, currency: onlyCurrency)
    let marks = MarkGuess(values: values, currency: onlyCurrency, isWhole: guess.isWholeByName)
    if let doubt = marks.doubt { doubts.append("\(source): \(doubt)") }
    return .money(unit(guess, marks.mark), mark: marks.mark)
  }

  /// The currency of all amounts, as the proposed mapping reads it; nil if there are several or none is known.
  private var onlyCurrency: String? {
    guard let source = sourceNames["currency"] else {
      return sourceNames["price_milliunits"].flatMap(HeaderNote.currency) ?? region?.currency
    }
    let codes = Set(values(source).map { ValueWords.word($0, in: "currency") ?? $0.uppercased() })
    return codes.count == 1 ? codes.first : nil
  }

  /// Returns the unit of amounts, by the column's name, their decimals, the catalogue and the currency.
  private mutating func unit(_ guess: UnitGuess, _ mark: DecimalMark?) -> MoneyUnit {
    let source = guess.source
    if let doubt = guess.contradiction { doubts.append("\(source): \(doubt)") }
    if let found = guess.byForm {
      if facts.prices.isEmpty, let doubt = guess.hundredths { doubts.append("\(source): \(doubt)") }
      return found
    }
    if let found = unitByCatalogue(source, mark) { return found }
    guard !sample.rows.isEmpty else { return guess.bySize }
    doubts.append("\(source): whole numbers whose unit the file does not state; \"\(guess.bySize.rawValue)\" is a guess from their size.")
    return guess.bySize
  }

  /// Returns the unit with which most amounts are prices of the catalogue; nil if none fits half of them.
  private func unitByCatalogue(_ source: String, _ mark: DecimalMark?) -> MoneyUnit? {
    guard let product = sourceNames["product_id"], !facts.prices.isEmpty else { return nil }
    let prices = Dictionary(grouping: facts.prices, by: \.productID)
    let rows = sample.rows.filter { row in row[product].map { prices[$0] != nil } ?? false }
    let fits = MoneyUnit.allCases.map { unit in
      (
        unit,
        rows.count { row in
          (prices[row[product] ?? ""] ?? []).contains { price in
            let amount = try? unit.milliunits(Array((row[source] ?? "").utf8), currency: price.currency, mark: mark)
            return amount == price.milliunits
          }
        }
      )
    }
    guard let best = fits.max(by: { $0.1 < $1.1 }), best.1 * 2 > rows.count else { return nil }
    return best.0
  }

  private mutating func words(_ target: String, _ source: String, _ values: [String]) -> ColumnMapping.Conversion? {
    let distinct = Set(values)
    guard !distinct.isEmpty, distinct.count <= 50 else { return nil }
    var words: [String: String] = [:]
    for value in distinct {
      words[value] = rowType.fault(of: value, in: target) == nil ? value : ValueWords.word(value, in: target) ?? code(value, in: target)
    }
    if words.count == distinct.count { return .values(words) }
    guard target == "status" else { return nil }
    if let partial = statusWords(source, distinct, known: words) { return partial }
    let codes = distinct.reduce(into: [:]) { codes, text in codes[text] = StatusGuess.code(text) }
    guard codes.count == distinct.count else { return nil }
    let meanings = StatusGuess(sample: sample, status: source, sources: sourceNames, nulls: mapping.nulls).meanings(of: codes)
    doubts.append("\(source): numeric codes. \(meanings.text)Check them.")
    nameOpen(source, distinct, words: meanings.words)
    return .values(meanings.words)
  }

  /// Returns words of a status of which some are known or similar to known ones; nil if none is, as of numbers.
  private mutating func statusWords(_ source: String, _ distinct: Set<String>, known: [String: String]) -> ColumnMapping.Conversion? {
    var words = known
    for value in distinct where words[value] == nil { words[value] = StatusWords.similar(value) }
    guard !words.isEmpty else { return nil }
    let similar = words.filter { known[$0.key] == nil }.sorted { $0.key < $1.key }.map { "\($0.key) is \($0.value)" }
    if !similar.isEmpty { doubts.append("\(source): by a part of the word, \(similar.joined(separator: ", ")). Check them.") }
    nameOpen(source, distinct, words: words)
    return .values(words)
  }

  private mutating func nameOpen(_ source: String, _ distinct: Set<String>, words: [String: String]) {
    let open = distinct.filter { words[$0] == nil }.sorted().map { ConversionFault.quoted(Array($0.utf8)) }
    guard !open.isEmpty else { return }
    doubts.append("\(source): the meaning of \(open.joined(separator: ", ")) is open. Add each to values; until then, its rows are parked.")
  }

  /// Returns a code of a currency or storefront in upper case; nil for any other value.
  private func code(_ value: String, in target: String) -> String? {
    let upper = value.uppercased()
    return ["currency", "storefront", "home_storefront"].contains(target) && rowType.fault(of: upper, in: target) == nil ? upper : nil
  }
}

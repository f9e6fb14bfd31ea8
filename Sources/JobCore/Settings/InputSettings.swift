internal import Domain
public import Intake

/// Kinds of input files, in the order in which a night reads them.
public enum InputKind: String, Sendable, CaseIterable {
  case catalogue, users, orders, apple, finance, bank

  /// The type of the rows; nil for a kind without columns to map.
  package var rowType: (any InputRow.Type)? {
    switch self {
    case .catalogue: CatalogueRow.self
    case .users: UserRow.self
    case .orders: OrderRow.self
    case .apple, .finance, .bank: nil
    }
  }
}

public struct InputExpectation: Sendable, Hashable {
  /// Maximum age of the newest input in seconds; nil for any age.
  public var maxAgeSeconds: Int64?
  public var rowsMin: Int64 = 0
  /// Whether nothing can be reconciled without it. Settings cannot change this.
  public var isNeeded = false
  /// Whether a file may lack the newline after its last line.
  public var finalNewlineIsOptional = false
  /// How rows of other platforms are read: those for names of files first, then the one for all others.
  public var mappings: [InputMapping] = []

  /// Returns the mapping of a file or database source; nil if it has payrecon's columns.
  public func mapping(of name: String) -> InputMapping? { mappings.first { $0.applies(to: name) } }

  /// One entry per key of the mappings.
  package var mappingEntries: [SettingsEntry] {
    mappings.flatMap { mapping in mapping.entries.map { SettingsEntry("\(mapping.key).\($0.key)", $0.value) } }
  }
}

public struct InputSettings: Sendable, Hashable {
  /// By default: orders and Apple's evidence within the last 30 hours; no other requirements.
  private var expectations: [InputKind: InputExpectation] = [
    .orders: InputExpectation(maxAgeSeconds: 30 * 3600, rowsMin: 1, isNeeded: true),
    .apple: InputExpectation(maxAgeSeconds: 30 * 3600, rowsMin: 1, isNeeded: true),
  ]

  public subscript(kind: InputKind) -> InputExpectation {
    get { expectations[kind] ?? InputExpectation() }
    set { expectations[kind] = newValue }
  }

  /// One entry per key that can change a result.
  var entries: [SettingsEntry] {
    InputKind.allCases.flatMap { kind in
      let expectation = self[kind]
      return [
        SettingsEntry("inputs.\(kind.rawValue).max_age", expectation.maxAgeSeconds.map(DurationText.text) ?? "none"),
        SettingsEntry("inputs.\(kind.rawValue).rows_min", "\(expectation.rowsMin)"),
      ] + (expectation.finalNewlineIsOptional ? [SettingsEntry("inputs.\(kind.rawValue).final_newline", "optional")] : [])
        + expectation.mappingEntries
    }
  }
}

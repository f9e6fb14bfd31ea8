internal import Domain

/// Kinds of input that files are read for.
public enum InputKind: String, Sendable, CaseIterable {
  case orders, users, catalogue, apple, finance, bank
}

/// What a night expects of one kind of input.
public struct InputExpectation: Sendable, Hashable {
  /// Oldest that the newest of it may be, in seconds; nil for any age.
  public var maxAgeSeconds: Int64?
  /// Least rows that tell something new within that time.
  public var rowsMin: Int64
  /// Whether nothing can be reconciled without it; no settings file says otherwise.
  public var isNeeded: Bool
  /// Whether a file may end without the end of its last line.
  public var finalNewlineIsOptional = false

  public init(maxAgeSeconds: Int64?, rowsMin: Int64, isNeeded: Bool = false) {
    self.maxAgeSeconds = maxAgeSeconds
    self.rowsMin = rowsMin
    self.isNeeded = isNeeded
  }
}

/// What a night expects of its input, kind by kind.
public struct InputSettings: Sendable, Hashable {
  /// Orders and Apple's evidence of the last 30 hours; of the rest nothing.
  public static let shipped: [InputKind: InputExpectation] = [
    .orders: InputExpectation(maxAgeSeconds: 30 * 3600, rowsMin: 1, isNeeded: true),
    .apple: InputExpectation(maxAgeSeconds: 30 * 3600, rowsMin: 1, isNeeded: true),
  ]

  private var expectations = InputSettings.shipped

  public init() {}

  /// Expects nothing at all: for those who decide on a part of the facts.
  public static var nothing: InputSettings {
    var settings = InputSettings()
    settings.expectations = [:]
    return settings
  }

  public subscript(kind: InputKind) -> InputExpectation {
    get { expectations[kind] ?? InputExpectation(maxAgeSeconds: nil, rowsMin: 0) }
    set { expectations[kind] = newValue }
  }

  /// One line per key that changes a result.
  var entries: [SettingsEntry] {
    InputKind.allCases.flatMap { kind in
      let expectation = self[kind]
      return [
        SettingsEntry(
          "inputs.\(kind.rawValue).max_age", expectation.maxAgeSeconds.map(DurationText.text) ?? "none"),
        SettingsEntry("inputs.\(kind.rawValue).rows_min", "\(expectation.rowsMin)"),
      ] + (expectation.finalNewlineIsOptional ? [SettingsEntry("inputs.\(kind.rawValue).final_newline", "optional")] : [])
    }
  }
}

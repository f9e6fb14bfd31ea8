internal import Domain
internal import JobCore
internal import YAML

/// The block "inputs" of the settings file: what a night requires of each kind of input, and how other platforms' rows are read.
enum InputsBlock {
  /// Reads the expectations of one kind of input; `max_age: none` allows any age.
  static func read(_ node: SettingsNode, _ kind: InputKind, into expectation: inout InputExpectation) throws {
    let fields = try node.mapping([
      "max_age", "rows_min", "final_newline", "encoding", "separator", "quote", "nulls", "columns", "mappings",
    ])
    expectation.mappings = try MappingBlock.read(fields, of: node, kind)
    if let age = fields["max_age"] {
      if try age.text() == "none" {
        expectation.maxAgeSeconds = nil
        // Without an age there is no time span to count rows in, unless `rows_min` is set.
        expectation.rowsMin = 0
      } else {
        let seconds = try age.seconds()
        guard seconds > 0 else { throw age.fault("must be longer than 0s, or none") }
        expectation.maxAgeSeconds = seconds
      }
    }
    if let rows = fields["rows_min"] {
      guard let least = Int64(try rows.text()), least >= 0 else { throw rows.fault("must be a whole number, 0 or more") }
      expectation.rowsMin = least
    }
    guard let newline = fields["final_newline"] else { return }
    expectation.finalNewlineIsOptional = try newline.choice(["required", "optional"]) == "optional"
  }
}

public import Wording

/// The conditions under which an input is complete, apart from its content.
public struct InputEnd: Hashable, Sendable {
  /// Whether the last record may lack a line end.
  public var finalNewlineIsOptional: Bool
  /// Whether an input without records is complete.
  public var mayBeEmpty: Bool

  public init(finalNewlineIsOptional: Bool = false, mayBeEmpty: Bool = false) {
    self.finalNewlineIsOptional = finalNewlineIsOptional
    self.mayBeEmpty = mayBeEmpty
  }

  /// Conditions that every input satisfies: for stored bytes, and for files that are only previewed.
  static let anything = InputEnd(finalNewlineIsOptional: true, mayBeEmpty: true)

  /// Returns why an input that ends in a record is truncated; nil when it may end there.
  func fault(of window: borrowing InputWindow) -> Phrase? {
    guard window.endsInLine else { return nil }
    if let fault = window.fault { return Self.unpacked(fault) }
    return finalNewlineIsOptional ? nil : Self.openEnd
  }

  /// Returns why an input that was read to its end is incomplete; nil when it is complete.
  ///
  /// - Parameter isEmpty: whether the input has no record.
  func fault(of window: borrowing InputWindow, isEmpty: Bool, what: Phrase) -> Phrase? {
    if let fault = window.fault { return Self.unpacked(fault) }
    return isEmpty && !mayBeEmpty ? Phrase("intake.file_lacks", ["what": what]) : nil
  }

  /// Reason for refusing the item at the end of a truncated file.
  public static let openEnd: Phrase = "intake.half_written"

  static func unpacked(_ fault: Phrase) -> Phrase { Phrase("intake.packed_damaged", ["why": fault]) }
}

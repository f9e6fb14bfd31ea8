internal import Domain

/// What makes an input whole, apart from what is in it.
public struct InputEnd: Hashable, Sendable {
  /// Whether the last record may come without the end of its line.
  public var finalNewlineIsOptional: Bool
  /// Whether an input without any record is whole.
  public var mayBeEmpty: Bool

  public init(finalNewlineIsOptional: Bool = false, mayBeEmpty: Bool = false) {
    self.finalNewlineIsOptional = finalNewlineIsOptional
    self.mayBeEmpty = mayBeEmpty
  }

  /// For bytes that are one item as they are.
  static let anything = InputEnd(finalNewlineIsOptional: true, mayBeEmpty: true)

  /// Why an input that ends in a record was cut off there; nil when it may end so.
  func fault(of window: borrowing InputWindow) -> String? {
    guard window.endsInLine else { return nil }
    if let fault = window.fault { return Self.unpacked(fault) }
    return finalNewlineIsOptional ? nil : Self.openEnd
  }

  /// Why an input that has come to its end is not whole; nil when it is.
  ///
  /// - Parameter isEmpty: no record was in it.
  func fault(of window: borrowing InputWindow, isEmpty: Bool, what: String) -> String? {
    if let fault = window.fault { return Self.unpacked(fault) }
    return isEmpty && !mayBeEmpty ? "the file \(what)" : nil
  }

  /// Why an item that its file ends in is not taken.
  public static let openEnd =
    "the file ends in this record, which has no line end: it may be half written"

  static func unpacked(_ fault: String) -> String { "the packed file cannot be unpacked to its end (\(fault))" }
}

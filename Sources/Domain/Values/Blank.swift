extension StringProtocol {
  /// Whether the text has no visible character: only spaces, line ends, control and format characters.
  public var isBlank: Bool {
    unicodeScalars.allSatisfy { scalar in
      if scalar.properties.isWhitespace { return true }
      switch scalar.properties.generalCategory {
      case .control, .format, .unassigned: return true
      default: return false
      }
    }
  }

  /// Returns the text without certain characters at its ends. Readers of rows call it for each amount, so it is inlined there.
  @inlinable public func trimmed(_ isTrimmed: (Character) -> Bool) -> SubSequence {
    let start = drop(while: isTrimmed)
    return start[..<(start.lastIndex { !isTrimmed($0) }.map(index(after:)) ?? start.startIndex)]
  }
}

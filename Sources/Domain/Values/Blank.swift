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
}

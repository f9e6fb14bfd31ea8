extension StringProtocol {
  /// Whether nobody can see anything in it: spaces, ends of lines, control and format characters at most.
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

/// Result of a run. A later case is worse.
public enum Verdict: String, Sendable, CaseIterable, Comparable {
  case clean, pending, warnings, breaks, incomplete, failed

  public static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }

  private var rank: Int { Verdict.allCases.firstIndex(of: self) ?? 0 }

  public var exitStatus: ExitStatus {
    switch self {
    case .clean, .pending, .warnings: .clean
    case .breaks: .breaks
    case .incomplete: .incomplete
    case .failed: .error
    }
  }
}

public enum ExitStatus: Int32, Sendable {
  case clean = 0
  case breaks = 1
  case error = 2
  case incomplete = 3
  case lockHeld = 4
  case usage = 64
  case temporary = 75
}

/// Severity of a break. A later case is worse.
public enum Severity: String, Sendable, CaseIterable, Comparable {
  case low, medium, high, critical

  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  public var rank: Int { Severity.allCases.firstIndex(of: self) ?? 0 }
}

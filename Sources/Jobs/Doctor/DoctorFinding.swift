public struct DoctorFinding: Sendable {
  public var check: String
  public var isFine: Bool
  /// Whether the finding is worth knowing although nothing is wrong.
  public var isNote = false
  /// Whether the fault may disappear without an action.
  public var isTemporary = false
  public var text: String
  public var cure: String?

  static func fine(_ check: String, _ text: String) -> DoctorFinding {
    DoctorFinding(check: check, isFine: true, text: text, cure: nil)
  }

  static func fault(_ check: String, _ text: String, cure: String) -> DoctorFinding {
    DoctorFinding(check: check, isFine: false, text: text, cure: cure)
  }

  /// Returns the finding of a check that needs readable settings.
  static func unchecked(_ check: String) -> DoctorFinding {
    .fault(check, "not checked: the settings cannot be read", cure: "see settings")
  }

  static func note(_ check: String, _ text: String) -> DoctorFinding {
    DoctorFinding(check: check, isFine: true, isNote: true, text: text, cure: nil)
  }

  /// The output line: `ok    roots: …`, `note  four eyes: …`, or `fault roots: …` followed by the remedy.
  public var line: String {
    "\(isNote ? "note  " : isFine ? "ok    " : "fault ")\(check): \(text)" + (cure.map { "\n      do: \($0)" } ?? "")
  }
}

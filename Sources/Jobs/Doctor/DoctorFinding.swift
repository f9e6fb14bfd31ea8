/// One thing that doctor looked at.
public struct DoctorFinding: Sendable {
  public var check: String
  public var isFine: Bool
  /// Whether it is to be known although nothing is wrong.
  public var isNote = false
  /// Whether it goes away without anybody doing anything.
  public var isTemporary = false
  /// What was found.
  public var text: String
  /// What to do about a fault.
  public var cure: String?

  static func fine(_ check: String, _ text: String) -> DoctorFinding {
    DoctorFinding(check: check, isFine: true, text: text, cure: nil)
  }

  static func fault(_ check: String, _ text: String, cure: String) -> DoctorFinding {
    DoctorFinding(check: check, isFine: false, text: text, cure: cure)
  }

  /// What nobody knows while the settings cannot be read.
  static func unsettled(_ check: String) -> DoctorFinding {
    .fault(check, "not checked: the settings cannot be read", cure: "see settings")
  }

  static func note(_ check: String, _ text: String) -> DoctorFinding {
    DoctorFinding(check: check, isFine: true, isNote: true, text: text, cure: nil)
  }

  /// `ok    roots: …`, `note  four eyes: …`, or `fault roots: …` and what to do about it.
  public var line: String {
    "\(isNote ? "note  " : isFine ? "ok    " : "fault ")\(check): \(text)" + (cure.map { "\n      do: \($0)" } ?? "")
  }
}

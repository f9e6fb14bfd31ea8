/// Requirements on a run besides the settings, from the job that started it. The run checks them itself, so both report the same result.
public struct RunLimits: Sendable, Hashable {
  /// Environment variable with which run-due passes the limits to a run.
  public static let variable = "PAYRECON_RUN_LIMITS"

  /// Minimum and maximum number of input rows; nil for no limit.
  public var rowsMin: Int64?
  public var rowsMax: Int64?
  /// Maximum age of the newest input of each kind, in seconds.
  public var maxAges: [String: Int64] = [:]

  public init() {}

  /// Parses `rows_min=1,max_age.orders=108000` and ignores unknown parts.
  public init(text: String) {
    for part in text.split(separator: ",") {
      let words = part.split(separator: "=", maxSplits: 1)
      guard words.count == 2, let number = Int64(words[1]) else { continue }
      switch words[0] {
      case "rows_min": rowsMin = number
      case "rows_max": rowsMax = number
      case let name where name.hasPrefix("max_age."): maxAges[String(name.dropFirst("max_age.".count))] = number
      default: continue
      }
    }
  }

  package var text: String {
    let rows = [("rows_min", rowsMin), ("rows_max", rowsMax)].compactMap { name, value in value.map { "\(name)=\($0)" } }
    return (rows + maxAges.sorted { $0.key < $1.key }.map { "max_age.\($0.key)=\($0.value)" }).joined(separator: ",")
  }

  /// Returns the requirements with the smaller of both maximum ages.
  package func lowerMaxAges(of inputs: InputSettings) -> InputSettings {
    var inputs = inputs
    for kind in InputKind.allCases {
      guard let limit = maxAges[kind.rawValue] else { continue }
      inputs[kind].maxAgeSeconds = min(limit, inputs[kind].maxAgeSeconds ?? limit)
    }
    return inputs
  }
}

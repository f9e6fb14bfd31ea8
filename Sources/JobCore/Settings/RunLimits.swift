internal import Domain

/// What the job that started a run expects of it beyond the settings: the run itself judges it, so that both say the same.
public struct RunLimits: Sendable, Hashable {
  /// Environment variable by which run-due hands them to a run.
  public static let variable = "PAYRECON_RUN_LIMITS"

  /// Input rows; nil leaves an end open.
  public var rowsMin: Int64?
  public var rowsMax: Int64?
  /// Oldest that the newest of each kind of input may be, in seconds.
  public var maxAges: [String: Int64] = [:]

  public init() {}

  /// Reads `rows_min=1,max_age.orders=108000`; what it does not know it leaves.
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

  /// Expectations of which each age is the stricter of the two.
  package func tightening(_ inputs: InputSettings) -> InputSettings {
    var inputs = inputs
    for kind in InputKind.allCases {
      guard let limit = maxAges[kind.rawValue] else { continue }
      inputs[kind].maxAgeSeconds = min(limit, inputs[kind].maxAgeSeconds ?? limit)
    }
    return inputs
  }
}

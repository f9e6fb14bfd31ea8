/// Counts of the items of an input. `input = accepted + repeated + ignored + parked`, or the run failed.
public struct Tally: Hashable, Sendable {
  public var input = 0
  public var accepted = 0
  public var repeated = 0
  public var ignored = 0
  public var parked = 0

  public init(input: Int = 0, accepted: Int = 0, repeated: Int = 0, ignored: Int = 0, parked: Int = 0) {
    self.input = input
    self.accepted = accepted
    self.repeated = repeated
    self.ignored = ignored
    self.parked = parked
  }

  public var isBalanced: Bool { input == accepted + repeated + ignored + parked }

  /// Whether items were parked and none was accepted or repeated.
  public var isAllParked: Bool { parked > 0 && accepted == 0 && repeated == 0 }

  public static func + (left: Tally, right: Tally) -> Tally {
    Tally(
      input: left.input + right.input, accepted: left.accepted + right.accepted,
      repeated: left.repeated + right.repeated, ignored: left.ignored + right.ignored,
      parked: left.parked + right.parked)
  }

  /// The equation as text.
  public var text: String {
    "input \(input) = accepted \(accepted) + repeated \(repeated) + ignored \(ignored) + parked \(parked)"
  }
}

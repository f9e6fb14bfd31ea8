/// Returns whether two texts are equal, in a time that does not reveal the first difference.
public func isEqualInConstantTime(_ one: String, _ other: String) -> Bool {
  let (first, second) = (Array(one.utf8), Array(other.utf8))
  guard first.count == second.count else { return false }
  return zip(first, second).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
}

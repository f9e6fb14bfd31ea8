public import Yams

/// Parses YAML text, and states why a text is none without quoting it: a settings file may contain secrets.
public enum YAMLSyntax {
  /// The reason why a text is not YAML, with the line if it is known.
  public struct Fault: Error, CustomStringConvertible {
    public var description: String
  }

  /// Returns the root; nil for a text without content.
  public static func root(of text: String) throws(Fault) -> Node? {
    do {
      return try Yams.compose(yaml: text)
    } catch {
      throw Fault(description: reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _), .composer(_, let problem, let mark, _):
      return "line \(mark.line), column \(mark.column): \(problem)"
    case .reader(let problem, _, _, _): return problem
    case .duplicatedKeysInMapping(let keys, let context):
      let names = keys.map { "\"\($0)\"" }.joined(separator: ", ")
      let line = context.mark.line > 0 ? ", first on line \(context.mark.line)" : ""
      return "the key \(names) is repeated\(line); a key must be unique, so put what it contains under one of them"
    default: return "it cannot be parsed"
    }
  }
}

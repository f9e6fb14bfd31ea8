package import ArgumentParser

package enum Suggestion {
  /// Largest number of wrong, missing, extra or swapped letters.
  private static let mistakesMax = 2

  /// Returns the words up to the first mistyped one, corrected; nil if all words are known or none is similar.
  package static func of(_ words: some Sequence<String>, in root: any ParsableCommand.Type) -> String? {
    var command = root
    var known = [root._commandName]
    for word in words {
      let commands = command.configuration.subcommands
      guard !word.hasPrefix("-"), !commands.isEmpty else { return nil }
      if let next = commands.first(where: { $0._commandName == word }) {
        command = next
        known.append(word)
        continue
      }
      return nearest(to: word, among: commands.map { $0._commandName }).map { (known + [$0]).joined(separator: " ") }
    }
    return nil
  }

  package static func nearest(to word: String, among words: some Sequence<String>) -> String? {
    words.map { (name: $0, mistakes: mistakes(from: word, to: $0)) }
      .filter { $0.mistakes <= mistakesMax && $0.mistakes < word.count - 1 }
      .min { ($0.mistakes, $0.name) < ($1.mistakes, $1.name) }?.name
  }

  /// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
  private static func mistakes(from one: String, to other: String) -> Int {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    var rows = [Array(0...other.count)]
    for (i, letter) in one.enumerated() {
      var row = [i + 1]
      for (j, wanted) in other.enumerated() {
        var least = min(rows[i][j] + (letter == wanted ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, letter == other[j - 1], one[i - 1] == wanted { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
  }
}

internal import Domain
package import Postgres
internal import Wording

extension SQLFiles {
  /// Reads the SQL files of a folder, and adds the texts with which the SQL function `english` words a phrase.
  ///
  /// - Throws: `PostgresError.sqlFile` if the folder or a file is not readable.
  package static func withTexts(in directory: String) throws(PostgresError) -> SQLFiles {
    try SQLFiles(directory: directory, adding: [GeneratedSQL.englishTexts: EnglishTexts.function])
  }
}

/// The English texts of phrases that tables store, as a function of the database. The catalogue remains their only source.
enum EnglishTexts {
  static let function: String = {
    let texts = Catalogue.of(.english).texts.filter { text in Phrase.storedBeginnings.contains(where: text.key.hasPrefix) }
    let members = texts.sorted { $0.key < $1.key }.map { "\(ReportText.quoted($0.key)): \(ReportText.quoted($0.value))" }
    return """
      -- purpose: Returns the English texts of stored phrases, by key.
      create or replace function payrecon.english_texts() returns jsonb
      language sql immutable parallel safe
      return '{\(members.joined(separator: ",\n").replacing("'", with: "''"))}'::jsonb;

      """
  }()
}

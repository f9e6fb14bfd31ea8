/// Paths of the SQL files that the program generates, beside those of the folder.
enum GeneratedSQL {
  static let englishTexts = "functions/texts/english_texts.sql"
}

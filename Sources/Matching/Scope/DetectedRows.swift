/// Which rows the classes and rules over whole histories evaluate.
enum DetectedRows {
  case all
  /// Changed and due rows, the subjects of open signals, and all connected rows.
  case near
  /// Nothing changed or became due, as on most nights without news.
  case none
}

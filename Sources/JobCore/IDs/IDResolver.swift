internal import Domain
internal import Logging
internal import Postgres
internal import Wording

extension IDKind {
  public static let explainable: [IDKind] = [
    .order, .charge, .transaction, .original, .lineItem, .evidence, .breakID, .signal, .user, .token, .device,
  ]

  /// Number of characters of an id, if all of the kind have the same. A full-length id needs no search; nil if lengths differ.
  fileprivate var length: Int? { self == .caseID ? 32 : nil }

  fileprivate var word: String {
    switch self {
    case .original: "original transaction"
    case .lineItem: "line item"
    case .listEntry: "list entry"
    case .parked: "parked item"
    default: rawValue
    }
  }
}

/// A resolver of abbreviated ids. A complete id takes precedence over ids that begin with it; an ambiguous abbreviation is rejected.
///
/// The search covers all ids known now, regardless of the command's clock.
public struct IDResolver: Sendable {
  static let candidatesMax = 10

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Returns the only id of some kinds that equals a text or begins with it; the text itself if there is none.
  ///
  /// - Throws: `JobError` with status 64 if several ids begin with the text, or if it is empty.
  public func completed(_ text: String, among kinds: [IDKind]) async throws -> String {
    try await completed([text], among: kinds)[0]
  }

  /// Returns the ids that begin with a text, at most ten and one more; only the id that equals it, if one does.
  ///
  /// - Throws: `JobError` with status 64 if the text is empty.
  public func candidates(_ text: String, among kinds: [IDKind]) async throws -> [(id: String, kind: IDKind)] {
    try await context.transaction(as: .report, .readOnlySnapshot) { tx in try candidates(text, kinds, &tx) }
  }

  public func completed(_ texts: [String], among kinds: [IDKind]) async throws -> [String] {
    guard !texts.allSatisfy({ Self.isComplete($0, kinds) }) else { return texts }
    return try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try texts.map { text in try Self.isComplete(text, kinds) ? text : found(text, kinds, &tx) ?? text }
    }
  }

  /// Returns the ids of several texts, all of one kind.
  ///
  /// - Parameter hint: where such ids are listed.
  /// - Throws: `JobError`, also if no id begins with a text.
  public func existing(_ texts: [String], _ kind: IDKind, hint: String) async throws -> [String] {
    guard !texts.isEmpty else { return [] }
    return try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try texts.map { text in
        guard let id = try found(text, [kind], &tx) else {
          throw JobError("could not find \(kind.word) \"\(text)\"", hint: hint, status: .usage)
        }
        return id
      }
    }
  }

  private static func isComplete(_ text: String, _ kinds: [IDKind]) -> Bool { kinds.allSatisfy { $0.length == text.utf8.count } }

  private func candidates(
    _ text: String, _ kinds: [IDKind], _ tx: inout DatabaseTransaction
  ) throws -> [(id: String, kind: IDKind)] {
    guard !text.isEmpty else {
      throw JobError(Phrase("refusal.id_empty"), hint: "Give an id, or the beginning of one.", status: .usage)
    }
    var candidates: [(id: String, kind: IDKind)] = []
    for kind in kinds {
      let file = try context.sql(kind.statement)
      let values: [String: Value] = [
        "kind": .text(kind.rawValue), "prefix": .text(text), "rows": .int8(Int64(Self.candidatesMax + 1)),
      ]
      let found = try tx.rows(file, file.picking(from: values))
      if found.first == text { return [(id: text, kind: kind)] }
      candidates += found.filter { id in !candidates.contains { ByteText($0.id) == ByteText(id) } }.map { (id: $0, kind: kind) }
    }
    return candidates
  }

  /// Returns the matching id; nil if no id begins with the text.
  private func found(_ text: String, _ kinds: [IDKind], _ tx: inout DatabaseTransaction) throws -> String? {
    let candidates = try candidates(text, kinds, &tx)
    guard let first = candidates.first else { return nil }
    guard candidates.count == 1 else { throw Self.ambiguous(text, candidates) }
    if first.id == text { return text }
    context.log.notice("\(text) is taken for \(first.kind.word) \(first.id)")
    return first.id
  }

  private static func ambiguous(_ text: String, _ candidates: [(id: String, kind: IDKind)]) -> JobError {
    let listed = candidates.prefix(candidatesMax).map { "\($0.kind.word) \($0.id)" }.joined(separator: ", ")
    return JobError(
      "refusal.id_several", ["id": text],
      hint: "Write more of it: \(listed)\(candidates.count > candidatesMax ? ", and more" : "").", status: .usage)
  }
}

internal import Domain
internal import Logging
internal import Postgres

extension IDKind {
  /// What a break, an order or a charge can be explained by.
  public static let explained: [IDKind] = [
    .order, .charge, .transaction, .original, .lineItem, .evidence, .breakID, .signal, .user, .token, .device,
  ]

  /// Characters of a whole id where all of the kind are equally long, so that a whole one needs no search; nil where they
  /// are not.
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

/// Finds the id that somebody wrote the beginning of: a whole id goes before all that it begins, a beginning of several is
/// refused.
///
/// Ids are names: they are looked for among all that are known now, whatever clock the command has.
public struct IDResolver: Sendable {
  /// Candidates that a refusal lists.
  static let candidatesMax = 10

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// The whole id of one of the kinds that a text is, or begins; the text itself where no id begins with it.
  ///
  /// - Throws: `JobError` with status 64 for a text that begins several ids, and for an empty one.
  public func whole(_ text: String, among kinds: [IDKind]) async throws -> String {
    try await whole([text], among: kinds)[0]
  }

  /// The same for several texts, in their order.
  public func whole(_ texts: [String], among kinds: [IDKind]) async throws -> [String] {
    guard !texts.allSatisfy({ Self.isWhole($0, kinds) }) else { return texts }
    return try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try texts.map { try resolve($0, kinds, &tx) }
    }
  }

  /// The same for texts that must be ids of one kind, or their beginnings.
  ///
  /// - Parameter hint: says where such ids are listed.
  /// - Throws: `JobError` naming a text that no id begins with, too.
  public func known(_ texts: [String], _ kind: IDKind, hint: String) async throws -> [String] {
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

  private static func isWhole(_ text: String, _ kinds: [IDKind]) -> Bool {
    kinds.allSatisfy { $0.length == text.utf8.count }
  }

  private func resolve(_ text: String, _ kinds: [IDKind], _ tx: inout DatabaseTransaction) throws -> String {
    guard text.isEmpty || !Self.isWhole(text, kinds) else { return text }
    return try found(text, kinds, &tx) ?? text
  }

  /// nil where no id begins with the text.
  private func found(_ text: String, _ kinds: [IDKind], _ tx: inout DatabaseTransaction) throws -> String? {
    guard !text.isEmpty else {
      throw JobError("could not look for an id: it is empty", hint: "Give an id, or the beginning of one.", status: .usage)
    }
    var candidates: [(id: String, kind: IDKind)] = []
    for kind in kinds {
      let found = try tx.rows(
        context.sql(kind.statement), ["prefix": .text(text), "rows": .int8(Int64(Self.candidatesMax + 1))])
      if found.first == text { return text }
      candidates += found.filter { id in !candidates.contains { $0.id == id } }.map { (id: $0, kind: kind) }
    }
    guard let first = candidates.first else { return nil }
    guard candidates.count == 1 else { throw Self.ambiguous(text, candidates) }
    context.log.notice("\(text) is taken for \(first.kind.word) \(first.id)")
    return first.id
  }

  private static func ambiguous(_ text: String, _ candidates: [(id: String, kind: IDKind)]) -> JobError {
    let listed = candidates.prefix(candidatesMax).map { "\($0.kind.word) \($0.id)" }.joined(separator: ", ")
    return JobError(
      "could not tell which id is meant: more than one begins with \"\(text)\"",
      hint: "Write more of it: \(listed)\(candidates.count > candidatesMax ? ", and more" : "").", status: .usage)
  }
}

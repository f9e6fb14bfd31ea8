internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Review

extension QueueCommand {
  /// The interactive review on the terminal: one case after another, one key per decision.
  struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "work", abstract: "Works through the queue: the next case, its history and links, one key per decision, undo.",
      discussion: """
        Each case is taken for --minutes and shown; a key decides it, and a line says why. What is marked * needs a second \
        account to approve it. Without a terminal, each line of standard input is a key or the reason for it.
        """)

    private static let casesMax = 10_000

    @Option(help: "Minutes until a case goes back by itself.") var minutes: Int64 = 30
    @OptionGroup var acting: ActingOptions

    func validate() throws {
      guard (1...10_080).contains(minutes) else { throw ValidationError("--minutes must be from 1 to 10080") }
    }

    func run() async throws {
      var session = ReviewSession(began: try await context().asOf)
      while session.seenCount < Self.casesMax {
        let taken = try await CaseJob(context: context()).take(
          nil, by: acting.person, leaseSeconds: minutes * 60, passedOver: session.passedOver)
        guard let taken else {
          Output.write(line: "queue: nothing waits")
          break
        }
        session.seenCount += 1
        Output.write(line: try await CaseJob(context: context()).show(taken))
        guard try await work(taken, &session) else { break }
      }
      Output.write(line: session.summary)
    }

    private func context() async throws -> JobContext { try await acting.options.context(label: "queue", createsCluster: false) }

    /// Works on one case and returns whether the reviewer continues.
    private func work(_ id: String, _ session: inout ReviewSession) async throws -> Bool {
      while true {
        Output.write(line: ReviewKey.menu)
        guard let key = Keyboard.key(), key != "q" else {
          try await CaseJob(context: context()).release(id, by: acting.person, reason: "")
          return false
        }
        switch ReviewKey(key) {
        case .decide(let action):
          if try await decide(id, action, &session) { return true }
        case .pass:
          try await CaseJob(context: context()).release(id, by: acting.person, reason: "passed over")
          session.passedOver.append(id)
          return true
        case .undo: try await undo(&session)
        case .show: Output.write(line: try await CaseJob(context: context()).show(id))
        case nil where key == "?": continue
        case nil: Output.write(line: "queue: \"\(key)\" is no key of this desk")
        }
      }
    }

    /// Returns whether the case is decided. A refused decision is explained, and the case stays open.
    private func decide(_ id: String, _ action: CaseAction, _ session: inout ReviewSession) async throws -> Bool {
      Output.write(line: "\(action.rawValue), why (nothing: not after all):")
      guard let reason = Keyboard.line(), !reason.isBlank else { return false }
      var decision = CaseDecision(action: action, reason: reason)
      if action.isAboutPair {
        Output.write(line: "order:")
        decision.orderID = Keyboard.line()
        Output.write(line: "charge:")
        decision.chargeID = Keyboard.line()
      }
      do {
        guard let decided = try await decided(id, decision) else { return false }
        for line in decided.lines { Output.write(line: line) }
        session.decided.append(id)
        return true
      } catch let error as JobError {
        Output.write(line: error.description)
        return false
      }
    }

    /// Decides the case, after a confirmation if Apple's record differs; nil if the reviewer cancels.
    private func decided(_ id: String, _ decision: CaseDecision) async throws -> CaseJob.Decided? {
      do {
        return try await AppleOptions.job(context()).decide(id, decision, by: acting.person)
      } catch let mismatch as AppleRecordMismatch {
        Output.write(line: "\(mismatch)\ngo on all the same (y)?")
        guard Keyboard.key() == "y" else { return nil }
        let consent = AppleConsent(seen: mismatch.check.seen, acceptsMissingRecord: mismatch.check.missingReason != nil)
        return try await AppleOptions.job(context()).decide(id, decision, by: acting.person, consent: consent)
      }
    }

    private func undo(_ session: inout ReviewSession) async throws {
      guard let last = session.decided.popLast() else { return Output.write(line: "queue: nothing was decided here yet") }
      let outcome = try await CaseJob(context: context()).undo(
        CaseJob.UndoScope(actor: nil, cases: [last], since: session.began), by: acting.person, reason: "undone at the desk",
        isDryRun: false)
      Output.write(line: "queue: case \(last): undone \(outcome.undoneCount), proposed \(outcome.proposedCount)")
      for left in outcome.left { Output.write(line: "  left: \(left.reason)") }
    }
  }
}

private struct ReviewSession {
  var began: Timestamp
  var seenCount = 0
  var decided: [String] = []
  var passedOver: [String] = []

  var summary: String {
    "queue: \(seenCount) \(seenCount == 1 ? "case" : "cases") seen, \(decided.count) decided, \(passedOver.count) passed over"
  }
}

private enum ReviewKey {
  case decide(CaseAction)
  case pass, undo, show

  private static let actions: [(key: Character, action: CaseAction)] = [
    ("a", .accept), ("d", .dismiss), ("w", .watch), ("c", .contact), ("t", .takeBack), ("b", .ban), ("o", .writeOff),
    ("m", .forcedMatch), ("x", .unmatch), ("2", .benignDuplicate),
  ]

  init?(_ key: Character) {
    if let action = Self.actions.first(where: { $0.key == key })?.action {
      self = .decide(action)
      return
    }
    switch key {
    case "n": self = .pass
    case "u": self = .undo
    case "s": self = .show
    default: return nil
    }
  }

  static var menu: String {
    let words = actions.map { "[\($0.key)] \($0.action.rawValue)\($0.action.needsSecondPerson ? "*" : "")" }
    return words.joined(separator: "  ") + "\n[n] next, this one later  [s] show again  [u] undo the last  [?] these keys  [q] quit"
  }
}

extension CaseJob.Decided {
  var lines: [String] {
    [needsSecondPerson ? "queue: proposed, a second person must approve" : "queue: decided"]
      + Self.lines(of: late, since: "after you took or saw the case")
  }

  /// Returns the lines that name breaks which a decision does not cover.
  static func lines(of late: [Break], since: String) -> [String] {
    guard !late.isEmpty else { return [] }
    let count = late.count == 1 ? "1 break" : "\(late.count) breaks"
    return ["queue: not decided, as \(count) came in or changed \(since):"] + late.map { "  \($0.breakClass) \($0.id)" }
  }
}

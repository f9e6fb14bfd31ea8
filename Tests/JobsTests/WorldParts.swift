import FoundationEssentials

extension Scenario {
  func trustWorld(_ world: String) throws {
    try FileManager.default.copyItem(atPath: "\(world)/roots/simulated-root.der", toPath: "\(directory)/roots/world.der")
  }

  func ingestWorld(_ world: String, asOf: String) async throws {
    try trustWorld(world)
    for (kind, file) in [(InputKind.catalogue, "catalogue.csv"), (.users, "users.csv"), (.orders, "orders.csv"), (.apple, "apple.ndjson")] {
      // Leaves no session open, so that the database can be copied.
      _ = try await IngestJob(context: context(asOf: asOf)).run(
        kind: kind, files: ["\(world)/inbox/\(file)"], format: nil, source: .imported, runID: "fill", resumes: false)
    }
  }
}

/// The inbox of a simulated world, divided into several nights. Each night has new rows in random order.
struct WorldParts {
  private let directory: String

  /// - Parameter world: folder of the world; the parts are written beside its inbox.
  init(world: String, nights: Int) throws {
    directory = world
    for file in ["catalogue.csv", "users.csv", "orders.csv", "apple.ndjson"] {
      let lines = try String(contentsOfFile: "\(world)/inbox/\(file)", encoding: .utf8).split(separator: "\n")
      let header = file.hasSuffix(".csv") ? lines.prefix(1) : []
      let rows = lines.dropFirst(header.count)
      for night in 0..<nights {
        // Two thirds on the first night and the rest in turn. The catalogue is complete on the first night.
        let part = rows.enumerated().filter { index, _ in
          let turn = index % max(1, 3 * (nights - 1))
          return night == (turn < nights - 1 && file != "catalogue.csv" ? turn + 1 : 0)
        }.map(\.element)
        try FileManager.default.createDirectory(atPath: inbox(night), withIntermediateDirectories: true)
        guard !part.isEmpty else { continue }
        let text = (header + part).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: URL(filePath: "\(inbox(night))/\(file)"))
      }
    }
  }

  func inbox(_ night: Int) -> String { "\(directory)/inbox-\(night)" }
}

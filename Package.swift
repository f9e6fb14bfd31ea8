// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours: Swift 6 mode, C memory marked `unsafe`, and a warning is an error.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// Settings of tests: no optimisation, in the release build too, because it would take three quarters of the time.
let unoptimised: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Commit of the clone, with a plus sign if files were changed; empty elsewhere. SwiftPM keeps it until this file changes, unless it
/// runs with `--manifest-cache none --disable-build-manifest-caching`.
let commit = Context.gitInformation.map { $0.currentCommit.prefix(12) + ($0.hasUncommittedChanges ? "+" : "") } ?? ""

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = [],
  settings: [SwiftSetting] = strict
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: settings)
}

func program(_ name: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting] = strict) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func suite(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: unoptimised)
}

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let hummingbird: [Target.Dependency] = [
  .product(name: "Hummingbird", package: "hummingbird"), .product(name: "NIOCore", package: "swift-nio"),
  .product(name: "HTTPTypes", package: "swift-http-types"), logging,
]
let server: [Target.Dependency] = [
  .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "NIOHTTP1", package: "swift-nio"),
  .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
  .product(name: "UnixSignals", package: "swift-service-lifecycle"),
]

let package = Package(
  name: "payrecon",
  products: [
    .executable(name: "payrecon", targets: ["payrecon"]),
    .executable(name: "payrecon-server", targets: ["payrecon-server"]),
    // Loaded by tests into the program, to stop it at a numbered point of its work.
    .library(name: "KillPoints", type: .dynamic, targets: ["KillPoints"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    // Without its traits, which add swift-configuration: unused here, and as long to build as Yams.
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
  ],
  targets: [
    // C libraries: a module map and a shim each.
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    // Loaded at run time; not needed for the build.
    .systemLibrary(name: "CXlsxWriter"),
    .systemLibrary(name: "CGNU"),
    .systemLibrary(name: "CIconv"),
    // The bytes of the catalogues of Wording.
    .target(name: "CWording"),
    .target(name: "CVersion", cSettings: [.define("BUILT_COMMIT", to: "\"\(commit)\"")]),

    // Wrappers of the C libraries. No other module calls these libraries, except that SimulatedSigning calls OpenSSL.
    library("SystemCalls", ["CGNU", "CIconv"]),
    library("Postgres", ["CLibPQ", "SystemCalls"]),
    library("HTTP", ["CCurl", "SystemCalls", "Wording"]),
    library("Cryptography", ["COpenSSL"]),
    library("Workbooks", ["CXlsxWriter"]),

    // Core: no I/O, no Foundation.
    library("Domain"),
    library("JSON"),
    library("Ladder", ["Domain"]),
    // Texts that people read, in their languages.
    library("Wording", ["CWording", "Domain", "JSON"], exclude: ["Catalogues"]),

    // Adapters.
    library("AppStore", ["Cryptography", "Domain", "JSON", "Wording"], resources: [.copy("Roots")]),
    library("AppStoreServer", ["HTTP", "Cryptography", "AppStore", "Wording", "Domain", "JSON", "SystemCalls"]),
    library("TimeZones", ["Domain", "SystemCalls"]),
    library("Intake", ["Domain", "JSON", "TimeZones", "Wording", "SystemCalls"]),
    library("YAML", ["Domain", yams]),
    library("Scheduling", ["TimeZones", "YAML", "Domain", "SystemCalls", yams]),

    // Generated worlds and a simulated App Store. Only these and tests sign data as if by Apple.
    library("SimulatedSigning", ["COpenSSL", "Cryptography"]),
    library("Simulation", ["SimulatedSigning", "Cryptography", "Domain", "SystemCalls"]),
    library(
      "AppStoreSimulator",
      hummingbird + [.target(name: "SimulatedSigning"), .target(name: "Cryptography"), .target(name: "Domain"), "SystemCalls"]),

    // Jobs, in layers. Ingest and Collect are built in parallel with Matching and Reports; Jobs composes them.
    library("JobCore", ["AppStore", "Intake", "JSON", "Postgres", "Wording", "Cryptography", "Domain", "SystemCalls", logging]),
    library(
      "Ingest", ["JobCore", "AppStore", "Intake", "JSON", "Postgres", "Wording", "Cryptography", "Domain", "SystemCalls", logging]),
    library("Matching", ["Ladder", "JobCore", "Postgres", "Wording", "Cryptography", "Domain", logging]),
    library("Review", ["JobCore", "Intake", "Postgres", "Wording", "Cryptography", "Domain", logging]),
    library(
      "Collect",
      [
        "Ingest", "JobCore", "AppStore", "AppStoreServer", "HTTP", "Intake", "Scheduling", "Postgres", "Wording", "Cryptography", "Domain",
        logging,
      ]),
    library(
      "Reports",
      [
        "Matching", "JobCore", "JSON", "Scheduling", "Postgres", "Wording", "Cryptography", "TimeZones", "Workbooks", "Domain",
        "SystemCalls", logging, mustache,
      ],
      resources: [.embedInCode("Templates")]),
    library(
      "Jobs",
      [
        "Collect", "Reports", "Review", "Ingest", "Matching", "JobCore", "AppStore", "AppStoreServer", "HTTP", "Intake", "JSON",
        "Scheduling", "TimeZones", "Postgres", "Wording", "Cryptography", "Workbooks", "Domain", "SystemCalls", logging,
      ]),

    // Interfaces for people and for Apple.
    library("Web", hummingbird + server + [.target(name: "Collect"), .target(name: "JobCore"), .target(name: "SystemCalls")]),
    library(
      "Console",
      hummingbird + [
        "Web", "Collect", "Matching", "Reports", "Review", "JobCore", "Intake", "JSON", "Postgres", "TimeZones", "Wording",
        "Cryptography", "Domain", logging, mustache,
      ],
      resources: [.embedInCode("Templates")]),
    library(
      "CommandSupport",
      [
        "CVersion", "Collect", "JobCore", "AppStoreServer", "HTTP", "Intake", "TimeZones", "YAML", "Postgres", "Cryptography", "Domain",
        "SystemCalls", argumentParser, logging, yams,
      ]),
    program(
      "payrecon",
      [
        "CommandSupport", "Jobs", "Collect", "Reports", "Review", "Ingest", "Matching", "JobCore", "Scheduling", "Simulation", "Intake",
        "Postgres", "Wording", "Domain", argumentParser, logging,
      ]),

    // A separate program for what needs an HTTP server: swift-nio and Hummingbird take longer to build than everything
    // else, and no nightly job needs them.
    program(
      "payrecon-server",
      ["CommandSupport", "Console", "Web", "AppStoreSimulator", "Collect", "JobCore", "Postgres", "Domain", "SystemCalls", argumentParser]),

    // Tests: through the public interfaces only, so that they run on the release build.
    .target(
      name: "TestSupport",
      dependencies: [
        "Repository", "Jobs", "Collect", "Reports", "Review", "Ingest", "Matching", "Ladder", "JobCore", "SimulatedSigning", "Postgres",
        "Cryptography", "Domain", "SystemCalls", logging,
      ],
      path: "Tests/TestSupport", swiftSettings: unoptimised),
    .target(name: "KillPoints", path: "Tests/KillPoints"),
    .target(name: "Dice", path: "Tests/Dice"),
    .target(name: "Repository", path: "Tests/Repository", swiftSettings: strict),
    .target(
      name: "PythonServer", path: "Tests/PythonServer", exclude: ["faulty_server.py", "loopback.py", "scripted_server.py"],
      swiftSettings: strict),
    suite("DomainTests", ["Dice", "Domain"]),
    suite("LadderTests", ["Dice", "Ladder"]),
    suite("TidyTests", ["Repository"], exclude: ["unportable.csv"]),
    suite("JSONTests", ["Dice", "JSON"]),
    suite("WordingTests", ["Repository", "Wording", "Domain"]),
    suite("IntakeTests", ["Dice", "Repository", "Intake", "TimeZones", "Wording", "Domain", "SystemCalls"]),
    suite("PostgresTests", ["Postgres", "SystemCalls"]),
    suite("HTTPTests", ["PythonServer", "HTTP"]),
    suite("SimulationTests", ["Simulation", "SimulatedSigning", "Cryptography", "Domain"]),
    suite("AppStoreServerTests", ["PythonServer", "Repository", "AppStoreServer", "HTTP", "Wording", "Cryptography", "Domain"]),
    suite(
      "AppStoreTests", ["Dice", "Repository", "AppStore", "SimulatedSigning", "Wording", "Cryptography", "Domain", "SystemCalls"],
      exclude: ["Fixtures"]),
    suite(
      "CollectTests",
      [
        "TestSupport", "Jobs", "Collect", "Reports", "Review", "Ingest", "JobCore", "AppStore", "AppStoreServer", "AppStoreSimulator",
        "SimulatedSigning", "HTTP", "Postgres", "Cryptography", "Domain",
      ]),
    suite(
      "AppStoreSimulatorTests", ["AppStoreSimulator", "SimulatedSigning", "HTTP", "Cryptography", "Domain"],
      exclude: ["python-client"]),
    // It starts the programs, which are built with the tests. As dependencies they would have to be linked before this suite, which
    // takes longest, is compiled.
    suite(
      "CommandTests",
      [
        "Dice", "KillPoints", "TestSupport", "AppStore", "AppStoreSimulator", "Simulation", "SimulatedSigning", "Postgres", "Cryptography",
        "Domain", "SystemCalls",
      ],
      exclude: ["alert_sink.py", "webhook_sink.py"]),
    suite(
      "SchedulingTests",
      ["Dice", "Scheduling", "TimeZones", "Jobs", "JobCore", "TestSupport", "Postgres", "Cryptography", "Domain", "SystemCalls", logging]),
    suite("OracleTests", ["Dice", "TestSupport", "Reports", "Matching", "Ladder", "JobCore", "Cryptography", "Domain"]),
    suite(
      "JobsTests",
      [
        "Dice", "TestSupport", "Jobs", "Collect", "Reports", "Review", "Ingest", "Matching", "Ladder", "JobCore", "Simulation", "Postgres",
        "Wording", "Cryptography", "Domain",
      ]),
  ]
)

// `Tests/run fast` builds only some suites and their dependencies, without the programs and the HTTP server.
if let suites = Context.environment["PAYRECON_SUITES"] {
  var wanted: Set<String> = []
  var reached = suites.split(separator: " ").map(String.init)
  while let name = reached.popLast() {
    guard wanted.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
    for dependency in target.dependencies {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): reached.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !wanted.contains($0.name) }
  package.products = []
}

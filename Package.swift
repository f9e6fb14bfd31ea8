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

func library(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [])
  -> Target
{
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// Test code is compiled fast and runs unoptimised, in the release build too; what it tests is not.
let tests: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func suite(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: tests)
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
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
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

    // Wrappers of the C libraries: nothing else calls them.
    library("Blocking"),
    library("Postgres", ["CLibPQ", "Blocking"]),
    library("HTTP", ["CCurl", "Blocking"]),
    library("Cryptography", ["COpenSSL"]),

    // Core: no I/O, no Foundation.
    library("Domain"),
    library("JSON"),

    // Adapters.
    library("AppStore", ["Cryptography", "Domain", "JSON"], resources: [.copy("Roots")]),
    library("AppStoreServer", ["HTTP", "Cryptography", "AppStore", "Domain", "JSON"]),
    library("Intake", ["Domain", "JSON"]),
    library("YAML", ["Domain", yams]),
    library("Scheduling", ["YAML", "Domain", yams]),
    library("Simulation", ["Cryptography", "Domain"]),
    library("AppStoreSimulator", hummingbird + [.target(name: "Cryptography"), .target(name: "Domain")]),

    // Application.
    library("Jobs", ["AppStore", "AppStoreServer", "HTTP", "Intake", "JSON", "Scheduling", "Postgres", "Cryptography", "Domain", logging, mustache]),
    library("Web", hummingbird + server + [.target(name: "Jobs")]),
    library("CommandSupport", ["Jobs", "AppStoreServer", "YAML", "Postgres", "Cryptography", "Domain", argumentParser, logging, yams]),
    program(
      "payrecon",
      ["CommandSupport", "Jobs", "Scheduling", "Simulation", "Intake", "Postgres", "Domain", argumentParser, logging]),

    // What needs an HTTP server is a program of its own: swift-nio and Hummingbird take longer to build than all the
    // rest, and no nightly job needs them.
    program(
      "payrecon-server", ["CommandSupport", "Web", "AppStoreSimulator", "Jobs", "Postgres", "Domain", argumentParser]),

    // Tests: through the public interfaces only, so that they run on the release build.
    .target(
      name: "TestSupport", dependencies: ["Jobs", "Postgres", "Cryptography", "Domain", logging],
      path: "Tests/TestSupport", swiftSettings: tests),
    .target(name: "KillPoints", path: "Tests/KillPoints"),
    suite("DomainTests", ["Domain"]),
    suite("TidyTests", []),
    suite("JSONTests", ["JSON"]),
    suite("IntakeTests", ["Intake", "Domain"]),
    suite("PostgresTests", ["Postgres"]),
    suite("HTTPTests", ["HTTP"]),
    suite("SimulationTests", ["Simulation", "Cryptography", "Domain"]),
    suite("AppStoreServerTests", ["AppStoreServer", "HTTP", "AppStore", "Cryptography", "Domain", "JSON"]),
    suite("AppStoreTests", ["AppStore", "Cryptography", "Domain"], exclude: ["Fixtures"]),
    suite(
      "CollectTests",
      ["TestSupport", "Jobs", "AppStore", "AppStoreServer", "AppStoreSimulator", "HTTP", "Postgres", "Cryptography", "Domain"]),
    suite(
      "AppStoreSimulatorTests", ["AppStoreSimulator", "HTTP", "Cryptography", "Domain"],
      exclude: ["python-client"]),
    suite(
      "CommandTests",
      ["payrecon", "payrecon-server", "KillPoints", "TestSupport", "AppStore", "AppStoreSimulator", "Simulation", "Postgres", "Cryptography", "Domain"]),
    suite(
      "SchedulingTests",
      ["Scheduling", "Jobs", "TestSupport", "Postgres", "Cryptography", "Domain", logging]),
    suite("OracleTests", ["TestSupport", "Jobs", "Cryptography", "Domain"]),
    suite("JobsTests", ["TestSupport", "Jobs", "Simulation", "Postgres", "Cryptography", "Domain"]),
  ]
)

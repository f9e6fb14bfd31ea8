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

func suite(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
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

let package = Package(
  name: "payrecon",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    // C libraries: a module map and a shim each.
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),

    // Safe wrappers: the only places that touch C memory.
    library("Blocking"),
    library("Postgres", ["CLibPQ", "Blocking"]),
    library("HTTP", ["CCurl", "Blocking"]),
    library("Cryptography", ["COpenSSL"]),

    // Core: no I/O, no Foundation.
    library("Domain"),

    // Adapters.
    library("AppStore", ["Cryptography", "Domain"], resources: [.copy("Roots")]),
    library("AppStoreServer", ["HTTP", "Cryptography", "AppStore", "Domain"]),
    library("Intake", ["Domain"]),
    library("Scheduling", ["Domain", yams]),
    library("Simulation", ["Cryptography", "Domain"]),
    library("AppStoreSimulator", hummingbird + [.target(name: "Cryptography"), .target(name: "Domain")]),

    // Application.
    library("Jobs", ["AppStore", "AppStoreServer", "HTTP", "Intake", "Scheduling", "Postgres", "Cryptography", "Domain", logging, mustache]),
    library("Web", hummingbird + [.target(name: "Jobs")]),
    .executableTarget(
      name: "payrecon",
      dependencies: [
        "Jobs", "Web", "Scheduling", "Simulation", "AppStoreSimulator", "AppStoreServer", "Intake", "Postgres", "Cryptography", "Domain", argumentParser, logging, yams,
      ],
      swiftSettings: strict),

    // Tests: through the public interfaces only, so that they run on the release build.
    .target(
      name: "TestSupport", dependencies: ["Jobs", "Postgres", "Cryptography", "Domain", logging],
      path: "Tests/TestSupport", swiftSettings: strict),
    suite("DomainTests", ["Domain"]),
    suite("IntakeTests", ["Intake", "Domain"]),
    suite("PostgresTests", ["Postgres"]),
    suite("HTTPTests", ["HTTP"]),
    suite("SimulationTests", ["Simulation", "Cryptography", "Domain"]),
    suite("AppStoreServerTests", ["AppStoreServer", "HTTP", "AppStore", "Cryptography", "Domain"]),
    suite("AppStoreTests", ["AppStore", "Cryptography", "Domain"], exclude: ["Fixtures"]),
    suite(
      "CollectTests",
      ["TestSupport", "Jobs", "AppStore", "AppStoreServer", "AppStoreSimulator", "HTTP", "Postgres", "Cryptography", "Domain"]),
    suite(
      "AppStoreSimulatorTests", ["AppStoreSimulator", "HTTP", "Cryptography", "Domain"],
      exclude: ["python-client"]),
    suite(
      "CommandTests",
      ["payrecon", "TestSupport", "AppStore", "AppStoreSimulator", "Simulation", "Postgres", "Cryptography", "Domain"]),
    suite(
      "SchedulingTests",
      ["Scheduling", "Jobs", "TestSupport", "Postgres", "Cryptography", "Domain", logging]),
    suite("OracleTests", ["TestSupport", "Jobs", "Cryptography", "Domain"]),
    suite("JobsTests", ["TestSupport", "Jobs", "Simulation", "Postgres", "Cryptography", "Domain"]),
  ]
)

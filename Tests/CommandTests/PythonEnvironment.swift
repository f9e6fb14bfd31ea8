import FoundationEssentials

/// A Python environment with packages, shared by all runs of an account.
struct PythonEnvironment: Sendable {
  /// Name of the environment, a part of its folder's name.
  let name: String
  /// Packages with their versions, in pip's format.
  let packages: [String]
  /// Packages installed without their dependencies.
  var bare: [String] = []
  /// A module whose presence means that all packages are installed.
  let module: String

  var folder: String { "/tmp/payrecon-python-\(name)-\(Program.variable("USER") ?? "tests")" }

  /// A program with the environment's folder in PAYRECON_VENV.
  var program: Program {
    var program = Program()
    program.environment["PAYRECON_VENV"] = folder
    // The machine configures how pip reaches its index.
    for (name, value) in ProcessInfo.processInfo.environment
    where name == "HOME" || name.hasPrefix("PIP_") || name.uppercased().hasSuffix("_PROXY") {
      program.environment[name] = value
    }
    return program
  }

  /// Creates the environment. Returns false if that fails, for example without a package index.
  func install() async throws -> Bool {
    let script = """
      set -e
      "$0/bin/python" -c "import $1" 2>/dev/null && exit 0
      python3 -m venv "$0"
      shift
      "$0/bin/pip" install --quiet --no-compile --disable-pip-version-check "$@"
      for package in $PAYRECON_BARE; do
        "$0/bin/pip" install --quiet --no-compile --no-deps --disable-pip-version-check "$package"
      done
      """
    var program = program
    program.environment["PAYRECON_BARE"] = bare.joined(separator: " ")
    let made = try await program.run(["sh", "-c", script, folder, module] + packages)
    if made.status != 0 { print("Python packages \(packages) were not installed: \(made.complaint.suffix(1000))") }
    return made.status == 0
  }
}

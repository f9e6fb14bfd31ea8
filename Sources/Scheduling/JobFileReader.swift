internal import Domain
internal import FoundationEssentials
internal import TimeZones
public import YAML
internal import Yams

public struct JobFileError: YAMLFileError, Sendable, CustomStringConvertible {
  public static let file = "job file"
  public static let whole = "the job"
  public static let key = "key"

  public var description: String

  public init(description: String) { self.description = description }
}

private typealias JobNode = YAMLNode<JobFileError>

extension JobFile {
  private static let filesMax = 200
  private static let fileBytesMax = 64 * 1024

  /// Reads every `*.yaml` file of a folder, ordered by name. Other files are ignored.
  ///
  /// - Throws: `JobFileError` naming the file and key.
  public static func readAll(directory: String) throws(JobFileError) -> [JobFile] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".yaml") }.sorted()
    } catch {
      throw JobFileError(
        description: "could not read the job folder \"\(directory)\": check that it is there and may be read, "
          + "or name another with --jobs")
    }
    guard names.count <= filesMax else {
      throw JobFileError(description: "cannot use the job folder \"\(directory)\": it holds more than \(filesMax) jobs")
    }
    var jobs: [JobFile] = []
    for name in names { jobs.append(try read(path: "\(directory)/\(name)")) }
    return jobs
  }

  /// Reads one job file.
  ///
  /// - Throws: `JobFileError` naming the file and key.
  public static func read(path: String) throws(JobFileError) -> JobFile {
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw JobFileError(description: "could not read job file \"\(path)\": check that it is there, is UTF-8 and may be read")
    }
    let job = try parse(text, path: path)
    let base = path.split(separator: "/").last.map(String.init) ?? path
    guard base == "\(job.name).yaml" else {
      throw JobFileError(
        description: "cannot use job file \"\(path)\": key \"name\" is \"\(job.name)\", so the file must be called "
          + "\(job.name).yaml")
    }
    return job
  }

  /// Parses the text of a job file.
  ///
  /// - Parameter path: path for error messages.
  /// - Throws: `JobFileError` naming the file and key.
  public static func parse(_ text: String, path: String) throws(JobFileError) -> JobFile {
    guard text.utf8.count <= fileBytesMax else {
      throw JobFileError(description: "cannot use job file \"\(path)\": it is longer than \(fileBytesMax) bytes")
    }
    let root: Node?
    do {
      root = try YAMLSyntax.root(of: text)
    } catch {
      throw JobFileError(description: "cannot use job file \"\(path)\": not YAML: \(error)")
    }
    return try JobNode(root, file: path).job()
  }
}

private enum JobFileWords {
  static let keys: Set<String> = [
    "name", "command", "schedule", "every", "time_zone", "dst", "window", "catch_up", "attempts", "timeout",
    "duration", "rows", "input_ages", "alerts",
  ]
  /// Subcommands that start jobs or never end.
  static let refusedCommands: Set<String> = ["run-due", "run", "backfill", "serve"]
  static let inputKinds: Set<String> = ["orders", "users", "catalogue", "apple", "finance", "bank"]
}

extension YAMLNode where Failure == JobFileError {
  fileprivate func job() throws(JobFileError) -> JobFile {
    let top = try mapping(JobFileWords.keys)
    guard let name = top["name"] else { throw fault("needs \"name\"") }
    guard let command = top["command"] else { throw fault("needs \"command\"") }
    var job = JobFile(
      name: try name.jobName(), command: try command.command(),
      schedule: try schedule(calendar: top["schedule"], every: top["every"]))
    if let node = top["time_zone"] { job.timeZone = try node.timeZone() }
    if let node = top["dst"] { job.daylightSaving = try node.choice(JobFile.DaylightSavingRule.allCases) }
    if let node = top["window"] {
      job.window = try node.windowRule()
      if job.window == .previousDay || job.window == .previousMonth, !job.isDailyAtMost {
        throw node.fault("needs a schedule with one minute and one hour: a window is run once only")
      }
    }
    if let node = top["catch_up"] { job.catchUp = try node.catchUp() }
    if let node = top["attempts"] { job.attemptsMax = Int(try node.integer(1...20)) }
    if let node = top["timeout"] { job.timeoutSeconds = try node.seconds(1...7 * 86_400) }
    if let node = top["duration"] {
      (job.durationMin, job.durationMax) = try node.bounds { end throws(JobFileError) in try end.seconds(0...7 * 86_400) }
    }
    if let node = top["rows"] {
      (job.rowsMin, job.rowsMax) = try node.bounds { end throws(JobFileError) in try end.integer(0...1_000_000_000_000) }
    }
    for (kind, node) in try top["input_ages"]?.mapping(JobFileWords.inputKinds) ?? [:] {
      job.inputAges[kind] = try node.seconds(60...366 * 86_400)
    }
    if let node = top["alerts"] { job.alerts = try node.alerts() }
    return job
  }

  private func schedule(calendar: JobNode?, every: JobNode?) throws(JobFileError) -> JobFile.Schedule {
    if let every {
      if let calendar { throw calendar.fault("and \"every\" exclude each other") }
      return .every(seconds: try every.seconds(60...86_400))
    }
    guard let calendar else { throw fault("needs \"schedule\" or \"every\"") }
    let text = try calendar.text()
    do { return .calendar(try CalendarSchedule(text)) } catch { throw calendar.fault(error.reason) }
  }

  private func jobName() throws(JobFileError) -> String {
    let text = try text()
    guard text.wholeMatch(of: /[a-z][a-z0-9-]{0,62}/) != nil else {
      throw fault("must be lower-case letters, digits and hyphens, at most 63")
    }
    return text
  }

  private func command() throws(JobFileError) -> [String] {
    var words: [String] = []
    for node in try list() {
      let word = try node.text()
      let others = JobFile.placeholders.reduce(word) { $0.replacing("{\($1)}", with: " ") }
      guard !others.contains("{") else {
        throw node.fault("has braces that hold none of \(JobFile.placeholders.joined(separator: ", "))")
      }
      words.append(word)
    }
    guard let first = words.first else { throw fault("needs a subcommand of payrecon") }
    guard !first.hasPrefix("-"), !JobFileWords.refusedCommands.contains(first) else {
      throw fault("begins with \"\(first)\", which no job can start")
    }
    return words
  }

  private func timeZone() throws(JobFileError) -> TimeZoneRules {
    let name = try text()
    do {
      return try TimeZoneRules(named: name)
    } catch {
      throw fault(error.description)
    }
  }

  private func windowRule() throws(JobFileError) -> JobFile.WindowRule {
    switch try text() {
    case "previous_day": .previousDay
    case "previous_month": .previousMonth
    case "since_previous": .sincePrevious
    default: .seconds(try seconds(1...366 * 86_400, or: "previous_day, previous_month, since_previous or "))
    }
  }

  private func catchUp() throws(JobFileError) -> JobFile.CatchUp {
    let fields = try mapping(["policy", "max", "start_within"])
    var catchUp = JobFile.CatchUp()
    if let node = fields["policy"] { catchUp.policy = try node.choice(JobFile.CatchUp.Policy.allCases) }
    if let node = fields["max"] { catchUp.max = Int(try node.integer(1...1000)) }
    if let node = fields["start_within"] { catchUp.startWithinSeconds = try node.seconds(60...86_400) }
    return catchUp
  }

  private func alerts() throws(JobFileError) -> JobFile.Alerts {
    let fields = try mapping(["heartbeat_url", "fail_on"])
    var alerts = JobFile.Alerts()
    if let node = fields["heartbeat_url"] {
      let url = try node.text()
      let isLocal = ["http://127.0.0.1", "http://localhost", "http://[::1]"].contains { url.hasPrefix($0) }
      guard url.hasPrefix("https://") || isLocal, url.utf8.count <= 1024 else {
        throw node.fault("must be an https address, or http to this machine itself", isSecret: true)
      }
      alerts.heartbeatURL = url.hasSuffix("/") ? String(url.dropLast()) : url
    }
    if let node = fields["fail_on"] { alerts.failOn = try node.choice([Verdict.warnings, .breaks, .incomplete, .failed]) }
    return alerts
  }

  /// Reads `min` and `max`, each of which may be missing.
  private func bounds(_ number: (JobNode) throws(JobFileError) -> Int64) throws(JobFileError) -> (min: Int64?, max: Int64?) {
    let ends = try mapping(["min", "max"])
    let (low, high) = (try ends["min"].map(number), try ends["max"].map(number))
    if let low, let high, low > high { throw fault("has a min above its max") }
    return (low, high)
  }
}

extension JobFile {
  fileprivate var isDailyAtMost: Bool {
    switch schedule {
    case .calendar(let calendar): calendar.isDailyAtMost
    case .every(let seconds): seconds == 86_400
    }
  }
}

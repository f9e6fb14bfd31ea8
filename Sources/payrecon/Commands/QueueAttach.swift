internal import ArgumentParser
internal import CommandSupport
internal import Domain
internal import JobCore
internal import Review

extension QueueCommand {
  struct Attach: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Attaches a file to a case, of at most 4 MiB; erased with the person whom the case is about.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @Argument(help: "The file.") var file: String
    @OptionGroup var person: PersonOptions
    @OptionGroup var options: JobOptions

    func run() async throws {
      let (context, whole) = try await options.resolving(id, .caseID, label: "queue")
      guard let bytes = try LocalFile.contents(file, bytesMax: CaseJob.attachmentBytesMax + 1) else {
        throw JobError("could not read \"\(file)\"", status: .usage)
      }
      let hash = try await CaseJob(context: context).attach(whole, bytes, name: file, by: person.value)
      Output.write(line: "queue: attached \(hash)")
    }
  }

  struct Attachments: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the files that are attached to a case, or writes one of them.")
    @Argument(help: "Case id, or its beginning.") var id: String
    @Argument(help: "SHA-256 of the file to write to standard output (default: lists them).") var sha256: String?
    @OptionGroup var person: PersonOptions
    @OptionGroup var list: ListArguments

    func run() async throws {
      let (context, whole) = try await list.options.resolving(id, .caseID, label: "queue")
      let job = CaseJob(context: context)
      guard let sha256 else {
        return try Output.tryWrite(try await job.attachments(whole, as: list.format, filter: list.filter))
      }
      try Output.tryWrite(try await job.attachment(whole, sha256, by: person.value))
    }
  }
}

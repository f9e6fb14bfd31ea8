import FoundationEssentials
import Repository

/// Apple's own model files, stored beside the repository. Without them the tests are reported as skipped.
enum ModelFiles {
  private static let directory = "\(Repository.sharedFixtures)/apple-server-library"
  static let isThere = FileManager.default.fileExists(atPath: directory)

  static func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(directory)/model-\(name).json", encoding: .utf8)
  }
}

@Suite("Apple's model files", .enabled(if: ModelFiles.isThere, "shared/fixtures is not there")) struct FixtureTests {
  /// Returns the client's answer, or its fault, for a model file.
  private func read<Content>(_ name: String, _ call: (AppStoreServerClient) async throws -> Content) async throws -> Content {
    try await call(Bench([.ok(try ModelFiles.text(name))]).client)
  }

  @Test func `transactions and orders`() async throws {
    let info = try await read("transactionInfoResponse") { try await $0.transactionInfo("1", in: .production) }
    #expect(info.signedTransaction.text == "signed_transaction_info_value")
    let order = try await read("lookupOrderIdResponse") { try await $0.lookUpOrder("W002182") }
    #expect(order.status == 1)
    #expect(order.isFound == false)
    #expect(order.signedTransactions.map(\.text) == ["signed_transaction_one", "signed_transaction_two"])
    let refunds = try await read("getRefundHistoryResponse") { try await $0.refundHistory(of: "1", in: .production) }
    #expect(refunds.signedTransactions.map(\.text) == ["signed_transaction_one", "signed_transaction_two"])
    #expect(refunds.revision == "revision_output")
    #expect(refunds.hasMore == true)
  }

  @Test(arguments: ["", "WithMalformedAppAppleId--python-node-java", "WithMalformedAppAppleId--swift", "WithMalformedEnvironment"])
  func `transaction history, also with values of another kind`(variant: String) async throws {
    let page = try await read("transactionHistoryResponse\(variant)") { try await $0.transactionHistory(of: "1", in: .production) }
    #expect(page.revision == "revision_output")
    #expect(page.hasMore == true)
    #expect(page.signedTransactions.map(\.text) == ["signed_transaction_value", "signed_transaction_value2"])
  }

  @Test func `subscription statuses`() async throws {
    let answer = try await read("getAllSubscriptionStatusesResponse") { try await $0.subscriptionStatuses(of: "1", in: .production) }
    let last = answer.lastTransactions
    #expect(last.map(\.status) == [1, 5, 2])
    #expect(last.map(\.originalTransactionID) == ["3749183", "5314314134", "3413453"])
    let names = ["one", "two", "three"]
    #expect(last.map { $0.signedTransaction?.text } == names.map { "signed_transaction_\($0)" })
    #expect(last.map { $0.signedRenewalInfo?.text } == names.map { "signed_renewal_\($0)" })
  }

  @Test func `notifications`() async throws {
    let query = NotificationHistoryQuery(from: Timestamp(milliseconds: 1), to: Timestamp(milliseconds: 2))
    let history = try await read("getNotificationHistoryResponse") { try await $0.notificationHistory(query, in: .production) }
    #expect(history.paginationToken == "57715481-805a-4283-8499-1c19b5d6b20a")
    #expect(history.hasMore == true)
    #expect(history.notifications.map { $0.signedPayload?.text } == ["signed_payload_one", "signed_payload_two"])
    #expect(history.notifications.map(\.attemptResults) == [["NO_RESPONSE", "SUCCESS"], ["CIRCULAR_REDIRECT"]])
  }

  @Test(
    "error bodies",
    arguments: [
      ("apiException", 500, .code(.internalError), .retry),
      ("apiUnknownError", 400, .unrecognizedCode(9_990_000), .final),
      ("appTransactionDoesNotExistError", 404, .unrecognizedCode(4_040_019), .final),
      ("familyTransactionNotSupportedError", 400, .unrecognizedCode(4_000_185), .final),
      ("invalidAppAccountTokenUUIDError", 400, .unrecognizedCode(4_000_183), .final),
      ("invalidTransactionIdError", 400, .code(.transactionID), .final),
      ("transactionIdNotFoundError", 404, .code(.transactionIDNotFound), .otherEnvironment),
      ("transactionIdNotOriginalTransactionId", 400, .unrecognizedCode(4_000_187), .final),
      ("apiTooManyRequestsException", 429, .code(.rateLimitExceeded), .retryAt(Timestamp(milliseconds: 1_767_225_060_000))),
    ] as [(String, Int, APIFault.Cause, RetryClass)])
  func errors(name: String, status: Int, cause: APIFault.Cause, retry: RetryClass) async throws {
    let bench = try await Bench(limits: .single, [Scripted(status: status, body: try ModelFiles.text(name))])
    let failure = await fault { try await bench.client.transactionInfo("1", in: .production) }
    #expect(failure?.cause == cause)
    #expect(failure?.retry == retry)
    #expect(failure?.status == status)
  }
}

@Suite("Answers") struct AnswerTests {
  @Test func `values of another type count as missing, and words and numbers that Apple adds later are kept`() async throws {
    let body =
      #"{"data":[{"new":{"deep":[1]},"lastTransactions":"#
      + #"[{"status":9,"originalTransactionId":1},"odd"]}],"bundleId":null,"added":"x"}"#
    let bench = try await Bench([.ok(body)])
    let answer = try await bench.client.subscriptionStatuses(of: "1", in: .production)
    #expect(answer.lastTransactions.count == 1)
    let last = try #require(answer.lastTransactions.first)
    #expect(last.status == 9)
    #expect(last.originalTransactionID == nil)
  }
}

import Dice
import Domain
import Testing
import TestSupport

/// Charges that one statement makes known are written without gathering; a rebuild from all statements gives the same rows.
@Suite(.cleansUp) struct NewChargesEqualRebuiltOnesTests {
  private static let clock = "2026-05-12T12:00:00Z"

  /// Returns a signed transaction with random members. Few ids, so that statements meet in one charge or subscription.
  private static func transaction(_ random: inout Dice) -> String {
    func sometimes(_ percent: Int, _ member: String) -> [String] { random.chance(percent) ? [member] : [] }
    let (chain, id) = (random.below(60), random.below(300))
    let bought = 1_778_320_800_000 + 86_400_000 * random.below(3)
    let type = random.pick(["Consumable", "Non-Consumable", "Non-Renewing Subscription", "Auto-Renewable Subscription"])
    var members = [
      #""transactionId":"\#(random.chance(60) ? 1000 + chain : 2000 + id)""#, #""originalTransactionId":"\#(1000 + chain)""#,
      #""bundleId":"com.acme.reader""#, #""environment":"\#(random.chance(90) ? "Production" : "Sandbox")""#,
      #""productId":"product\#(chain % 3)""#, #""purchaseDate":\#(bought)"#, #""signedDate":\#(bought + random.below(100_000))"#,
    ]
    members += sometimes(80, #""type":"\#(type)""#) + sometimes(50, #""webOrderLineItemId":"\#(3000 + id)""#)
    members += sometimes(50, #""expiresDate":\#(bought + 2_592_000_000)"#) + sometimes(50, #""originalPurchaseDate":\#(bought - 5000)"#)
    members += sometimes(60, #""price":\#(random.pick([0, 9990, 68_000]))"#) + sometimes(60, #""currency":"CNY""#)
    members += sometimes(60, #""storefront":"CHN""#) + sometimes(30, #""quantity":\#(random.number(1...3))"#)
    members += sometimes(60, #""inAppOwnershipType":"\#(random.pick(["PURCHASED", "FAMILY_SHARED"]))""#)
    members += sometimes(40, #""transactionReason":"\#(random.pick(["PURCHASE", "RENEWAL"]))""#)
    members += sometimes(30, #""offerType":\#(random.number(1...4))"#) + sometimes(30, #""offerDiscountType":"FREE_TRIAL""#)
    members += sometimes(20, #""isUpgraded":true"#) + sometimes(30, #""subscriptionGroupIdentifier":"group""#)
    members += sometimes(30, #""appAccountToken":"a1000000-0000-4000-8000-00000000000\#(random.below(9))""#)
    members += sometimes(8, #""revocationDate":\#(bought + 50_000)"#)
    return Scenario.sign("{\(members.joined(separator: ","))}")
  }

  @Test(arguments: 1...3) func chargesAreAsGathered(seed: UInt64) async throws {
    var random = Dice(seed: seed)
    let scenario = try await Scenario()
    for _ in 0..<4 {
      let texts = (0..<100).map { _ in Self.transaction(&random) }
      #expect(try await scenario.evidence(texts, asOf: Self.clock).parked == 0, "seed \(seed)")
    }
    let differing = try await scenario.answers(
      """
      with gathered as materialized (select * from payrecon.charges_of('infinity', null, null))
      select charge_id
      from ((table payrecon.charges except table gathered) union all (table gathered except table payrecon.charges)) as differing
      """)
    #expect(differing == [], "seed \(seed)")
    #expect(try await scenario.answers("select 'many' from payrecon.charges having count(*) > 150") == ["many"])
  }
}

extension World {
  /// Number of rows generated per task.
  private static let chargesPerChunk = 1024

  /// Writes as many plain orders as charges, each charge in one signed transaction, with settings.
  ///
  /// Two thirds of the pairs match by a token of the order, one third by the transaction id. Files: the inputs below `inbox`,
  /// `roots/simulated-root.der`, `payrecon.yaml`.
  /// - Parameter charges: 1 or more.
  /// - Throws: `SimulationError` when the size is out of range or a file cannot be written.
  public static func writeBench(seed: UInt64, charges: Int, directory: String) async throws {
    guard (1...mostOrders).contains(charges) else {
      throw SimulationError(
        description: "cannot make a bench of \(charges) charges: it takes 1 to \(mostOrders); "
          + "choose another number of charges")
    }
    let signers = try begin(directory, folders: ["inbox", "roots"], seed: seed, settings: settings([]))
    let orders = try OutputFile("\(directory)/inbox/orders.csv", header: Order.header)
    let evidence = try OutputFile("\(directory)/inbox/apple.ndjson")
    try await OrderedChunks.run(charges, by: chargesPerChunk) { indexes in
      makeBenchChunk(indexes, seed: seed, signers: signers)
    } take: { output in
      try orders.write(output.orders.bytes)
      for line in output.evidence { try evidence.write(line) }
    }
  }

  private static func makeBenchChunk(_ indexes: Range<Int>, seed: UInt64, signers: Signers) -> CaseOutput {
    var output = CaseOutput()
    var lines = TextBuffer(capacity: indexes.count * 4600)
    for index in indexes {
      var builder = CaseBuilder(index: index, seed: seed, signers: signers, output: output)
      output = CaseOutput()
      let customer = builder.customer()
      var charge = builder.purchase(customer)
      charge.token = builder.random.uuid()
      var order = builder.order(customer, for: charge)
      if index % 3 == 0 { order.transactionID = charge.transactionID } else { order.token = charge.token }
      builder.book(order)
      lines.add(builder.sign(charge, at: charge.purchasedAt + 2))
      lines.newline()
      output = builder.output
    }
    output.evidence = [lines.bytes]
    return output
  }
}

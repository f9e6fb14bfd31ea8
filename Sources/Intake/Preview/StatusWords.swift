/// Guesses the status of an order from parts of a word such as `paid_not_shipped`.
struct StatusWords {
  private enum Part: Equatable {
    case verb(String)
    /// Denies the next verb, as *not* does.
    case before
    /// Denies the verb before it, as *failed* does.
    case after
    /// Denies the next verb or, without one, the verb before it, as *pending* does. Alone, it can state that nothing was paid.
    case around(isAlone: Bool)
  }

  /// Parts that count wherever they occur.
  private static let parts: [(part: Part, words: String)] = [
    (.verb("refunded"), "refund return 返金 返品 払戻 退款 退货 возвра"),
    (.verb("cancelled"), "cancel close expire timeout キャンセル 取消 中止 関 关闭 超时 отмен закры"),
    (.verb("revoked"), "revok 剥奪 撤销 收回 отозв"),
    (
      .verb("delivered"),
      """
      deliver shipped shipment complet fulfil grant 引渡 納品 付与 提供 完了 发货 發貨 完成 交付 到账 发放 достав выполн выда
      """
    ),
    (.verb("paid"), "paid pay 入金 決済 支払 支付 付款 付费 оплач оплат"),
    (.verb("created"), "creat draft open 仮 新規 受付 登録 创建 新建 созда новый"),
    (.after, "fail reject denied declin 失败 失敗 拒绝 驳回 отклон"),
    (.around(isAlone: true), "pending wait 待ち ожида 未"),
    (.around(isAlone: false), "await request processing progress 待 申请 申請 依頼 审核 審査 处理中 処理中 进行中 没 沒 不"),
  ]
  /// Words that deny the next verb, separate from it or at its beginning.
  private static let words = ["not", "without", "never", "no", "non", "не", "нет", "без"]
  /// Beginnings and ends of a verb that deny it: `unpaid`, `incomplete`, `refunding`, `refundable`.
  private static let prefixes = ["un", "in", "non"]
  private static let suffixes = ["ing", "ling", "able", "中"]
  private static let lengthMax = 100

  /// Statuses by precedence: a refunded order was paid before.
  private static let order = ["refunded", "cancelled", "revoked", "delivered", "paid", "created"]

  /// Returns the status that parts of a word point to; nil if none does, or if a denied verb leaves it open.
  static func similar(_ value: String) -> String? {
    let text = Array(value.lowercased().prefix(lengthMax))
    guard text.contains(where: \.isLetter) else { return nil }
    let found = parts(text)
    var stated: Set<String> = []
    var denied: Set<String> = []
    for (index, part) in found.enumerated() {
      let previous = index > 0 ? found[index - 1] : nil
      let next = index + 1 < found.count ? found[index + 1] : nil
      switch part {
      case .verb(let status): if isDenied(index, found) { denied.insert(status) } else { stated.insert(status) }
      case .after:
        // A payment that failed ends the order; a refund that failed does not.
        if previous == nil || previous == .verb("paid") || previous == .verb("created") { stated.insert("cancelled") }
      case .around(isAlone: true): if !isVerb(previous), !isVerb(next) { stated.insert("created") }
      case .around, .before: continue
      }
    }
    // A request to refund or a refund that was cancelled leaves the order as it was before.
    if zip(found, found.dropFirst()).contains(where: { $0 == .verb("refunded") && $1 == .verb("cancelled") }) { return nil }
    if let status = order.first(where: stated.contains) { return status }
    return denied.contains("paid") ? "created" : nil
  }

  private static func isVerb(_ part: Part?) -> Bool {
    if case .verb? = part { true } else { false }
  }

  private static func isDenied(_ index: Int, _ found: [Part]) -> Bool {
    if index > 0 {
      switch found[index - 1] {
      case .before, .around: return true
      case .verb, .after: break
      }
    }
    guard index + 1 < found.count else { return false }
    switch found[index + 1] {
    case .after: return true
    case .around: return index + 2 >= found.count || !isVerb(found[index + 2])
    case .verb, .before: return false
    }
  }

  private static func parts(_ text: [Character]) -> [Part] {
    var found: [Part] = []
    var position = 0
    while position < text.count {
      let isStart = position == 0 || !text[position - 1].isLetter
      if let (part, length) = part(text, position) {
        position += length
        if isVerb(part), suffixes.contains(where: { starts(text, position, $0) && !startsVerb(text, position) }) { found.append(.before) }
        found.append(part)
      } else if isStart, starts(text, position, "new"), position + 3 == text.count || !text[position + 3].isLetter {
        found.append(.verb("created"))
        position += 3
      } else if isStart, let word = words.first(where: { starts(text, position, $0) && isEnd(text, position + $0.count) }) {
        found.append(.before)
        position += word.count
      } else if let prefix = prefixes.first(where: { starts(text, position, $0) && startsVerb(text, position + $0.count) }) {
        found.append(.before)
        position += prefix.count
      } else {
        position += 1
      }
    }
    return found
  }

  /// Returns whether a word ends at a position, or a verb begins there.
  private static func isEnd(_ text: [Character], _ position: Int) -> Bool {
    position < text.count && (!text[position].isLetter || startsVerb(text, position))
  }

  private static func startsVerb(_ text: [Character], _ position: Int) -> Bool { isVerb(part(text, position)?.part) }

  private static func part(_ text: [Character], _ position: Int) -> (part: Part, length: Int)? {
    var longest: (part: Part, length: Int)?
    for (part, words) in parts {
      for word in words.split(whereSeparator: \.isWhitespace) where word.count > longest?.length ?? 0 && starts(text, position, word) {
        longest = (part, word.count)
      }
    }
    return longest
  }

  private static func starts(_ text: [Character], _ position: Int, _ word: some StringProtocol) -> Bool {
    position <= text.count && text[position...].starts(with: word)
  }
}

/// Finds columns whose names are not usual, by a part of the name and by the form of the values.
struct ColumnGuess {
  let sample: InputSample
  let rowType: any InputRow.Type
  /// Words that state nothing.
  let nulls: [String]

  private static let statusWordsMax = 20
  private static let transactionDigits = 12...20
  private static let partsMin = 3

  /// Parts of names by column of payrecon, the most telling first, in the order in which columns are looked for.
  private static let parts: [(target: String, words: String)] = [
    ("transaction_id", "apple transaction 取引 交易 流水 транзакц"),
    ("status", "status state 状態 区分 ステータス 状态 статус zustand"),
    ("product_id", "product item goods sku 商品 アイテム プロダクト プラン 产品 товар продукт"),
    ("user_id", "user member customer buyer account 顧客 会員 ユーザ お客様 用户 会员 客户 买家 клиент покупател польз kunde"),
    ("order_id", "order 注文 受注 オーダー 购买 订单 单号 заказ"),
    ("refunded_at", "refund 返金 返品 退款 возврат"), ("delivered_at", "deliver grant fulfil 引渡 納品 付与 提供 发货 交付 发放 выда доставк"),
    ("paid_at", "paid pay 入金 決済 支払 付款 支付 оплат bezahlt"), ("updated_at", "updat modif chang 更新 変更 变更 修改 измен обнов geändert"),
    ("created_at", "creat order purchas 受注 注文 作成 登録 购买 下单 创建 订单 созда заказ"),
    ("price_milliunits", "price amount total cost 金額 請求額 価格 料金 代金 金额 价格 费用 сумм цен стоим betrag"),
    ("currency", "currency 通貨 币种 货币 валют währung"),
  ]

  /// Returns further sources: the column of the file by column of payrecon.
  ///
  /// - Parameter found: sources with usual names.
  func sources(beside found: [String: String]) -> [String: String] {
    guard rowType.kind == "orders", !sample.rows.isEmpty else { return [:] }
    var guessed: [String: String] = [:]
    func isFree(_ name: String) -> Bool { !found.values.contains(name) && !guessed.values.contains(name) }
    func isOpen(_ target: String) -> Bool { found[target] == nil && guessed[target] == nil }
    for (target, words) in Self.parts where isOpen(target) {
      let parts = words.split(separator: " ")
      let names = sample.names.filter { isFree($0) && fits($0, target) }
      guessed[target] = parts.lazy.compactMap { part in names.first { ColumnNames.plain($0).contains(part) } }.first
    }
    for target in ["product_id", "status", "created_at", "order_id"] where isOpen(target) {
      guessed[target] = byValues(target, sample.names.filter(isFree))
    }
    return guessed
  }

  private func values(_ name: String) -> [String] { sample.values(name).filter { !nulls.contains($0) } }

  /// Returns whether a column's values can be those of a column of payrecon.
  private func fits(_ name: String, _ target: String) -> Bool {
    let values = values(name)
    guard !values.isEmpty else { return false }
    let isInstant = !InstantGuess.areZeros(values) && InstantGuess.form(of: values) != nil
    switch target {
    case "order_id": return !isInstant && Set(values).count == sample.rows.count
    case "transaction_id": return values.allSatisfy(Self.isTransactionID)
    case "status": return !isInstant && Set(values).count <= Self.statusWordsMax
    case "price_milliunits":
      let isRefund = ["refund", "返金", "退款", "возврат"].contains { ColumnNames.plain(name).contains($0) }
      return !isRefund && !isInstant && values.allSatisfy { ExactDecimal($0) != nil }
    case "currency": return values.allSatisfy { $0.count <= 4 }
    case _ where target.hasSuffix("_at"): return isInstant
    default: return !isInstant
    }
  }

  /// Returns whether a value has the form of Apple's transaction ids. Zeros alone state nothing.
  static func isTransactionID(_ value: String) -> Bool {
    transactionDigits.contains(value.count) && value.allSatisfy(\.isNumber) && value.contains { $0 != "0" }
  }

  /// Returns whether a value has the form of a product id such as `com.acme.reader.vip`.
  private static func isProductID(_ value: String) -> Bool {
    value.split(separator: ".").count >= partsMin && !value.contains(" ") && value.contains { $0.isLetter }
  }

  /// Returns the column of which the values alone tell what it is; nil if there is none.
  private func byValues(_ target: String, _ names: [String]) -> String? {
    let fitting = names.filter { fits($0, target) }
    switch target {
    case "product_id":
      return fitting.first { values($0).allSatisfy(Self.isProductID) }
    case "status":
      return fitting.first { name in
        let words = Set(values(name))
        return words.count > 1 && words.count { ValueWords.word($0, in: "status") != nil } * 2 > words.count
      }
    case "created_at": return fitting.first { values($0).count == sample.rows.count }
    default: return sample.rows.count > 1 ? fitting.first : nil
    }
  }
}

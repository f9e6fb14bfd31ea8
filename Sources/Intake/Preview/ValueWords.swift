/// Usual words of other platforms for the closed lists of payrecon, in lower case.
enum ValueWords {
  /// Returns the word of payrecon for a value of a column; nil if it is unknown.
  static func word(_ value: String, in target: String) -> String? {
    let plain = value.lowercased().filter { $0.isLetter || $0.isNumber || "¥$€₽￥£".contains($0) }
    return lists[target]?.first { $0.words.split(separator: " ").contains(Substring(plain)) }?.word
  }

  /// Returns what numeric codes of a status mean by convention: counted from 0, or from 1 without a code 0, or in steps of ten.
  static func conventional(_ codes: [Int]) -> [Int: String] {
    let steps = ["created", "paid", "delivered", "cancelled", "refunded", "refunded", "revoked"]
    let scale = codes.allSatisfy { $0 % 10 == 0 } && codes.contains { $0 >= 10 } ? 10 : 1
    let first = codes.contains(0) ? 0 : 1
    return codes.reduce(into: [:]) { meanings, code in
      let step = code / scale - first
      if code < 0 { meanings[code] = "cancelled" } else if steps.indices.contains(step) { meanings[code] = steps[step] }
    }
  }

  private static let lists: [String: [(word: String, words: String)]] = [
    "status": [
      (
        "created",
        """
        created create new init initial unpaid pending waiting waitpay waitpayment pendingpayment topay notpaid open placed 待支付 未支付 待付款 \
        未付款 新建 已创建 创建 未払い 未払 支払待ち 入金待ち 受付 新規 注文済み 新規注文 создан новый неоплачен
        """
      ),
      (
        "paid",
        """
        paid pay payed paysuccess paymentsuccess captured charged processing confirmed 已支付 已付款 支付成功 待发货 付款成功 支払済 支払済み 支払い済み \
        入金済 入金済み 決済済 決済済み 決済完了 оплачен
        """
      ),
      (
        "delivered",
        """
        delivered deliver delivery fulfilled fulfilment complete completed done finish finished success succeeded successful granted \
        provisioned shipped active 已发货 已完成 完成 交易成功 交易完成 已到账 已发放 已交付 发货成功 成功 納品済 納品済み 付与済 付与済み 提供済み 完了 完了済み 利用中 \
        выдан выполнен завершен доставлен
        """
      ),
      (
        "cancelled",
        """
        cancelled canceled cancel closed close expired failed fail timeout void aborted 已取消 取消 已关闭 关闭 交易关闭 已失效 超时 失败 支付失败 取消済 \
        取消済み キャンセル キャンセル済み 失効 期限切れ отменен закрыт
        """
      ),
      (
        "refunded",
        """
        refunded refund refundsuccess fullrefund returned chargeback 已退款 退款 退款成功 全额退款 返金 返金済 返金済み 返金完了 払い戻し возврат возвращен
        """
      ),
      ("revoked", "revoked revoke rescinded clawback 已撤销 撤销 已收回 已回收 剥奪 取り消し 権限剥奪 отозван"),
    ],
    "environment": [
      ("Production", "production prod product live online release 生产 正式 线上 本番 本番環境 боевая"),
      ("Sandbox", "sandbox sand test testing staging testflight 沙盒 沙箱 测试 サンドボックス テスト тест"),
    ],
    "currency": [
      ("CNY", "cny rmb cnh 人民币 元 ¥ ￥ yuan"), ("JPY", "jpy yen 日元 日圓 日本円 円"),
      ("USD", "usd us$ $ 美元 米ドル ドル доллар"),
      ("EUR", "eur € 欧元 ユーロ евро"), ("HKD", "hkd hk$ 港币 港元"), ("TWD", "twd ntd nt$ 台币 新台币"), ("KRW", "krw 韩元 ウォン"),
      ("RUB", "rub rur ₽ 卢布 рубль руб"), ("GBP", "gbp £ 英镑"),
    ],
    "type": [
      ("consumable", "consumable consume cons 消耗型 消耗品 消耗型项目 消費型 消耗型アイテム 消耗 расходуемый"),
      ("non_consumable", "nonconsumable nonconsume permanent 非消耗型 非消耗型项目 非消耗 買い切り 非消費型 買切 нерасходуемый"),
      (
        "auto_renewable",
        """
        autorenewable autorenewablesubscription autorenew autorenewing subscription subs sub 自动续期订阅 自动续期 自动续订 连续订阅 订阅 \
        自動更新 自動更新サブスクリプション 自動更新購読 サブスクリプション サブスク подписка
        """
      ),
      (
        "non_renewing",
        """
        nonrenewing nonrenewingsubscription nonrenewable nonrenewablesubscription 非续期订阅 非自动续期 非更新 非自動更新 非更新サブスクリプション
        """
      ),
    ],
    "storefront": [
      ("CHN", "cn china 中国 中国大陆"), ("JPN", "jp japan 日本"), ("USA", "us america 美国 アメリカ"), ("HKG", "hk 香港"), ("TWN", "tw 台湾"),
      ("KOR", "kr korea 韩国 韓国"), ("RUS", "ru russia россия"), ("GBR", "gb uk 英国"), ("DEU", "de 德国 ドイツ"), ("FRA", "fr 法国 フランス"),
      ("SGP", "sg 新加坡"), ("MYS", "my"), ("THA", "th"),
      ("VNM", "vn"), ("IDN", "id"), ("AUS", "au"), ("CAN", "ca"), ("UKR", "ua"), ("KAZ", "kz"),
    ],
    "is_tester": [
      ("true", "true yes y 1 t 是 はい да tester"), ("false", "false no n 0 f 否 いいえ нет normal"),
    ],
    "family_shareable": [("true", "true yes y 1 t 是 はい да 可"), ("false", "false no n 0 f 否 いいえ нет 不可")],
    "period": [
      ("P7D", "7d week weekly 周 周卡 週 1週間 p1w 1w"), ("P1M", "1m month monthly 月 月卡 1ヶ月 1か月 月額 30d"), ("P2M", "2m"),
      ("P3M", "3m quarter quarterly 季 季卡 3ヶ月"), ("P6M", "6m halfyear 半年 半年卡 6ヶ月"), ("P1Y", "1y 12m year yearly annual 年 年卡 1年 年額 365d"),
    ],
  ]
}

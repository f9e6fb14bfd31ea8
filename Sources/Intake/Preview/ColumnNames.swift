/// Usual names of columns in other platforms' tables and exports, in English, pinyin, Chinese, Japanese, Russian and German.
enum ColumnNames {
  /// Returns a name in the form in which it is looked up: letters and digits in lower case, without a note in parentheses.
  static func plain(_ name: String) -> String {
    let base = name.prefix { $0 != "(" && $0 != "（" && $0 != "[" }
    let last = base.split(separator: ".").last ?? base[...]
    return last.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// Returns the source of each column of payrecon: the best-known name that the input has.
  static func sources(of targets: [String], kind: String, in names: [String]) -> [String: String] {
    var found: [String: String] = [:]
    var taken: Set<String> = []
    // Names of payrecon itself come first, so that no synonym takes them.
    for target in targets where names.contains(target) {
      found[target] = target
      taken.insert(target)
    }
    for target in targets where found[target] == nil {
      let known = [ColumnNames.plain(target)] + (words(target, kind: kind))
      let free = names.filter { !taken.contains($0) }
      guard let source = known.lazy.compactMap({ word in free.first { plain($0) == word } }).first else { continue }
      found[target] = source
      taken.insert(source)
    }
    return found
  }

  private static func words(_ target: String, kind: String) -> [String] {
    ((kind == "users" ? usersOnly[target] : kind == "catalogue" ? catalogueOnly[target] : nil) ?? shared[target] ?? "")
      .split(separator: " ").map(String.init)
  }

  private static let shared = [
    "order_id": """
    orderno ordernum ordernumber ordersn ordercode orderuuid outtradeno merchantorderno merchantorderid platformorderid innerorderid \
    tradeno tradeid billno billid paymentid purchaseid dingdanhao dingdanid ddh ddbh 订单号 订单编号 订单id 商户订单号 内部订单号 \
    注文番号 注文id 注文no オーダーid 受注番号 購入id 決済id номерзаказа заказ bestellnummer bestellnr id no 流水号
    """,
    "bundle_id": """
    bundle appbundle appbundleid bundleidentifier packagename package baoming 包名 应用包名 バンドルid パッケージ名 アプリid appid \
    app application 应用 应用程序 アプリ アプリ名 приложение
    """,
    "product_id": """
    appleproductid iapproductid iosproductid storeproductid productidentifier productcode sku skuid skucode goodsid goodscode goodsno \
    itemid itemcode product goods item planid plancode shangpinid spid spbh 苹果商品id 商品id 商品编号 商品编码 商品代码 产品id 产品编号 \
    商品コード 商品番号 プロダクトid プランid アイテムid артикул товар produkt produktid
    """,
    "user_id": """
    uid userno usercode useruuid memberid memberno customerid customerno accountid buyerid passportid playerid openid yonghuid yhid \
    用户id 用户编号 用户uid 会员id 会员编号 买家id 会員id 会員番号 ユーザーid ユーザid 顧客id 顧客番号 пользователь \
    kunde kundennummer kundennr kundenid userid user
    """,
    "status": """
    state orderstatus orderstate paystatus paystate tradestatus tradestate zhuangtai dingdanzhuangtai ddzt 状态 订单状态 支付状态 交易状态 \
    状態 注文状態 ステータス 注文ステータス 決済状態 статус zustand bestellstatus
    """,
    "created_at": """
    gmtcreate gmtcreated createtime createdtime createdat creationtime createdate createddate created createtimestamp ctime addtime \
    inserttime ordertime orderdate orderedat placedat purchasedat purchasetime chuangjianshijian xiadanshijian cjsj xdsj 创建时间 下单时间 \
    订单时间 订单创建时间 注文日時 注文日 作成日時 購入日時 受付日時 датасоздания создан \
    bestelldatum erstelltam ts timestamp
    """,
    "updated_at": """
    gmtmodified gmtupdate gmtupdated updatetime updatedtime updatedate updateddate updated modifytime modifiedtime modifiedat modified \
    lastmodified lastupdated lastupdate mtime utime gengxinshijian gxsj 更新时间 修改时间 最后更新时间 更新日時 最終更新日時 датаизменения обновлен \
    変更日時 変更日 変更時間 变更时间 变更日时 geändertam aktualisiertam
    """,
    "environment": "env appenv storeenv huanjing 环境 環境 среда",
    "quantity": "qty count num amountofitems itemcount shuliang 数量 购买数量 個数 購入数 количество",
    "price_milliunits": """
    pricemilli amountmilli amountfen amountcents amountcent amountminor pricefen pricecents pricecent priceminor payamount paidamount \
    paymentamount orderamount totalamount totalfee totalprice payfee paidfee realamount realpay actualamount amount price fee money \
    total cost zhifujine dingdanjine jine je 实付金额 支付金额 订单金额 交易金额 金额 价格 单价 支払金額 決済金額 注文金額 請求金額 合計金額 \
    請求額 金額 価格 税込金額 сумма цена gesamtbetrag betrag preis
    """,
    "currency": "currencycode curr cur ccy feetype bizhong huobi 币种 货币 货币代码 通貨 通貨コード валюта währung",
    "storefront": "storefrontcode storecountry country countrycode region shop 国家 国家地区 地区 国 国コード ストア страна",
    "paid_at": """
    gmtpaid gmtpay gmtpayment paytime paidtime paymenttime paymentdate paydate paiddate paymentat successtime zhifushijian fukuanshijian \
    zfsj fksj 支付时间 付款时间 支付成功时间 支払日時 支払日 決済日時 入金日時 датаоплаты оплачен bezahltam zahlungsdatum
    """,
    "delivered_at": """
    gmtdeliver gmtdelivery gmtfinish delivertime deliverytime deliverydate shiptime sendtime granttime grantedat finishtime \
    finishedat completetime completedat fulfilledat fahuoshijian fhsj wcsj 发货时间 完成时间 到账时间 发放时间 交付时间 付与日時 納品日時 \
    提供日時 完了日時 датавыдачи выдан geliefertam
    """,
    "refunded_at": "gmtrefund refundtime refunddate refundedtime tuikuanshijian tksj 退款时间 返金日時 返金日 возврат датавозврата",
    "entitlement_expires_at": """
    expiresat expiretime expiretimeat expiredate expirydate expiredat expireat expires vipexpire vipexpiretime vipendtime endtime \
    validuntil daoqishijian dqsj 到期时间 过期时间 会员到期时间 有效期至 有効期限 利用期限 終了日時 истекает
    """,
    "app_account_token": "accounttoken appaccounttokenuuid iaptoken",
    "application_username": "appusername",
    "transaction_id": """
    appletransactionid appletxid iaptransactionid storetransactionid thirdtradeno channelorderno channeltradeno txid txnid transaction \
    transactionno jiaoyihao jyh 苹果交易号 苹果订单号 交易号 交易id 渠道订单号 第三方交易号 取引id 取引番号 トランザクションid транзакция
    """,
    "original_transaction_id": """
    origtransactionid originaltxid originaltransaction origtxid 原始交易号 原始交易id 元取引id 元トランザクションid
    """,
    "web_order_line_item_id": "weborderlineitem lineitemid",
    "device_id": "device deviceuuid deviceno idfv udid imei shebeiid 设备id 设备号 端末id デバイスid устройство",
    "evidence_sha256": "receiptsha256 receipthash",
    "operator_id": "operator operatorname caozuoyuan 操作员 操作人 担当者 оператор",
  ]

  private static let usersOnly = [
    "user_id": "uid id userno memberid memberno customerid accountid yonghuid yhid 用户id 用户编号 会员id 会員id 会員番号 ユーザーid ユーザid 顧客id",
    "app_account_token": "accounttoken token uuid useruuid",
    "home_storefront": "storefront homecountry country countrycode region 国家 地区 国 国コード",
    "is_tester": "tester istest testuser istestuser ceshi 是否测试 测试账号 テスター テストユーザー",
    "created_at": "registertime registeredat regtime signuptime signedupat createtime gmtcreate created ctime zhuceshijian 注册时间 创建时间 登録日時",
    "erased_at": "deletedat deletetime gmtdelete canceltime closedat zhuxiaoshijian 注销时间 删除时间 退会日時 削除日時",
  ]

  private static let catalogueOnly = [
    "type": "producttype iaptype goodstype itemtype kind leixing 类型 商品类型 产品类型 種別 商品種別 タイプ тип",
    "subscription_group": "subscriptiongroupid groupid subgroup group 订阅组 サブスクリプショングループ グループ",
    "period": "subscriptionperiod billingperiod duration cycle zhouqi 周期 订阅周期 期間 更新期間",
    "family_shareable": "familysharing isfamilyshareable familyshare 家庭共享 ファミリー共有",
    "valid_from": "validsince effectivefrom effectiveat starttime startdate startsat shengxiaoshijian 生效时间 开始时间 適用開始日 開始日 開始日時",
    "price_milliunits": "pricefen pricecents priceminor price amount listprice jiage 价格 单价 售价 金额 価格 金額 税込価格 цена",
    "product_id": "sku skuid productcode productidentifier goodsid itemid id 商品id 商品编号 商品编码 产品id 商品コード プロダクトid",
  ]
}

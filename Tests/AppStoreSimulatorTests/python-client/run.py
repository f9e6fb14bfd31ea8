"""Drives the App Store simulator with Apple's own Python client.

Every endpoint that payrecon calls is called, in both environments, and every signed text is
checked by Apple's SignedDataVerifier against the simulator's root, with online checks off.

Usage: run.py PROGRAM, for instance .build/release/payrecon, whose simulator it starts. Needs app-store-server-library 3.1.2.
Exits with 0 when everything held.
"""

import base64
import json
import subprocess
import sys
import urllib.error
import urllib.request

from appstoreserverlibrary.api_client import (
    APIError,
    APIException,
    AppStoreServerAPIClient,
    GetTransactionHistoryVersion,
)
from appstoreserverlibrary.models.AutoRenewStatus import AutoRenewStatus
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.RevocationType import RevocationType
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, TransactionHistoryRequest
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

BUNDLE = "com.example.reader"
APP_ID = 1600000001
ISSUER = "57246542-96fe-1a63-e053-0824d011072a"
KEY_ID = "SIMKEY1234"
TOKEN = "6f1a5b2c-31d4-4f0e-8a6f-0b6a3f4f2d10"
GOLD = "com.example.reader.gold.monthly"
SILVER = "com.example.reader.silver.monthly"
YEARLY = "com.example.reader.silver.yearly"
COINS = "com.example.reader.coins.100"
SECRET = "0123456789abcdef0123456789abcdef"
HISTORY = TransactionHistoryRequest(sort=Order.ASCENDING)

checks = 0


def check(condition, what):
    """Counts a check and ends the run when it does not hold."""
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"check failed: {what}")


class Simulator:
    """The simulator's control endpoints, and its verifyReceipt."""

    def __init__(self, base):
        self.base = base

    def call(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.base}/{path}", data=data, headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{path} with {body} was refused: {error.read()!r}")

    def control(self, name, **body):
        return self.call(f"control/{name}", body)


def client(base, environment, key):
    """Apple's client, pointed at the simulator."""
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    made = AppStoreServerAPIClient(pem, KEY_ID, ISSUER, BUNDLE, environment)
    made._base_url = f"{base}/{environment.value.lower()}"
    return made


def refused(code, call):
    """Checks that a call is refused with Apple's code."""
    try:
        call()
    except APIException as error:
        check(error.api_error == code or error.raw_api_error == code, f"{error.raw_api_error} is not {code}")
        return error
    raise SystemExit(f"check failed: nothing was refused with {code}")


def history(api, identifier):
    """All pages of a history, and the last revision."""
    signed, revision, pages = [], None, 0
    while True:
        page = api.get_transaction_history(identifier, revision, HISTORY, GetTransactionHistoryVersion.V2)
        check(len(page.signedTransactions) <= 20, "a page has at most 20 transactions")
        signed += page.signedTransactions
        revision = page.revision
        pages += 1
        if not page.hasMore:
            return signed, revision, pages


def notifications(api, request):
    """All pages of a notification history."""
    found, token = [], None
    while True:
        page = api.get_notification_history(token, request)
        check(len(page.notificationHistory) <= 20, "a page has at most 20 notifications")
        found += page.notificationHistory
        token = page.paginationToken
        if not page.hasMore:
            return found


def run(simulator, environment, key):
    """One environment from an empty store to its last notification."""
    name = environment.value
    api = client(simulator.base, environment, key)
    root = base64.b64decode(simulator.call("control/root")["der"])
    verifier = SignedDataVerifier([root], False, environment, BUNDLE, APP_ID)
    start = simulator.call("control/clock")["milliseconds"]

    def control(command, **body):
        return simulator.control(command, environment=name, **body)

    control("customer", customer="anna", storefront="JPN")
    gold = control("purchase", customer="anna", product=SILVER, appAccountToken=TOKEN)
    coins = [control("purchase", customer="anna", product=COINS, quantity=1 + n % 10) for n in range(45)]

    # One transaction.
    info = api.get_transaction_info(coins[2]["transactionId"])
    paid = verifier.verify_and_decode_signed_transaction(info.signedTransactionInfo)
    check(paid.quantity == 3 and paid.currency == "JPY" and paid.price == 3 * 150000, "price and quantity")
    check(paid.storefront == "JPN" and paid.productId == COINS, "storefront and product")
    refused(APIError.TRANSACTION_ID_NOT_FOUND, lambda: api.get_transaction_info("1"))
    refused(APIError.INVALID_TRANSACTION_ID, lambda: api.get_transaction_info("x"))

    # History.
    signed, revision, pages = history(api, gold["transactionId"])
    check(len(signed) == 46 and pages == 3, f"46 transactions on 3 pages, not {len(signed)} on {pages}")
    everything = [verifier.verify_and_decode_signed_transaction(text) for text in signed]
    check(len({one.transactionId for one in everything}) == 46, "each transaction once")
    refused(APIError.INVALID_REQUEST_REVISION, lambda: api.get_transaction_history(
        gold["transactionId"], "stale", HISTORY, GetTransactionHistoryVersion.V2))

    # Refunds; the stored revision brings just what changed.
    control("request-refund", transaction=coins[1]["transactionId"])
    for coin in coins[:25]:
        control("refund", transaction=coin["transactionId"])
    changed = api.get_transaction_history(gold["transactionId"], revision, HISTORY, GetTransactionHistoryVersion.V2)
    check(len(changed.signedTransactions) == 20 and changed.hasMore, "changes since the revision")
    refunds, token = [], None
    while True:
        page = api.get_refund_history(gold["transactionId"], token)
        refunds += page.signedTransactions
        token = page.revision
        if not page.hasMore:
            break
    decoded = [verifier.verify_and_decode_signed_transaction(text) for text in refunds]
    check(len(decoded) == 25, f"25 refunds, not {len(decoded)}")
    check(decoded[-1].revocationPercentage == 100000, "percentage of the refund")
    check(decoded[-1].revocationType == RevocationType.REFUND_FULL, "type of the refund")

    # Consumption.
    api.send_consumption_information(coins[3]["transactionId"], ConsumptionRequest(
        customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED,
        consumptionPercentage=50000))

    # Subscriptions.
    last = api.get_all_subscription_statuses(gold["transactionId"]).data[0].lastTransactions[0]
    check(last.status == Status.ACTIVE, "status of the subscription")

    # Orders: production only.
    if environment == Environment.PRODUCTION:
        order = api.look_up_order_id(gold["orderId"])
        check(order.status == OrderLookupStatus.VALID and len(order.signedTransactions) == 1, "order")
        verifier.verify_and_decode_signed_transaction(order.signedTransactions[0])
        check(api.look_up_order_id("MNONE").status == OrderLookupStatus.INVALID, "no such order")

    # Plans, billing trouble, the end.
    control("change-plan", transaction=gold["transactionId"], product=GOLD)
    control("change-plan", transaction=gold["transactionId"], product=YEARLY)
    control("set-billing", transaction=gold["transactionId"], fails=True)
    simulator.control("clock", days=1 if environment == Environment.SANDBOX else 32)
    status = api.get_all_subscription_statuses(gold["transactionId"]).data[0].lastTransactions[0]
    renewal = verifier.verify_and_decode_renewal_info(status.signedRenewalInfo)
    check(status.status in (Status.BILLING_GRACE_PERIOD, Status.BILLING_RETRY, Status.EXPIRED), "failed renewal")
    check(renewal.originalTransactionId == gold["transactionId"], "renewal information")
    check(renewal.autoRenewStatus in (AutoRenewStatus.ON, AutoRenewStatus.OFF), "renewal status")

    # Notifications.
    control("deliveries", results=["NO_RESPONSE"])
    control("purchase", customer="anna", product=COINS)
    end = simulator.call("control/clock")["milliseconds"] + 1
    found = notifications(api, NotificationHistoryRequest(startDate=start, endDate=end))
    bodies = [verifier.verify_and_decode_notification(item.signedPayload) for item in found]
    check(len(bodies) > 60 and len({body.notificationUUID for body in bodies}) == len(bodies), "all once")
    for body in bodies:
        if body.data and body.data.signedTransactionInfo:
            verifier.verify_and_decode_signed_transaction(body.data.signedTransactionInfo)
        if body.data and body.data.signedRenewalInfo:
            verifier.verify_and_decode_renewal_info(body.data.signedRenewalInfo)
    kinds = {body.rawNotificationType for body in bodies}
    wanted = {"SUBSCRIBED", "ONE_TIME_CHARGE", "REFUND", "CONSUMPTION_REQUEST", "DID_CHANGE_RENEWAL_PREF", "DID_FAIL_TO_RENEW"}
    check(wanted <= kinds, f"missing {wanted - kinds}")
    check([attempt.sendAttemptResult for attempt in found[-1].sendAttempts] == [SendAttemptResult.NO_RESPONSE], "attempt")
    refused(APIError.START_DATE_AFTER_END_DATE, lambda: api.get_notification_history(
        None, NotificationHistoryRequest(startDate=end, endDate=start)))

    receipts(simulator, name)
    trouble(simulator, api, gold, verifier, environment)


def receipts(simulator, name):
    """The old road: both hosts, and their redirection by status."""
    receipt = simulator.control("receipt", environment=name, customer="anna")["receipt"]
    body = {"receipt-data": receipt, "password": SECRET}
    answers = {host: simulator.call(f"{host}/verifyReceipt", body) for host in ("production", "sandbox")}
    right = answers[name.lower()]
    check(right["status"] == 0 and right["environment"] == name, "status of a receipt")
    check(len(right["receipt"]["in_app"]) >= 40, "purchases of a receipt")
    check(right["pending_renewal_info"][0]["auto_renew_product_id"] == YEARLY, "renewal in a receipt")
    wrong = answers["sandbox" if name == "Production" else "production"]
    check(wrong["status"] == (21008 if name == "Production" else 21007), "receipt at the other host")
    check(simulator.call(f"{name.lower()}/verifyReceipt", {**body, "password": "x"})["status"] == 21004, "secret")


def trouble(simulator, api, gold, verifier, environment):
    """Faults as Apple's client sees them."""
    identifier = gold["transactionId"]
    simulator.control("fault", fault="rateLimited", endpoint="transactionInfo")
    error = refused(APIError.RATE_LIMIT_EXCEEDED, lambda: api.get_transaction_info(identifier))
    check(error.http_status_code == 429, "429")
    for fault, status in (("status", 503), ("unauthenticated", 401)):
        simulator.control("fault", fault=fault, endpoint="transactionInfo")
        error = refused(None, lambda: api.get_transaction_info(identifier))
        check(error.http_status_code == status, f"{status}")
    simulator.control("fault", fault="unrecognizedValues", endpoint="transactionInfo")
    odd = verifier.verify_and_decode_signed_transaction(api.get_transaction_info(identifier).signedTransactionInfo)
    check(odd.transactionReason is None and odd.rawTransactionReason == "GIFT", "unrecognized value")
    simulator.control("fault", fault="cutConnection", endpoint="transactionInfo")
    try:
        api.get_transaction_info(identifier)
        raise SystemExit("check failed: a cut connection went unnoticed")
    except APIException:
        raise SystemExit("check failed: a cut connection gave an answer")
    except Exception as error:  # requests' own; which one depends on its version
        check("IncompleteRead" in repr(error) or "Connection" in repr(error), f"cut connection: {error!r}")
    stranger = client(simulator.base, environment, ec.generate_private_key(ec.SECP256R1()))
    error = refused(None, lambda: stranger.get_transaction_info(identifier))
    check(error.http_status_code == 401, "a stranger's token")


def main():
    program = subprocess.Popen(
        [sys.argv[1], "simulate", "appstore", "--port", "0", "--seed", "7"], stdout=subprocess.PIPE, text=True)
    try:
        drive(Simulator(program.stdout.readline().split()[-1]))
    finally:
        program.terminate()
        program.wait()


def drive(simulator):
    """Both environments of a new simulator."""
    key = ec.generate_private_key(ec.SECP256R1())
    pem = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    simulator.control("key", id=KEY_ID, issuer=ISSUER, pem=pem)
    for environment in (Environment.PRODUCTION, Environment.SANDBOX):
        run(simulator, environment, key)
    print(f"python client: {checks} checks held in both environments")


if __name__ == "__main__":
    main()

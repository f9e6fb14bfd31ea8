"""Signs what Apple signs: compact JWS, notification bodies and app receipts, under generated roots.

Everything is deterministic: the same seed gives the same bytes, so that a world can be run again from its number alone.

A `Pki` has two roots, as Apple has: an elliptic one (P-384) for JWS, with an intermediate (P-384) and a leaf (P-256)
that carry Apple's marker extensions, and an RSA one for app receipts (PKCS#7 SignedData, no signed attributes).
`Pki("stranger")` is somebody else's: what it signs looks the same and is forged.
"""

import base64
import datetime
import hashlib
import json
import random

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

LEAF_MARK = x509.ObjectIdentifier("1.2.840.113635.100.6.11.1")
INTERMEDIATE_MARK = x509.ObjectIdentifier("1.2.840.113635.100.6.2.1")
NOT_BEFORE = datetime.datetime(2015, 1, 1)
NOT_AFTER = datetime.datetime(2045, 1, 1)


# --- keys -----------------------------------------------------------------------------------------------------------

def _elliptic(rng, curve):
    order_bits = curve.key_size
    return ec.derive_private_key(rng.getrandbits(order_bits - 8) | 1, curve)


_SMALL = [p for p in range(3, 2000) if all(p % q for q in range(2, int(p ** 0.5) + 1))]


def _prime(rng, bits):
    while True:
        n = rng.getrandbits(bits) | (3 << (bits - 2)) | 1
        if any(n % p == 0 for p in _SMALL):
            continue
        d, r = n - 1, 0
        while d % 2 == 0:
            d, r = d // 2, r + 1
        for _ in range(12):
            x = pow(rng.randrange(2, n - 1), d, n)
            if x in (1, n - 1):
                continue
            for _ in range(r - 1):
                x = x * x % n
                if x == n - 1:
                    break
            else:
                break
        else:
            return n


def _rsa(rng):
    e = 65537
    while True:
        p, q = _prime(rng, 1024), _prime(rng, 1024)
        phi = (p - 1) * (q - 1)
        if p != q and phi % e:
            break
    d = pow(e, -1, phi)
    public = rsa.RSAPublicNumbers(e, p * q)
    return rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public).private_key()


def _certificate(rng, name, key, issuer_name, issuer_key, ca, path_length=None, mark=None):
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name),
                         x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME, "Apple Inc. (generated)")])
    issuer = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, issuer_name),
                        x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME, "Apple Inc. (generated)")])
    builder = (x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
               .serial_number(rng.getrandbits(60) + 1).not_valid_before(NOT_BEFORE).not_valid_after(NOT_AFTER)
               .add_extension(x509.BasicConstraints(ca=ca, path_length=path_length), critical=True)
               .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
               .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
               .add_extension(x509.KeyUsage(digital_signature=not ca, content_commitment=False, key_encipherment=False,
                                            data_encipherment=False, key_agreement=False, key_cert_sign=ca, crl_sign=ca,
                                            encipher_only=False, decipher_only=False), critical=True))
    if mark is not None:
        builder = builder.add_extension(x509.UnrecognizedExtension(mark, b"\x05\x00"), critical=False)
    if isinstance(issuer_key, rsa.RSAPrivateKey):
        return builder.sign(issuer_key, hashes.SHA256())
    return builder.sign(issuer_key, hashes.SHA384(), ecdsa_deterministic=True)


def _der(certificate):
    return certificate.public_bytes(serialization.Encoding.DER)


# --- DER ------------------------------------------------------------------------------------------------------------

def tlv(tag, body):
    n = len(body)
    if n < 128:
        return bytes([tag, n]) + body
    size = (n.bit_length() + 7) // 8
    return bytes([tag, 0x80 | size]) + n.to_bytes(size, "big") + body


def integer(n):
    return tlv(0x02, n.to_bytes(n.bit_length() // 8 + 1, "big", signed=True))


def oid(text):
    parts = [int(p) for p in text.split(".")]
    body = bytes([parts[0] * 40 + parts[1]])
    for p in parts[2:]:
        chunk = [p & 127]
        while p > 127:
            p >>= 7
            chunk.insert(0, 128 | (p & 127))
        body += bytes(chunk)
    return tlv(0x06, body)


def sequence(*parts):
    return tlv(0x30, b"".join(parts))


def utf8(text):
    return tlv(0x0C, text.encode())


def ia5(text):
    return tlv(0x16, text.encode())


def attribute(kind, value):
    return sequence(integer(kind), integer(1), tlv(0x04, value))


def attribute_set(pairs):
    return tlv(0x31, b"".join(attribute(kind, value) for kind, value in pairs))


NULL = b"\x05\x00"
SHA256 = sequence(oid("2.16.840.1.101.3.4.2.1"), NULL)


# --- the two chains -------------------------------------------------------------------------------------------------

def b64url(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Pki:
    def __init__(self, name="apple"):
        rng = random.Random("payrecon oracle2 " + name)
        root = _elliptic(rng, ec.SECP384R1())
        middle = _elliptic(rng, ec.SECP384R1())
        self.leaf_key = _elliptic(rng, ec.SECP256R1())
        self.jws_root = _certificate(rng, name + " Root G3", root, name + " Root G3", root, True)
        jws_middle = _certificate(rng, name + " WWDR G6", middle, name + " Root G3", root, True, 0, INTERMEDIATE_MARK)
        jws_leaf = _certificate(rng, name + " Prod ECC Receipt Signing", self.leaf_key, name + " WWDR G6", middle, False,
                                None, LEAF_MARK)
        self.header = b64url(json.dumps({"alg": "ES256", "x5c": [base64.b64encode(_der(c)).decode()
                                         for c in (jws_leaf, jws_middle, self.jws_root)]}).encode())
        self.rng = rng
        self.name = name
        self._receipt = None

    def _receipt_chain(self):
        if self._receipt is None:
            rng, name = self.rng, self.name
            root, middle, leaf = _rsa(rng), _rsa(rng), _rsa(rng)
            top = _certificate(rng, name + " Root CA", root, name + " Root CA", root, True)
            inner = _certificate(rng, name + " WWDR G5", middle, name + " Root CA", root, True, 0, INTERMEDIATE_MARK)
            last = _certificate(rng, name + " Store Receipt Signing", leaf, name + " WWDR G5", middle, False, None, LEAF_MARK)
            self._receipt = leaf, (last, inner, top)
        return self._receipt

    def roots(self):
        """Name and DER of the roots: for JWS, and for receipts."""
        return {"jws.cer": _der(self.jws_root), "receipts.cer": _der(self._receipt_chain()[1][2])}

    def jws(self, payload):
        """A compact JWS over a dictionary."""
        text = self.header + "." + b64url(json.dumps(payload, separators=(",", ":")).encode())
        der = self.leaf_key.sign(text.encode(), ec.ECDSA(hashes.SHA256(), deterministic_signing=True))
        r, s = utils.decode_dss_signature(der)
        return text + "." + b64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))

    def receipt(self, content):
        """DER of a PKCS#7 SignedData over the receipt's attribute set."""
        key, (leaf, middle, root) = self._receipt_chain()
        signature = key.sign(content, padding.PKCS1v15(), hashes.SHA256())
        issuer = leaf.issuer.public_bytes()
        signer = sequence(integer(1), sequence(issuer, integer(leaf.serial_number)), SHA256,
                          sequence(oid("1.2.840.113549.1.1.1"), NULL), tlv(0x04, signature))
        signed = sequence(integer(1), tlv(0x31, SHA256),
                          sequence(oid("1.2.840.113549.1.7.1"), tlv(0xA0, tlv(0x04, content))),
                          tlv(0xA0, b"".join(_der(c) for c in (leaf, middle, root))),
                          tlv(0x31, signer))
        return sequence(oid("1.2.840.113549.1.7.2"), tlv(0xA0, signed))


def receipt_content(environment, bundle_id, apple_id, created, rows):
    """The attribute set of an app receipt. `rows` are dictionaries with the names of verifyReceipt; instants are
    RFC 3339 text; what a row lacks is left out."""
    numbers = {"quantity": (1701, int), "product_id": (1702, str), "transaction_id": (1703, str),
               "purchase_date": (1704, "date"), "original_transaction_id": (1705, str),
               "original_purchase_date": (1706, "date"), "product_type": (1707, int), "expires_date": (1708, "date"),
               "web_order_line_item_id": (1711, "number"), "cancellation_date": (1712, "date"),
               "is_trial_period": (1713, int), "is_in_intro_offer_period": (1719, int)}
    pairs = [(0, utf8(environment)), (1, integer(apple_id)), (2, utf8(bundle_id)), (3, utf8("5.2.0")),
             (4, hashlib.sha256(created.encode()).digest()[:16]), (5, hashlib.sha1(created.encode()).digest()),
             (12, ia5(created)), (19, utf8("1.0"))]
    for row in rows:
        inner = []
        for name, (number, kind) in numbers.items():
            if row.get(name) is None:
                continue
            value = row[name]
            inner.append((number, integer(int(value)) if kind in (int, "number") else ia5(value) if kind == "date" else utf8(value)))
        pairs.append((17, attribute_set(inner)))
    return attribute_set(pairs)

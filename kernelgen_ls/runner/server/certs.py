"""A small certificate authority for a shared runner: ``kernelgen-ls runner init-certs``.

Writes a CA, one server certificate and one certificate for each client. Needs the ``cryptography`` package (the
``runner`` extra); nothing else in this project does.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
from collections.abc import Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_DAY = datetime.timedelta(days=1)


def write_certificates(folder: Path, hosts: Sequence[str], clients: Sequence[str], days: int = 825) -> list[Path]:
    """Write ``ca.pem``, ``server.pem`` and one ``CLIENT.pem`` each with its ``.key`` into ``folder``.

    ``hosts`` are the names and addresses that the runner is reached by. An authority that is there already is used
    again, so that clients can be added later; existing certificates are left alone. Returns the files written.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    written: list[Path] = []
    ca_key, ca = _authority(folder, days, written)
    names = [x509.IPAddress(ipaddress.ip_address(h)) if _is_address(h) else x509.DNSName(h) for h in hosts]
    if not (folder / "server.pem").exists():
        usage = ExtendedKeyUsageOID.SERVER_AUTH
        written += _issue(folder, "server", "kernelgen-ls runner", usage, names, ca_key, ca, days)
    for client in clients:
        if not client or client in ("ca", "server") or not all(c.isalnum() or c in "-_.@" for c in client):
            raise ValueError(f"a client's name is letters, digits and -_.@: {client!r}")
        if not (folder / f"{client}.pem").exists():
            written += _issue(folder, client, client, ExtendedKeyUsageOID.CLIENT_AUTH, [], ca_key, ca, days)
    return written


def _authority(folder: Path, days: int, written: list[Path]) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key_file, file = folder / "ca.key", folder / "ca.pem"
    if key_file.exists() and file.exists():
        key = serialization.load_pem_private_key(key_file.read_bytes(), None)
        assert isinstance(key, ec.EllipticCurvePrivateKey)
        return key, x509.load_pem_x509_certificate(file.read_bytes())
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("kernelgen-ls runner authority")
    builder = _builder(name, name, key, days)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_key_usage(signs=True), critical=True)
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    certificate = builder.sign(key, hashes.SHA256())
    _write(folder, "ca", key, certificate, written)
    return key, certificate


def _issue(
    folder: Path,
    stem: str,
    common_name: str,
    usage: x509.ObjectIdentifier,
    names: Sequence[x509.GeneralName],
    ca_key: ec.EllipticCurvePrivateKey,
    ca: x509.Certificate,
    days: int,
) -> list[Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    builder = _builder(_name(common_name), ca.subject, key, days)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(_key_usage(signs=False), critical=True)
    builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
    authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key())
    builder = builder.add_extension(authority, critical=False)
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    written: list[Path] = []
    _write(folder, stem, key, builder.sign(ca_key, hashes.SHA256()), written)
    return written


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.timezone.utc)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)  # machines' clocks differ
        .not_valid_after(now + days * _DAY)
    )


def _write(
    folder: Path, stem: str, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate, written: list[Path]
) -> None:
    encoding = serialization.Encoding.PEM
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    for path, data, mode in [
        (folder / f"{stem}.key", private, 0o600),
        (folder / f"{stem}.pem", certificate.public_bytes(encoding), 0o644),
    ]:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
        written.append(path)


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _key_usage(signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True

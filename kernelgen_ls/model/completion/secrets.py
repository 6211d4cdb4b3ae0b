"""Files whose content no model is ever shown: keys, passwords, tokens, and what the user excluded."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

_SECRET_NAMES = (
    ".env",
    ".env.*",
    "*.env",
    ".envrc",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.asc.key",
    "*.gpg",
    "*.ovpn",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "known_hosts",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    "*credential*",
    "*secret*",
    "*password*",
    "*passwd*",
    "kubeconfig*",
    "service-account*",
)
_SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", "secrets"})


def is_secret(path: str, excluded: Iterable[str] = ()) -> bool:
    """Whether a file looks like it holds secrets, or matches one of the user's ``excluded`` patterns.

    Patterns are globs over the POSIX path or its name; ``dir/`` excludes a folder. Case does not matter.
    """
    parts = PurePosixPath(path.lower().replace("\\", "/")).parts
    if not parts:
        return False
    name, whole = parts[-1], "/".join(parts)
    if any(fnmatchcase(name, pattern) for pattern in _SECRET_NAMES) or _SECRET_FOLDERS.intersection(parts[:-1]):
        return True
    return any(_excludes(pattern.lower(), name, whole, parts[:-1]) for pattern in excluded)


def _excludes(pattern: str, name: str, whole: str, folders: tuple[str, ...]) -> bool:
    if pattern.endswith("/"):
        return any(fnmatchcase(folder, pattern.rstrip("/")) for folder in folders)
    relative = pattern.removeprefix("**/")
    return fnmatchcase(name, relative) or fnmatchcase(whole, pattern) or fnmatchcase(whole, f"*/{relative}")

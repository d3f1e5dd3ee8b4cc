"""Builds the archives of this package with the standard library (PEP 517), so that neither network nor tools are needed.

python3 build/wheel_backend.py FOLDER    writes the wheel and the source archive into a folder
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "podium_partner"
DATE = (2026, 1, 1, 0, 0, 0)
"""Of all entries, so that the same sources give the same bytes."""


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """Writes the wheel into a folder; returns its name."""
    version = _version()
    info = f"{PACKAGE}-{version}.dist-info"
    files = {f"{PACKAGE}/{name}": content for name, content in _files_below(ROOT / "src" / PACKAGE).items()}
    files[f"{info}/METADATA"] = _metadata()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: podium\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{PACKAGE}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """Writes the source archive into a folder; returns its name."""
    base = f"{PACKAGE}-{_version()}"
    files = {f"src/{PACKAGE}/{name}": content for name, content in _files_below(ROOT / "src" / PACKAGE).items()}
    for name in ("LICENSE", "README.md", "pyproject.toml", "build/wheel_backend.py"):
        files[name] = (ROOT / name).read_bytes()
    files["PKG-INFO"] = _metadata()
    target = Path(sdist_directory) / f"{base}.tar.gz"
    # The header of gzip has a time of its own.
    with target.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path, content in files.items():
                entry = tarfile.TarInfo(f"{base}/{path}")
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return f"{base}.tar.gz"


def _files_below(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.suffix == ".py" or path.name == "py.typed")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _version() -> str:
    text = (ROOT / "src" / PACKAGE / "version.py").read_text()
    match = re.search(r'__version__ = "([^"]+)"', text)
    if match is None:
        raise ValueError("version.py has no version")
    return match[1]


def _metadata() -> bytes:
    manifest = (ROOT / "pyproject.toml").read_text()
    summary = re.search(r'^description = "(.+)"$', manifest, re.MULTILINE)
    requires = re.search(r'^requires-python = "(.+)"$', manifest, re.MULTILINE)
    if summary is None or requires is None:
        raise ValueError("pyproject.toml has no description or requires-python")
    head = (
        f"Metadata-Version: 2.1\nName: podium-partner\nVersion: {_version()}\nSummary: {summary[1]}\n"
        f"Requires-Python: {requires[1]}\nClassifier: Private :: Do Not Upload\nClassifier: Typing :: Typed\n"
        "License-File: LICENSE\nDescription-Content-Type: text/markdown\n\n"
    )
    return head.encode() + (ROOT / "README.md").read_bytes()


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


if __name__ == "__main__":
    folder = sys.argv[1]
    Path(folder).mkdir(parents=True, exist_ok=True)
    print(build_wheel(folder))
    print(build_sdist(folder))

"""Compressed offload bundles ("CCOB"): compressed bytes to a plain bundle and back.

Header layouts (clang documentation "ClangOffloadBundler"), all little-endian:
  version 1: magic, u16 version, u16 method, u32 plain size, u64 hash
  version 2: magic, u16 version, u16 method, u32 file size, u32 plain size, u64 hash
  version 3: magic, u16 version, u16 method, u64 file size, u64 plain size, u64 hash
method is 0 for zlib and 1 for zstd; the hash is the low half of the MD5 of the plain bundle.
"""

from __future__ import annotations

import struct
import zlib

from anyhip.errors import CodeObjectError

__all__ = ["MAGIC", "compress", "compressed_size", "decompress"]

MAGIC = b"CCOB"
_PREFIX = struct.Struct("<4sHH")
_LAYOUTS = {1: struct.Struct("<IQ"), 2: struct.Struct("<IIQ"), 3: struct.Struct("<QQQ")}
_METHODS = ("zlib", "zstd")
# No bundle that a compiler makes comes near this; a header that claims more is a decompression bomb.
_LARGEST = 4 << 30
_LARGEST_RATIO = 4096


def _header(data: memoryview) -> tuple[int, int, int, int, int]:
    """(method, size of the whole file or 0, plain size, hash, header size) of compressed data."""
    if len(data) < _PREFIX.size:
        raise CodeObjectError("compressed bundle ends inside its header")
    magic, version, method = _PREFIX.unpack_from(data)
    layout = _LAYOUTS.get(version)
    if magic != MAGIC or layout is None or method >= len(_METHODS):
        raise CodeObjectError(
            f"compressed bundle has version {version} and method {method}; known are versions 1 to 3"
        )
    size = _PREFIX.size + layout.size
    if len(data) < size:
        raise CodeObjectError("compressed bundle ends inside its header")
    fields = layout.unpack_from(data, _PREFIX.size)
    total = fields[0] if version > 1 else 0
    return method, total, fields[-2], fields[-1], size


def compressed_size(data: memoryview) -> int:
    """Bytes that the compressed bundle at the start of ``data`` takes; all of them when it does not say."""
    _method, total, _plain, _hash, size = _header(data)
    if total and not size <= total <= len(data):
        raise CodeObjectError(f"compressed bundle claims {total} bytes of {len(data)}")
    return total or len(data)


def decompress(data: bytes | memoryview) -> bytes:
    """The plain bundle inside compressed data.

    Raises:
        CodeObjectError: unknown version or method, wrong size or hash, or a size no real bundle has.
    """
    view = memoryview(data)
    method, _total, plain_size, digest, start = _header(view)
    body = view[start : compressed_size(view)]
    if plain_size > _LARGEST or plain_size > (len(body) + 64) * _LARGEST_RATIO:
        raise CodeObjectError(f"compressed bundle of {len(body)} bytes claims {plain_size} bytes of content")
    plain = (_from_zlib, _from_zstd)[method](body, plain_size)
    if len(plain) != plain_size:
        raise CodeObjectError(f"compressed bundle holds {len(plain)} bytes, its header says {plain_size}")
    if _hash(plain) != digest:
        raise CodeObjectError(
            "compressed bundle is damaged: its content does not have the hash in its header"
        )
    return plain


def compress(plain: bytes, method: str = "zstd", version: int = 3) -> bytes:
    """Wrap a plain bundle.

    Args:
        plain: the bundle.
        method: ``zlib`` or ``zstd``.
        version: header version, 1 to 3.

    Raises:
        ValueError: unknown method or version.
    """
    if method == "zlib":
        body = zlib.compress(plain, 6)
    elif method == "zstd":
        import zstandard

        body = zstandard.ZstdCompressor(level=3).compress(plain)
    else:
        raise ValueError(f"compression method {method!r} is not one of {_METHODS}")
    layout = _LAYOUTS[version]
    total = _PREFIX.size + layout.size + len(body)
    fields = (total, len(plain), _hash(plain))[0 if version > 1 else 1 :]
    return _PREFIX.pack(MAGIC, version, _METHODS.index(method)) + layout.pack(*fields) + body


def _hash(plain: bytes) -> int:
    import hashlib  # loads OpenSSL: only when a compressed bundle turns up

    return int.from_bytes(hashlib.md5(plain, usedforsecurity=False).digest()[:8], "little")


def _from_zlib(body: memoryview, plain_size: int) -> bytes:
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(body, plain_size + 1)
    except zlib.error as error:
        raise CodeObjectError(f"compressed bundle: {error}") from error
    if not stream.eof:
        raise CodeObjectError(f"compressed bundle: zlib stream is longer than {plain_size} bytes or cut off")
    return plain


def _from_zstd(body: memoryview, plain_size: int) -> bytes:
    import zstandard

    try:
        # A frame states its own size, and the library allocates that much: look first.
        claimed = zstandard.frame_content_size(body)
        if claimed > plain_size:
            raise CodeObjectError(
                f"compressed bundle: zstd frame claims {claimed} bytes, the header {plain_size}"
            )
        return bytes(zstandard.ZstdDecompressor().decompress(body, max_output_size=max(plain_size, 1)))
    except zstandard.ZstdError as error:
        raise CodeObjectError(f"compressed bundle: {error}") from error

"""Zip archives from outside: nothing is unpacked to disk, and no member can fill the memory."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from npn.errors import NpnError
from npn.formats.reading import Found, Item, Problem, Source, is_zip
from npn.recipe import Recipe

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

MOST_MEMBERS = 100_000
MOST_IN_MEMBER = 32 << 20  # bytes: a recipe with its photographs stays below
MOST_IN_ALL = 256 << 20  # bytes, and what recipes honestly shrink by:
HONEST_RATIO = 20
MOST_SNIFFED = 16  # members that are opened to see whose archive it is

ENCRYPTED, NAME_IS_UTF_8 = 0x1, 0x800  # of ZipInfo.flag_bits


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    data: bytes


def members(source: Source, wanted: Callable[[str], bool]) -> Iterator[Member | Problem]:
    """The members whose name is wanted, one after the other; one that cannot be read is a
    Problem. What a computer adds on its own (__MACOSX, hidden files) is passed over."""
    return within_size(source, _members(source, wanted))


def _members(source: Source, wanted: Callable[[str], bool]) -> Iterator[Member | Problem]:
    with _open(source) as archive:
        for info in archive.infolist():
            if _is_own(info.filename) and wanted(info.filename):
                try:
                    yield Member(_name(info), _read(archive, info))
                except NpnError as error:
                    yield Problem(_name(info), str(error))


def within_size(source: Source, found: Iterable[Member | Problem]) -> Iterator[Member | Problem]:
    """The members found in an archive, up to a size that an archive as large honestly has."""
    left = MOST_IN_ALL + HONEST_RATIO * len(source.data)
    for member in found:
        if isinstance(member, Member):
            left -= len(member.data)
        if left < 0:
            raise NpnError("the archive holds far more than its size: it looks like a zip bomb")
        yield member


def read_members(
    found: Iterable[Member | Problem], read: Callable[[bytes], Iterable[Recipe]]
) -> Iterator[Item]:
    """The recipes that `read` finds in the members. A member for which it raises NpnError is a
    Problem."""
    for member in found:
        if isinstance(member, Problem):
            yield member
            continue
        try:
            for recipe in read(member.data):
                yield Found(recipe, member.name)
        except NpnError as error:
            yield Problem(member.name, str(error))


def some_member(
    source: Source, wanted: Callable[[str], bool], fits: Callable[[bytes], bool]
) -> bool:
    """Whether one of the first wanted members of an archive fits. Never raises."""
    if not is_zip(source):
        return False
    with suppress(NpnError):
        for member in islice(members(source, wanted), MOST_SNIFFED):
            if isinstance(member, Member) and fits(member.data):
                return True
    return False


def no_recipes_because(source: Source) -> str:
    """Why no format finds recipes in an archive."""
    try:
        with _open(source) as archive:
            files = [info for info in archive.infolist() if _is_own(info.filename)]
    except NpnError as error:
        return str(error)
    if not files:
        return "the zip archive is empty: export it again"
    if any(info.flag_bits & ENCRYPTED for info in files):
        return "the zip archive is encrypted: export it without a password"
    return (
        f"the zip archive holds no recipes of a program that is read ({_name(files[0])[:60]} is no "
        "such file): unpack it and name the files in it, or see `npn formats`"
    )


def has_suffix(suffix: str) -> Callable[[str], bool]:
    return lambda name: name.lower().endswith(suffix)


def gunzip(data: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        plain = unpacker.decompress(data, MOST_IN_MEMBER + 1)
    except zlib.error:
        raise NpnError("it is not a whole gzip file") from None
    if len(plain) > MOST_IN_MEMBER:
        raise NpnError(f"it holds more than {MOST_IN_MEMBER >> 20} MB, which is no recipe")
    if not unpacker.eof:
        raise NpnError("it is not a whole gzip file")
    return plain


def _open(source: Source) -> ZipFile:
    from zipfile import BadZipFile, ZipFile  # only archives pay for it

    try:
        archive = ZipFile(BytesIO(source.data))
    except (BadZipFile, ValueError, OverflowError, NotImplementedError, OSError):
        raise NpnError("the zip archive is damaged: export it again") from None
    if len(archive.infolist()) > MOST_MEMBERS:
        raise NpnError(f"the archive has more than {MOST_MEMBERS:,} members: split it")
    return archive


def _is_own(name: str) -> bool:
    path = PurePosixPath(name)
    return not name.endswith("/") and "__MACOSX" not in path.parts and path.name[:1] != "."


def _name(info: ZipInfo) -> str:
    """A member's name; macOS writes UTF-8 without saying so."""
    if info.flag_bits & NAME_IS_UTF_8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode()
    except UnicodeError:
        return info.filename


def _read(archive: ZipFile, info: ZipInfo) -> bytes:
    from zipfile import ZIP_DEFLATED, ZIP_STORED

    if info.flag_bits & ENCRYPTED:
        raise NpnError("it is encrypted: export it without a password")
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise NpnError("it is compressed in a way that is not read: export it again")
    try:
        with archive.open(info) as file:
            data = file.read(MOST_IN_MEMBER + 1)  # what the archive says of its size may be a lie
    except Exception:  # zipfile raises a dozen kinds for a damaged member
        raise NpnError("it is damaged: export it again") from None
    if len(data) > MOST_IN_MEMBER:
        raise NpnError(f"it holds more than {MOST_IN_MEMBER >> 20} MB, which is no recipe")
    return data

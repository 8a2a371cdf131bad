"""Zip archives from outside: nothing is unpacked to disk, and no member can fill the memory."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from npn.errors import NpnError
from npn.formats.reading import Format, Found, Item, Problem, Source, decode, is_zip
from npn.recipe import Recipe

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

MOST_MEMBERS = 100_000
MOST_IN_MEMBER = 32 << 20  # bytes: a recipe with its photographs stays below
MOST_IN_ALL = 256 << 20  # bytes, and what recipes honestly shrink by:
HONEST_RATIO = 20
MOST_SNIFFED = 16  # members that are opened to see whose archive it is

ENCRYPTED, NAME_IS_UTF_8 = 0x1, 0x800  # of ZipInfo.flag_bits

IsWanted = Callable[[str], bool]  # of a member, by its name


def export_format(
    name: str,
    about: str,
    extensions: tuple[str, ...],
    wanted: IsWanted,
    is_recipe: Callable[[Source], bool],
    read: Callable[[Source], Iterable[Recipe]],
    nested: bool = False,
) -> Format:
    """The format of a program whose files are one recipe, or a zip archive of such files, whose
    names are wanted. A member for which `read` raises NpnError is a Problem."""

    def sniff(source: Source) -> bool:
        if not is_zip(source):
            return is_recipe(source)
        with suppress(NpnError):
            for member in islice(members(source, wanted, nested), MOST_SNIFFED):
                if isinstance(member, Source) and is_recipe(member):
                    return True
        return False

    def read_all(source: Source) -> Iterator[Item]:
        if not is_zip(source):
            yield from map(Found, read(source))
            return
        for member in members(source, wanted, nested):
            if isinstance(member, Problem):
                yield member
                continue
            try:
                yield from [Found(recipe, member.name) for recipe in read(member)]
            except NpnError as error:
                yield Problem(member.name, str(error))

    return Format(name, about, extensions, sniff, read_all)


def members(source: Source, wanted: IsWanted, nested: bool = False) -> Iterator[Source | Problem]:
    """The members whose name is wanted, one after the other, up to a size that an archive as large
    honestly has; one that cannot be read is a Problem. Archives in a `nested` one are opened, too:
    what is wanted in them has their name."""
    left = MOST_IN_ALL + HONEST_RATIO * len(source.data)
    for member in _members(source, wanted, nested):
        if isinstance(member, Source):
            left -= len(member.data)
        if left < 0:
            raise NpnError("the archive holds far more than its size: it looks like a zip bomb")
        yield member


def _members(source: Source, wanted: IsWanted, nested: bool) -> Iterator[Source | Problem]:
    with _open(source) as archive:
        for info in filter(_is_own, archive.infolist()):
            name = _name(info)
            try:
                if nested and name.endswith(".zip"):
                    yield from _inner_members(name, _read(archive, info), wanted)
                elif wanted(name):
                    data = _read(archive, info)
                    decoded = decode(data)
                    yield Source(name, data, decoded.text if decoded else "")
            except NpnError as error:
                yield Problem(name, str(error))


def _inner_members(name: str, data: bytes, wanted: IsWanted) -> Iterator[Source | Problem]:
    for member in members(Source(name, data, ""), wanted):
        if isinstance(member, Source):
            yield replace(member, name=name)
        else:
            yield replace(member, where=name)


def no_recipes_because(source: Source) -> str:
    """Why no format finds recipes in an archive."""
    try:
        with _open(source) as archive:
            files = list(filter(_is_own, archive.infolist()))
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


def has_suffix(suffix: str) -> IsWanted:
    return lambda name: name.lower().endswith(suffix)


def gunzip(data: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    with suppress(zlib.error):
        plain = unpacker.decompress(data, MOST_IN_MEMBER + 1)
        if len(plain) > MOST_IN_MEMBER:
            raise NpnError(f"it holds more than {MOST_IN_MEMBER >> 20} MB, which is no recipe")
        if unpacker.eof:
            return plain
    raise NpnError("it is not a whole gzip file")


def _open(source: Source) -> ZipFile:
    from zipfile import BadZipFile, ZipFile  # only archives pay for it

    try:
        archive = ZipFile(BytesIO(source.data))
    except (BadZipFile, ValueError, OverflowError, NotImplementedError, OSError):
        raise NpnError("the zip archive is damaged: export it again") from None
    if len(archive.infolist()) > MOST_MEMBERS:
        raise NpnError(f"the archive has more than {MOST_MEMBERS:,} members: split it")
    return archive


def _is_own(info: ZipInfo) -> bool:
    """Whether a member is a file, and not one that a computer adds on its own."""
    path = PurePosixPath(info.filename)
    if not info.filename or info.is_dir():  # a damaged archive may have a name of no letters
        return False
    return "__MACOSX" not in path.parts and path.name[:1] != "."


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

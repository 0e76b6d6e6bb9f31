"""The one place that turns a broken file into one sentence, whatever Python makes of its contents.

What a file holds decides which exception its reader meets: a missing key, a text where a number should be, a
stream that does not unpack. No reader can name them all, so here all of them are caught, and only here.
"""

import errno
import gzip
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plywise.core.errors import PlywiseError, exception_text
from plywise.core.untrusted import shorten

MAX_UNPACKED = 1 << 28  # bytes that a packed file may hold
READ_AT_ONCE = 1 << 16  # bytes of a file in an archive
# What Python raises where a value is not what was expected, for readers that go on with the rest of a file.
WRONG_CONTENTS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


@contextmanager
def refuse_broken(name: str, refusal: type[PlywiseError]) -> Iterator[None]:
    """Read a file in this block: a `refusal` that begins with its name is all that can come out of it."""
    try:
        yield
    except PlywiseError:
        raise
    except OSError as error:
        raise refusal(f"{name}: {error.strerror or shorten(str(error))}") from None
    except KeyError as error:
        raise refusal(f"{name} is damaged: it lacks {shorten(str(error), 60)}") from None
    except Exception as error:
        raise refusal(f"{name} is damaged: {shorten(exception_text(error))}") from None


def check_regular(path: str | os.PathLike[str]) -> int:
    """The bytes of a file; OSError if it is a pipe or a device: to open one may take for ever."""
    found = os.stat(path)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "this is no file with contents", str(path))
    return found.st_size


def read_text_file(path: str | os.PathLike[str]) -> str:
    """The text of a file that somebody else may have named; OSError or ValueError if it has none."""
    size = check_regular(path)
    if size > MAX_UNPACKED:
        raise ValueError(f"it has {size >> 20} MB; {MAX_UNPACKED >> 20} are read")
    return Path(path).read_text(encoding="utf-8")


def unpack_gzip(data: bytes, most: int = MAX_UNPACKED) -> bytes:
    """What all parts of a gzip file hold; ValueError if that is more than anything that is read."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            found = file.read(most + 1)
    except EOFError:
        raise ValueError("it is cut short") from None
    except (OSError, zlib.error) as error:
        raise ValueError(f"it does not unpack: {error}") from None
    if len(found) > most:
        raise ValueError(f"it unpacks to more than {most} bytes")
    return found


def unpack_zip(data: bytes, most: int = MAX_UNPACKED) -> tuple[str, bytes]:
    """The name and the contents of the first file of an archive; ValueError if it cannot be read."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            inside = next(iter(archive.infolist()), None)
            if inside is None:
                raise ValueError("there is no file in it")
            if inside.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ValueError("it is packed in another way than zip's usual one")
            if inside.file_size > most:
                raise ValueError(f"it unpacks to more than {most} bytes")
            with archive.open(inside) as file:
                # Part by part: what an archive says of its size may be wrong, and ends what is read only so.
                return inside.filename, b"".join(iter(lambda: file.read(READ_AT_ONCE), b""))
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"it does not unpack: {error}") from None

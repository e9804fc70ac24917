"""What a worker process does all day: take an order from its socket, carry it out, send back what came of it.

An order is a pickled function with its arguments. Messages back begin with a byte that says what they are: that the
order was taken, then what came of it. Only one worker and the leader share a socket, so a worker that dies harms
no messages but its own.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import select
import socket
import struct
import sys
import traceback
from collections.abc import Callable

from solvent.batch.workers import messages, watchdog
from solvent.batch.workers.shared_page import Page

TAKEN = b"T"
"""A worker's first message about an order: from now on it is to blame for what becomes of it."""
NEWS = b"N"
"""Something a job tells while it goes on; any number of these may come before what came of it."""
RESULT = b"R"
FAILURE = b"F"
LOST = b"L"
"""A worker's last message: why it ends itself."""

QUIETLY: int = getattr(socket, "MSG_NOSIGNAL", 0)
"""Get an error when the other side is gone, also in a program that wants to be ended by that."""

_LENGTH = struct.Struct("!Q")
_PIECE = 1 << 20


def send_frame(channel: socket.socket, frame: bytes) -> None:
    """Send one message, however long."""
    channel.sendall(_LENGTH.pack(len(frame)), QUIETLY)
    channel.sendall(frame, QUIETLY)


def receive_frame(channel: socket.socket, wait: Callable[[], None] | None = None) -> bytearray:
    """Return the next message; EOFError if the other side ends before it is complete.

    `wait` is called before each piece and may raise EOFError, for a reader who learns of the end some other way.
    """
    (length,) = _LENGTH.unpack(_receive(channel, _LENGTH.size, wait))
    return _receive(channel, length, wait)


def _receive(channel: socket.socket, size: int, wait: Callable[[], None] | None) -> bytearray:
    received = bytearray()
    while len(received) < size:
        if wait is not None:
            wait()
        piece = channel.recv(min(_PIECE, size - len(received)))
        if not piece:
            raise EOFError
        received += piece
    return received


def unpack_failure(reply: memoryview) -> Exception:
    """Return the exception that a worker sent, with the worker's traceback as a note."""
    packed, summary, trace = pickle.loads(reply)
    error: Exception = RuntimeError(summary)
    # What could be written cannot always be read: a class may ask for more than its exceptions tell.
    with contextlib.suppress(Exception):
        error = pickle.loads(packed) or error
    with contextlib.suppress(Exception):  # some exceptions refuse notes
        error.add_note(f"In the worker:\n{trace}")
    return error


def serve(channel: socket.socket, *, parent: int, page: int | None, orphaned: Callable[[], bool] | None = None) -> None:
    """Carry out orders until the leader hangs up. `page` is the descriptor of the page for the leader to look at."""

    def report_exit(kind: str, detail: str) -> None:
        channel.settimeout(1.0)  # a leader that does not listen learns it from the exit code
        send_frame(channel, LOST + f"{kind} {detail}".encode())

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(line_buffering=True)  # a crash would take the rest with it
    shared = None if page is None else Page(page)
    messages.begin(lambda news: send_frame(channel, NEWS + news), shared)
    watchdog.begin(parent=parent, report_exit=report_exit, orphaned=orphaned, page=shared)
    while True:
        try:
            order = receive_frame(channel)
            send_frame(channel, TAKEN)
        except (EOFError, OSError):
            return
        try:
            with messages.job():
                reply = _carry_out(order)
        except MemoryError:
            report_exit("memory", "out of memory")
            os._exit(watchdog.MEMORY_EXIT)
        del order
        try:
            send_frame(channel, reply)
        except OSError:
            return
        del reply  # an idle worker holds nothing


def serve_alone(descriptor: int | None, page: int | None) -> None:
    """Be a worker that the leader itself has started; without a descriptor, the socket comes by standard input."""
    if descriptor is None:
        channel = socket.fromshare(sys.stdin.buffer.read())  # type: ignore[attr-defined]  # on Windows
    else:
        channel = socket.socket(fileno=descriptor)
    leave_standard_input()

    def leader_is_gone() -> bool:
        readable, _, _ = select.select([channel], [], [], 0)
        try:
            return bool(readable) and not channel.recv(1, socket.MSG_PEEK | getattr(socket, "MSG_DONTWAIT", 0))
        except BlockingIOError:
            return False
        except OSError:
            return True

    serve(channel, parent=os.getppid(), page=page, orphaned=leader_is_gone)
    os._exit(0)


def leave_standard_input() -> None:
    """Read from nowhere: what comes by standard input is the leader's."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def _carry_out(order: bytearray) -> bytes:
    try:
        function, arguments = pickle.loads(order)
        result = function(*arguments)
        return RESULT + pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        raise
    except SystemExit as leaving:
        code = leaving.code
        os._exit(code & 0xFF if isinstance(code, int) else 0 if code is None else 1)
    except BaseException as error:
        return FAILURE + _pack_failure(error)


def _pack_failure(error: BaseException) -> bytes:
    try:
        summary = f"{type(error).__name__}: {error}"
    except Exception:
        summary = type(error).__name__
    try:
        # Ctrl-C and the like mean something else to the leader, so only plain exceptions travel as they are.
        packed = pickle.dumps(error if isinstance(error, Exception) else None, protocol=pickle.HIGHEST_PROTOCOL)
    except Exception:
        packed = pickle.dumps(None)
    return pickle.dumps((packed, summary, "".join(traceback.format_exception(error))))

"""What the handlers of signals raise, such as time limits: it is meant for the caller, whatever was under way."""

from __future__ import annotations

from types import FrameType


def is_raised_by_handler(error: BaseException) -> bool:
    """Whether an error that was caught came from the handler of a signal, which runs in between and may raise any type.

    Python gives a handler the frame that it interrupts. No other function gets the frame from which it is called.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        if _has(trace.tb_next.tb_frame, trace.tb_frame):
            return True
        trace = trace.tb_next
    return False


def _has(frame: FrameType, caller: FrameType) -> bool:
    values = list(frame.f_locals.values())
    # Of a handler with the parameters `*args`.
    values.extend(each for value in values if isinstance(value, tuple) for each in value)
    return any(value is caller for value in values)

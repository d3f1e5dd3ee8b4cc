"""Sends user events of a partner to Podium."""

from .client import ClientStats, PodiumClient
from .client_options import QueueOptions
from .errors import (
    NoAnswerError,
    PodiumError,
    QueueError,
    RateLimitedError,
    RefusedError,
    RetryLaterError,
    SdkErrorCode,
    SendingPausedError,
    TemporaryError,
)
from .event import PartnerEvent
from .notices import (
    Accepted,
    Claimed,
    DamagedFile,
    DeadLettered,
    Notice,
    NoticeListener,
    Paused,
    QueueFailed,
    Resumed,
    Retried,
    SetAside,
    log_notice,
)
from .results import AcceptedEvent, EventResult, EventWarning, FailedEvent
from .retry_class import RetryClass
from .version import __version__

__all__ = [
    "Accepted",
    "AcceptedEvent",
    "Claimed",
    "ClientStats",
    "DamagedFile",
    "DeadLettered",
    "EventResult",
    "EventWarning",
    "FailedEvent",
    "NoAnswerError",
    "Notice",
    "NoticeListener",
    "PartnerEvent",
    "Paused",
    "PodiumClient",
    "PodiumError",
    "QueueError",
    "QueueFailed",
    "QueueOptions",
    "RateLimitedError",
    "RefusedError",
    "Resumed",
    "Retried",
    "RetryClass",
    "RetryLaterError",
    "SdkErrorCode",
    "SendingPausedError",
    "SetAside",
    "TemporaryError",
    "__version__",
    "log_notice",
]

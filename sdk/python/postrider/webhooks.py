"""Event webhooks: https://www.standardwebhooks.com"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

__all__ = ["WebhookVerificationError", "verify_webhook"]


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str) -> dict[str, Any]:
    """The event of a delivery, ``{"type": …, "timestamp": …, "data": …}``, or a WebhookVerificationError: a wrong
    signature, or a timestamp more than five minutes from now. ``body`` is the request's body as it came."""
    event: dict[str, Any] = Webhook(secret).verify(body, {name.lower(): value for name, value in headers.items()})
    return event

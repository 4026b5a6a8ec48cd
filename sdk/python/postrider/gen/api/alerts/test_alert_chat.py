from typing import Any

from ...client import Requester
from ...models.test_alert_chat_result import TestAlertChatResult
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/settings/alerts/test-send",
    }

    _kwargs["headers"] = headers
    return _kwargs


def test_alert_chat(
    client: Requester,
    *,
    idempotency_key: str | Unset = UNSET,
) -> TestAlertChatResult:
    """Post a test message to the chat

    Passes if the chat responds with 2xx within 10 seconds.

    Scope: settings:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_200 = TestAlertChatResult.from_dict(data)

    return response_200

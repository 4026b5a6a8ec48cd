from typing import Any

from ...client import Requester
from ...models.test_inbound_webhook_result import TestInboundWebhookResult
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
        "url": "/settings/inbound-webhook/test-send",
    }

    _kwargs["headers"] = headers
    return _kwargs


def test_inbound_webhook(
    client: Requester,
    *,
    idempotency_key: str | Unset = UNSET,
) -> TestInboundWebhookResult:
    """Send a test message to the webhook

    Passes if the endpoint responds with 2xx within 10 seconds.

    Scope: settings:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_200 = TestInboundWebhookResult.from_dict(data)

    return response_200

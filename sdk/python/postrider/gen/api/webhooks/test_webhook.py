from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.test_webhook_request import TestWebhookRequest
from ...models.test_webhook_result import TestWebhookResult
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: TestWebhookRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/webhooks/{id}/test".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def test_webhook(
    client: Requester,
    id: str,
    *,
    body: TestWebhookRequest,
    idempotency_key: str | Unset = UNSET,
) -> TestWebhookResult:
    """Send a sample event to a webhook

    Passes if the endpoint responds with 2xx within 10 seconds. It is in no log.

    Scope: webhooks:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_200 = TestWebhookResult.from_dict(data)

    return response_200

from typing import Any

from ...client import Requester
from ...models.send_batch_request import SendBatchRequest
from ...models.send_batch_result import SendBatchResult
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: SendBatchRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/transactional/batch",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def send_batch(
    client: Requester,
    *,
    body: SendBatchRequest,
    idempotency_key: str | Unset = UNSET,
) -> SendBatchResult:
    """Send up to 100 messages

    Each message has its own answer or error, in order. A batch counts as many requests as it has
    recipients, 600 at most. If the quota is already used up, the whole batch is refused with 402; an
    item whose recipients it does not all hold is refused alone.

    Scope: transactional:send.

    Limit: 600 a minute (class `send`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_202 = SendBatchResult.from_dict(data)

    return response_202

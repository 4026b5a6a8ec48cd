from typing import Any

from ...client import Requester
from ...models.send_answer import SendAnswer
from ...models.send_request import SendRequest
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: SendRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/transactional/send",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def send_message(
    client: Requester,
    *,
    body: SendRequest,
    idempotency_key: str | Unset = UNSET,
) -> SendAnswer:
    """Send a message

    Each recipient gets a message of its own, with its own id, status and decision; the headers show all
    of `to` and `cc`, never `bcc`. It counts as many requests, and as many sends of the quota, as it has
    recipients: when either does not hold all, none is accepted (402, 429). Accepted means stored: the
    message then ends as delivered, bounced, expired, dropped or cancelled. Once the domain has reached
    its warm-up cap of the day, the message is deferred to the next day; to a suppressed recipient it is
    dropped.

    Scope: transactional:send.

    Limit: 600 a minute (class `send`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_202 = SendAnswer.from_dict(data)

    return response_202

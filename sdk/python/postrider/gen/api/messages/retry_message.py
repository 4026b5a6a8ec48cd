from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.message import Message
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/transactional/{id}/retry".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def retry_message(
    client: Requester,
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> Message:
    """Try a message now

    Only for a message that waits for its next attempt; it is tried within seconds. What waits for the
    warm-up cap, a brake, a pause or its `scheduled_at` is 409 with the reason, as is one that was tried
    less than a minute ago.

    Scope: transactional:send.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_200 = Message.from_dict(data)

    return response_200

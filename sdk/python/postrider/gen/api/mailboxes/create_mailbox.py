from typing import Any

from ...client import Requester
from ...models.create_mailbox_request import CreateMailboxRequest
from ...models.mailbox import Mailbox
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: CreateMailboxRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/mail/mailboxes",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def create_mailbox(
    client: Requester,
    *,
    body: CreateMailboxRequest,
    idempotency_key: str | Unset = UNSET,
) -> Mailbox:
    """Create a mailbox

    Its domain must be a verified domain of the tenant. Mail received earlier is not moved.

    Scope: mail:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_201 = Mailbox.from_dict(data)

    return response_201

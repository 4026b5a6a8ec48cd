from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.change_mailbox_request import ChangeMailboxRequest
from ...models.mailbox import Mailbox
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: ChangeMailboxRequest | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/mail/mailboxes/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_mailbox(
    client: Requester,
    id: str,
    *,
    body: ChangeMailboxRequest | Unset = UNSET,
) -> Mailbox:
    """Rename a mailbox

    Scope: mail:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
        )
    ).json()["data"]
    response_200 = Mailbox.from_dict(data)

    return response_200

from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.mailbox import Mailbox


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/mail/mailboxes/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_mailbox(
    client: Requester,
    id: str,
) -> Mailbox:
    """Read a mailbox

    Scope: mail:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Mailbox.from_dict(data)

    return response_200

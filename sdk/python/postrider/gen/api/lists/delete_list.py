from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.deleted import Deleted


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/contacts/lists/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def delete_list(
    client: Requester,
    id: str,
) -> Deleted:
    """Delete a list

    Its contacts are kept. A campaign that is being sent to it pauses with `list_not_found`: messages
    already submitted are delivered, nobody else receives it, and it can only be cancelled.

    Scope: contacts:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Deleted.from_dict(data)

    return response_200

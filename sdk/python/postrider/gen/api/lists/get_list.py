from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.contact_list import ContactList


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/contacts/lists/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_list(
    client: Requester,
    id: str,
) -> ContactList:
    """Read a list

    Its contacts are at `GET /contacts?list_id=`.

    Scope: contacts:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = ContactList.from_dict(data)

    return response_200

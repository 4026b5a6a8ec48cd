from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.contact import Contact


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/contacts/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_contact(
    client: Requester,
    id: str,
) -> Contact:
    """Read a contact

    Scope: contacts:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Contact.from_dict(data)

    return response_200

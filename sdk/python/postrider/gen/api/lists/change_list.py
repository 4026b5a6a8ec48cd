from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.change_list_request import ChangeListRequest
from ...models.contact_list import ContactList
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: ChangeListRequest | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/contacts/lists/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_list(
    client: Requester,
    id: str,
    *,
    body: ChangeListRequest | Unset = UNSET,
) -> ContactList:
    """Rename a list

    Scope: contacts:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
        )
    ).json()["data"]
    response_200 = ContactList.from_dict(data)

    return response_200

from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.contact import Contact
from ...models.contact_change import ContactChange
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: ContactChange | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/contacts/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_contact(
    client: Requester,
    id: str,
    *,
    body: ContactChange | Unset = UNSET,
) -> Contact:
    """Change a contact

    Fields left out do not change; `attributes`, `tags` and `lists` are replaced as a whole. Setting
    `status` to subscribed does not lift a suppression of the address.

    Scope: contacts:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
        )
    ).json()["data"]
    response_200 = Contact.from_dict(data)

    return response_200

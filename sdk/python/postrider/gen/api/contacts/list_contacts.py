from typing import Any

from ...client import Requester
from ...models.contact_page import ContactPage
from ...models.list_contacts_status import (
    ListContactsStatus,
)
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    email: str | Unset = UNSET,
    list_id: str | Unset = UNSET,
    tag: str | Unset = UNSET,
    status: ListContactsStatus | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    params["email"] = email

    params["list_id"] = list_id

    params["tag"] = tag

    json_status: str | Unset = UNSET
    if not isinstance(status, Unset):
        json_status = status

    params["status"] = json_status

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/contacts",
        "params": params,
    }

    return _kwargs


def list_contacts(
    client: Requester,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    email: str | Unset = UNSET,
    list_id: str | Unset = UNSET,
    tag: str | Unset = UNSET,
    status: ListContactsStatus | Unset = UNSET,
) -> ContactPage:
    """List contacts

    Scope: contacts:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
            email=email,
            list_id=list_id,
            tag=tag,
            status=status,
        )
    ).json()["data"]
    response_200 = ContactPage.from_dict(data)

    return response_200

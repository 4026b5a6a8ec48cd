from typing import Any

from ...client import Requester
from ...models.contact_list import ContactList
from ...models.create_list_request import CreateListRequest
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: CreateListRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/contacts/lists",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def create_list(
    client: Requester,
    *,
    body: CreateListRequest,
    idempotency_key: str | Unset = UNSET,
) -> ContactList:
    """Create a list

    Scope: contacts:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_201 = ContactList.from_dict(data)

    return response_201

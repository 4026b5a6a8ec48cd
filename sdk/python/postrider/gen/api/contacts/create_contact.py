from typing import Any

from ...client import Requester
from ...models.contact import Contact
from ...models.contact_create import ContactCreate
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: ContactCreate,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/contacts",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def create_contact(
    client: Requester,
    *,
    body: ContactCreate,
    idempotency_key: str | Unset = UNSET,
) -> Contact:
    """Create a contact

    There is one contact per address, in any letter case; 409 if it exists. Without `status`, an address
    that unsubscribed or complained before is created as unsubscribed.

    Scope: contacts:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_201 = Contact.from_dict(data)

    return response_201

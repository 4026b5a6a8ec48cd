from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.change_domain_request import ChangeDomainRequest
from ...models.domain import Domain
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: ChangeDomainRequest | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/mail/domains/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_domain(
    client: Requester,
    id: str,
    *,
    body: ChangeDomainRequest | Unset = UNSET,
) -> Domain:
    """Change the settings of a domain

    Scope: domains:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
        )
    ).json()["data"]
    response_200 = Domain.from_dict(data)

    return response_200

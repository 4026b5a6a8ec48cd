from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.domain import Domain


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/mail/domains/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_domain(
    client: Requester,
    id: str,
) -> Domain:
    """Read a sending domain

    Scope: domains:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Domain.from_dict(data)

    return response_200

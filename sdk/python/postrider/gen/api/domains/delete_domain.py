from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.deleted import Deleted


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/mail/domains/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def delete_domain(
    client: Requester,
    id: str,
) -> Deleted:
    """Delete a sending domain

    Sending from it and receiving for it stop. If it is added again, it starts at tier 0; a pause or
    hold of its warm-up stays.

    Scope: domains:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Deleted.from_dict(data)

    return response_200

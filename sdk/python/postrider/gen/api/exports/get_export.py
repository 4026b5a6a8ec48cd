from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.export import Export


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/exports/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_export(
    client: Requester,
    id: str,
) -> Export:
    """Read an export

    How far it is. 404 once the file is removed. The key needs the scope that reading that list needs.

    Scope: any valid key.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Export.from_dict(data)

    return response_200

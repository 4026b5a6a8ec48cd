from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.import_ import Import


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/contacts/imports/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_import(
    client: Requester,
    id: str,
) -> Import:
    """Read an import

    Counts grow while it runs. `errors` are the first 100.

    Scope: contacts:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Import.from_dict(data)

    return response_200

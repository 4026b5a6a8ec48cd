from typing import Any
from urllib.parse import quote

from ...client import Requester


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/exports/{id}/file".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_export_file(
    client: Requester,
    id: str,
) -> bytes:
    """Download an exported list

    CSV in UTF-8. 409 `conflict` while it is being written. The key needs the scope that reading that
    list needs.

    Scope: any valid key.

    Limit: 60 a minute (class `read`).
    """
    return client.request(
        **_get_kwargs(
            id=id,
        )
    ).content

from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.deleted import Deleted


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/mail/domains/{id}/dkim-rotation".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def cancel_domain_dkim_rotation(
    client: Requester,
    id: str,
) -> Deleted:
    """Cancel a DKIM key rotation

    Deletes the new key if it does not sign yet. Does nothing if there is none.

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

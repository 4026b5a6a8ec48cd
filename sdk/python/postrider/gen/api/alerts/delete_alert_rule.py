from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.deleted import Deleted


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/alert-rules/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def delete_alert_rule(
    client: Requester,
    id: str,
) -> Deleted:
    """Delete an alert rule

    Its open alerts end with it.

    Scope: settings:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Deleted.from_dict(data)

    return response_200

from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.remove_suppression_result import RemoveSuppressionResult


def _get_kwargs(
    email: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/suppressions/{email}".format(
            email=quote(str(email), safe=""),
        ),
    }

    return _kwargs


def remove_suppression(
    client: Requester,
    email: str,
) -> RemoveSuppressionResult:
    """Remove a suppression

    A contact who unsubscribed stays unsubscribed: this only allows mail to the address again.

    Scope: suppressions:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            email=email,
        )
    ).json()["data"]
    response_200 = RemoveSuppressionResult.from_dict(data)

    return response_200

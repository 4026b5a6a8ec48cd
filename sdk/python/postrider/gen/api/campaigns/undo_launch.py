from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.campaign import Campaign
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/campaigns/{id}/undo-launch".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def undo_launch(
    client: Requester,
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> Campaign:
    """Undo a launch

    Makes a draft of a scheduled campaign again: nothing of it was sent. One that has started answers
    409; pause it.

    Scope: campaigns:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_200 = Campaign.from_dict(data)

    return response_200

from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.domain import Domain
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
        "url": "/mail/domains/{id}/brake/release".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def release_domain_brake(
    client: Requester,
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> Domain:
    """Release the same-day brake

    Mail that waits for it goes on within seconds, under the cap. The test begins again with what is
    sent from now on; it decides nothing before another 100 attempts. Does nothing when the brake is
    off.

    Scope: domains:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_200 = Domain.from_dict(data)

    return response_200

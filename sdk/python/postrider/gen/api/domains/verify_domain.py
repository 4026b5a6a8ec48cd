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
        "url": "/mail/domains/{id}/verify".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def verify_domain(
    client: Requester,
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> Domain:
    """Check the DNS records now

    A domain is verified once its DKIM key and return path are found. The `problem` of a record says
    what is wrong with it. All domains are checked again every day.

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

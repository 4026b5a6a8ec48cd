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
        "url": "/mail/domains/{id}/dkim-rotation".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def rotate_domain_dkim(
    client: Requester,
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> Domain:
    """Start a DKIM key rotation

    Creates a key with a new selector. Publish its record next to the old one: the new key signs as soon
    as a DNS check finds it. Keep the old record for a few days. 409 if a rotation is already in
    progress.

    Scope: domains:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_201 = Domain.from_dict(data)

    return response_201

from typing import Any

from ...client import Requester
from ...models.create_domain_request import CreateDomainRequest
from ...models.domain import Domain
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: CreateDomainRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/mail/domains",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def create_domain(
    client: Requester,
    *,
    body: CreateDomainRequest,
    idempotency_key: str | Unset = UNSET,
) -> Domain:
    """Add a sending domain

    Returns the DNS records to publish. 409 if another account has verified the name, or this account
    already has it. If two accounts add the same name, the first to verify it gets it.

    Scope: domains:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_201 = Domain.from_dict(data)

    return response_201

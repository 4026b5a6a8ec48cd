from typing import Any

from ...client import Requester
from ...models.list_suppressions_reason import (
    ListSuppressionsReason,
)
from ...models.suppression_page import SuppressionPage
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    reason: ListSuppressionsReason | Unset = UNSET,
    email: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    json_reason: str | Unset = UNSET
    if not isinstance(reason, Unset):
        json_reason = reason

    params["reason"] = json_reason

    params["email"] = email

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/suppressions",
        "params": params,
    }

    return _kwargs


def list_suppressions(
    client: Requester,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    reason: ListSuppressionsReason | Unset = UNSET,
    email: str | Unset = UNSET,
) -> SuppressionPage:
    """List suppressions

    Scope: suppressions:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
            reason=reason,
            email=email,
        )
    ).json()["data"]
    response_200 = SuppressionPage.from_dict(data)

    return response_200

from typing import Any

from ...client import Requester
from ...models.alert_rule_page import AlertRulePage
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/alert-rules",
        "params": params,
    }

    return _kwargs


def list_alert_rules(
    client: Requester,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
) -> AlertRulePage:
    """List alert rules

    Scope: settings:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
        )
    ).json()["data"]
    response_200 = AlertRulePage.from_dict(data)

    return response_200

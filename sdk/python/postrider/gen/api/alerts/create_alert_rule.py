from typing import Any

from ...client import Requester
from ...models.alert_rule import AlertRule
from ...models.create_alert_rule_request import CreateAlertRuleRequest
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: CreateAlertRuleRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/alert-rules",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def create_alert_rule(
    client: Requester,
    *,
    body: CreateAlertRuleRequest,
    idempotency_key: str | Unset = UNSET,
) -> AlertRule:
    """Create an alert rule

    An alert opens when the value reaches the threshold, once, and is resolved when it is well again
    (rates: below 80 % of it). A rule of a domain stands instead of the rule for all. A tenant may have
    200.

    Scope: settings:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_201 = AlertRule.from_dict(data)

    return response_201

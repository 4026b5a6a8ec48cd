from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.alert_rule import AlertRule
from ...models.change_alert_rule_request import ChangeAlertRuleRequest
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: ChangeAlertRuleRequest | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/alert-rules/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_alert_rule(
    client: Requester,
    id: str,
    *,
    body: ChangeAlertRuleRequest | Unset = UNSET,
) -> AlertRule:
    """Change an alert rule

    Scope: settings:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
        )
    ).json()["data"]
    response_200 = AlertRule.from_dict(data)

    return response_200

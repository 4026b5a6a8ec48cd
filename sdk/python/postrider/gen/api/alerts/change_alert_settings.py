from typing import Any

from ...client import Requester
from ...models.alert_settings import AlertSettings
from ...models.change_alert_settings_request import ChangeAlertSettingsRequest
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: ChangeAlertSettingsRequest | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/settings/alerts",
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_alert_settings(
    client: Requester,
    *,
    body: ChangeAlertSettingsRequest | Unset = UNSET,
) -> AlertSettings:
    """Set where alerts are posted to

    Scope: settings:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
        )
    ).json()["data"]
    response_200 = AlertSettings.from_dict(data)

    return response_200

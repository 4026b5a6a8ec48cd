from typing import Any

from ...client import Requester
from ...models.alert_settings import AlertSettings


def _get_kwargs() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/settings/alerts",
    }

    return _kwargs


def get_alert_settings(
    client: Requester,
) -> AlertSettings:
    """Read where alerts are posted to

    Scope: settings:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(**_get_kwargs()).json()["data"]
    response_200 = AlertSettings.from_dict(data)

    return response_200

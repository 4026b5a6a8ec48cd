from typing import Any

from ...client import Requester
from ...models.whoami_result import WhoamiResult


def _get_kwargs() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/whoami",
    }

    return _kwargs


def whoami(
    client: Requester,
) -> WhoamiResult:
    """Who am I

    The tenant and key of the credential, and the usage of the monthly quota.

    Scope: any valid key.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(**_get_kwargs()).json()["data"]
    response_200 = WhoamiResult.from_dict(data)

    return response_200

from typing import Any

from ...client import Requester
from ...models.list_providers_result import ListProvidersResult


def _get_kwargs() -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/reputation/providers",
    }

    return _kwargs


def list_providers(
    client: Requester,
) -> ListProvidersResult:
    """Read what mail to each mailbox provider came to

    Of the last 30 UTC days, most mail first. Mail through a relay and mail to nobody known is left out.

    Scope: reputation:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(**_get_kwargs()).json()["data"]
    response_200 = ListProvidersResult.from_dict(data)

    return response_200

from typing import Any

from ...client import Requester
from ...models.reputation_page import ReputationPage
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    domain: str | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["after"] = after

    params["limit"] = limit

    params["domain"] = domain

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/reputation",
        "params": params,
    }

    return _kwargs


def list_reputation(
    client: Requester,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
    domain: str | Unset = UNSET,
) -> ReputationPage:
    """Read the reputation of all domains

    The rates leave out opens and clicks by machines, and mail of the built-in domain to the simulator.

    Scope: reputation:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            after=after,
            limit=limit,
            domain=domain,
        )
    ).json()["data"]
    response_200 = ReputationPage.from_dict(data)

    return response_200

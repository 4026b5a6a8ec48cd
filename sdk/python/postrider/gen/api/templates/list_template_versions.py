from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.template_version_page import TemplateVersionPage
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
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
        "url": "/templates/{id}/versions".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def list_template_versions(
    client: Requester,
    id: str,
    *,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
) -> TemplateVersionPage:
    """List the versions of a template

    Newest first. The newest 100 are always kept, older ones as long as a message may need them.

    Scope: templates:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            after=after,
            limit=limit,
        )
    ).json()["data"]
    response_200 = TemplateVersionPage.from_dict(data)

    return response_200

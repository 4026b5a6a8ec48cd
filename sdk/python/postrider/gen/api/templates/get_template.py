from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.template import Template


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/templates/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_template(
    client: Requester,
    id: str,
) -> Template:
    """Read a template

    Scope: templates:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Template.from_dict(data)

    return response_200

from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.template_version_content import TemplateVersionContent


def _get_kwargs(
    id: str,
    version: int,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/templates/{id}/versions/{version}".format(
            id=quote(str(id), safe=""),
            version=quote(str(version), safe=""),
        ),
    }

    return _kwargs


def get_template_version(
    client: Requester,
    id: str,
    version: int,
) -> TemplateVersionContent:
    """Read a version of a template

    Scope: templates:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            version=version,
        )
    ).json()["data"]
    response_200 = TemplateVersionContent.from_dict(data)

    return response_200

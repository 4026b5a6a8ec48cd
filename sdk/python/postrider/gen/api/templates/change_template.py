from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.change_template_request import ChangeTemplateRequest
from ...models.template import Template
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: ChangeTemplateRequest | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "patch",
        "url": "/templates/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def change_template(
    client: Requester,
    id: str,
    *,
    body: ChangeTemplateRequest | Unset = UNSET,
) -> Template:
    """Change a template

    New content is a new version; mail accepted before is still rendered from the old one. With
    `expected_version` nobody else’s change is overwritten: 409 when the template is at another version.

    Scope: templates:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
        )
    ).json()["data"]
    response_200 = Template.from_dict(data)

    return response_200

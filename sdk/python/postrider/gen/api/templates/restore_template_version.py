from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.restore_template_version_request import RestoreTemplateVersionRequest
from ...models.template import Template
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    version: int,
    *,
    body: RestoreTemplateVersionRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/templates/{id}/versions/{version}/restore".format(
            id=quote(str(id), safe=""),
            version=quote(str(version), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def restore_template_version(
    client: Requester,
    id: str,
    version: int,
    *,
    body: RestoreTemplateVersionRequest,
    idempotency_key: str | Unset = UNSET,
) -> Template:
    """Restore a version of a template

    Makes a new version that says what this one said, or none when the template says that already.

    Scope: templates:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            version=version,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_200 = Template.from_dict(data)

    return response_200

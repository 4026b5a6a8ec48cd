from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.preview_template_request import PreviewTemplateRequest
from ...models.preview_template_result import PreviewTemplateResult
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: PreviewTemplateRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/templates/{id}/preview".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def preview_template(
    client: Requester,
    id: str,
    *,
    body: PreviewTemplateRequest,
    idempotency_key: str | Unset = UNSET,
) -> PreviewTemplateResult:
    """Render a template

    Renders the current version. 422 if a required variable is missing, or rendering takes too long or
    too much memory. A template without a text part gets its text from the HTML (empty for HTML over 32
    KiB).

    Scope: templates:read.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_200 = PreviewTemplateResult.from_dict(data)

    return response_200

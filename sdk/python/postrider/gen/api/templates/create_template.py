from typing import Any

from ...client import Requester
from ...models.create_template_request import CreateTemplateRequest
from ...models.template import Template
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: CreateTemplateRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/templates",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def create_template(
    client: Requester,
    *,
    body: CreateTemplateRequest,
    idempotency_key: str | Unset = UNSET,
) -> Template:
    """Create a template

    Templates are Liquid: `{{ name }}` is escaped in HTML, filters, `if` and `for` work, other files
    cannot be included. Numbers, filters and their arguments are those of Shopify’s Liquid; a filter
    with wrong arguments is 422 with line and column. Rendering has hard limits of time and memory.
    Without a text part, one is made from the HTML. In campaign mail, and in mail sent with
    `unsubscribe: true`, `{{ unsubscribe_url }}` is the recipient’s unsubscribe link.

    Scope: templates:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_201 = Template.from_dict(data)

    return response_201

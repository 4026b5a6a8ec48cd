from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.deleted import Deleted


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "delete",
        "url": "/templates/{id}".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def delete_template(
    client: Requester,
    id: str,
) -> Deleted:
    """Delete a template

    Its name can be used again; mail accepted before is still rendered from it. A campaign that is being
    sent with it pauses with `template_not_found` and can only be cancelled; one with a subject of its
    own copied the template when it started, and continues.

    Scope: templates:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = Deleted.from_dict(data)

    return response_200

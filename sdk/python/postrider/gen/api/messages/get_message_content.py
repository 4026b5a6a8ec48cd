from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.message_content import MessageContent


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/transactional/{id}/content".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_message_content(
    client: Requester,
    id: str,
) -> MessageContent:
    """Read what a message says

    Rendered as it is sent, with the version of the template and the variables that it was sent with.
    The HTML is untrusted: it is what its author wrote. 410 `gone` once the content is not kept any
    more, and for mail of this service itself, such as invitations, which only its recipient reads.

    Scope: transactional:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = MessageContent.from_dict(data)

    return response_200

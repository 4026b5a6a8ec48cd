from typing import Any
from urllib.parse import quote

from ...client import Requester


def _get_kwargs(
    id: str,
    index: int,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/transactional/{id}/attachments/{index}".format(
            id=quote(str(id), safe=""),
            index=quote(str(index), safe=""),
        ),
    }

    return _kwargs


def get_message_attachment(
    client: Requester,
    id: str,
    index: int,
) -> bytes:
    """Download an attachment of a message

    By its place in `attachments` of the content, from 0. 410 `gone` once the content is not kept any
    more, and for mail of this service itself.

    Scope: transactional:read.

    Limit: 60 a minute (class `read`).
    """
    return client.request(
        **_get_kwargs(
            id=id,
            index=index,
        )
    ).content

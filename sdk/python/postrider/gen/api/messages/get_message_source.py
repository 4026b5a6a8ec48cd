from typing import Any
from urllib.parse import quote

from ...client import Requester


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/transactional/{id}/raw".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def get_message_source(
    client: Requester,
    id: str,
) -> bytes:
    """Download the source of a message

    As `message/rfc822`, the bytes on the wire, with the signature of the last attempt; of a domain
    whose DKIM keys have changed since, with one of its present keys. 410 `gone` once the content is not
    kept any more, and for mail of this service itself, such as invitations, which only its recipient
    reads.

    Scope: transactional:read.

    Limit: 60 a minute (class `read`).
    """
    return client.request(
        **_get_kwargs(
            id=id,
        )
    ).content

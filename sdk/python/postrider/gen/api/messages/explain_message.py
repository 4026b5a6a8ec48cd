from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.explain_message_result import ExplainMessageResult


def _get_kwargs(
    id: str,
) -> dict[str, Any]:

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/transactional/{id}/explain".format(
            id=quote(str(id), safe=""),
        ),
    }

    return _kwargs


def explain_message(
    client: Requester,
    id: str,
) -> ExplainMessageResult:
    """Explain what was decided about a message

    Every decision in order: what it followed from, what it came to, what happens next. The last one
    says where the message stands. The first and the last 29 decisions beside its attempts are kept, and
    the same one in a row counts once.

    Scope: transactional:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
        )
    ).json()["data"]
    response_200 = ExplainMessageResult.from_dict(data)

    return response_200

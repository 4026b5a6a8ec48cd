from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.resend_message_request import ResendMessageRequest
from ...models.send_answer import SendAnswer
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: ResendMessageRequest | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/transactional/{id}/resend".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def resend_message(
    client: Requester,
    id: str,
    *,
    body: ResendMessageRequest | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> SendAnswer:
    """Send a message again

    A new message with the same content, to the same recipient or to `to`. Words of a template are those
    of the version that it was sent with; its links to follow opens and clicks and to unsubscribe are
    its own. It counts under the cap and the quota like any other, and is dropped where the recipient is
    suppressed. 410 `gone` once the content is not kept any more, and for mail of this service itself.
    Give an `Idempotency-Key` to send it once however often you ask.

    Scope: transactional:send.

    Limit: 600 a minute (class `send`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_202 = SendAnswer.from_dict(data)

    return response_202

from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.retry_failed_recipients_result import RetryFailedRecipientsResult
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/campaigns/{id}/retry".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["headers"] = headers
    return _kwargs


def retry_failed_recipients(
    client: Requester,
    id: str,
    *,
    idempotency_key: str | Unset = UNSET,
) -> RetryFailedRecipientsResult:
    """Retry failed recipients

    For a campaign that is sending or was sent.

    Scope: campaigns:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_202 = RetryFailedRecipientsResult.from_dict(data)

    return response_202

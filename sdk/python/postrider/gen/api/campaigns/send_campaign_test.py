from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.send_campaign_test_request import SendCampaignTestRequest
from ...models.send_campaign_test_result import SendCampaignTestResult
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    body: SendCampaignTestRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/campaigns/{id}/test".format(
            id=quote(str(id), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def send_campaign_test(
    client: Requester,
    id: str,
    *,
    body: SendCampaignTestRequest,
    idempotency_key: str | Unset = UNSET,
) -> SendCampaignTestResult:
    """Send a test

    One message as a contact would get it, with [Test] before its subject. Nothing of it is counted in
    the campaign.

    Scope: campaigns:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_202 = SendCampaignTestResult.from_dict(data)

    return response_202

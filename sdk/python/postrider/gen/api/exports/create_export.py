from typing import Any

from ...client import Requester
from ...models.contact_export_request import ContactExportRequest
from ...models.event_export_request import EventExportRequest
from ...models.export import Export
from ...models.message_export_request import MessageExportRequest
from ...models.suppression_export_request import SuppressionExportRequest
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: ContactExportRequest | EventExportRequest | MessageExportRequest | SuppressionExportRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/exports",
    }

    if isinstance(body, MessageExportRequest):
        _kwargs["json"] = body.to_dict()
    elif isinstance(body, ContactExportRequest):
        _kwargs["json"] = body.to_dict()
    elif isinstance(body, SuppressionExportRequest):
        _kwargs["json"] = body.to_dict()
    else:
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def create_export(
    client: Requester,
    *,
    body: ContactExportRequest | EventExportRequest | MessageExportRequest | SuppressionExportRequest,
    idempotency_key: str | Unset = UNSET,
) -> Export:
    """Export a list

    Writes a list to a CSV file in the background, newest first, up to 1000000 rows. The file is kept
    for 24 hours; a tenant has at most 12, the oldest makes place for a new one, and 10 are written at
    once (409 `conflict`). A text that a spreadsheet would run as a formula gets an apostrophe before
    it. The key needs the scope that reading that list needs.

    Scope: any valid key.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_201 = Export.from_dict(data)

    return response_201

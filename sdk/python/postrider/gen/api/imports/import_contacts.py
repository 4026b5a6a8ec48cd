from typing import Any

from ...client import Requester
from ...models.import_ import Import
from ...models.import_contacts_update_existing import (
    ImportContactsUpdateExisting,
)
from ...models.import_request import ImportRequest
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: ImportRequest | str | Unset = UNSET,
    list_id: str | Unset = UNSET,
    update_existing: ImportContactsUpdateExisting | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    params: dict[str, Any] = {}

    params["list_id"] = list_id

    json_update_existing: str | Unset = UNSET
    if not isinstance(update_existing, Unset):
        json_update_existing = update_existing

    params["update_existing"] = json_update_existing

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/contacts/import",
        "params": params,
    }

    if isinstance(body, ImportRequest):
        _kwargs["json"] = body.to_dict()

        headers["Content-Type"] = "application/json"
    if isinstance(body, str):
        _kwargs["content"] = body
        headers["Content-Type"] = "text/csv"
    _kwargs["headers"] = headers
    return _kwargs


def import_contacts(
    client: Requester,
    *,
    body: ImportRequest | str | Unset = UNSET,
    list_id: str | Unset = UNSET,
    update_existing: ImportContactsUpdateExisting | Unset = UNSET,
    idempotency_key: str | Unset = UNSET,
) -> Import:
    """Import contacts

    CSV (`text/csv`, options in the query) or JSON (options in the body). Known columns are `email`,
    `first_name`, `last_name`, `tags` (separated by `|`) and `status`, in any letter case; every other
    column becomes an attribute. In CSV the header is row 1, in JSON the first contact; a bad row does
    not affect the others. An address that exists already, or comes again in the file, is skipped, or
    with `update_existing` updated with the fields that the row has; either way it is added to the list.
    An import never subscribes anybody who unsubscribed or complained.

    Scope: contacts:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            list_id=list_id,
            update_existing=update_existing,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]
    response_202 = Import.from_dict(data)

    return response_202

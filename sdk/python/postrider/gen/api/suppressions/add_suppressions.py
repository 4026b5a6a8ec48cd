from typing import Any

from ...client import Requester
from ...models.add_suppressions_request import AddSuppressionsRequest
from ...models.added_suppressions import AddedSuppressions
from ...models.suppression import Suppression
from ...types import UNSET, Unset


def _get_kwargs(
    *,
    body: AddSuppressionsRequest,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/suppressions",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"
    _kwargs["headers"] = headers
    return _kwargs


def add_suppressions(
    client: Requester,
    *,
    body: AddSuppressionsRequest,
    idempotency_key: str | Unset = UNSET,
) -> AddedSuppressions | Suppression:
    """Suppress one address or many

    Takes effect with the next send. An address that is already suppressed keeps its entry; its reason
    only changes to a more serious one (most serious first: complaint, unsubscribe, bounce, manual).
    Returns the entry, or for `emails` all entries in order.

    Scope: suppressions:write.

    Limit: 60 a minute (class `write`).
    """
    data = client.request(
        **_get_kwargs(
            body=body,
            idempotency_key=idempotency_key,
        )
    ).json()["data"]

    def _parse_response_201(data: object) -> AddedSuppressions | Suppression:
        try:
            if not isinstance(data, dict):
                raise TypeError()
            componentsschemas_add_suppressions_result_type_0 = Suppression.from_dict(data)

            return componentsschemas_add_suppressions_result_type_0
        except (TypeError, ValueError, AttributeError, KeyError):
            pass
        if not isinstance(data, dict):
            raise TypeError()
        componentsschemas_add_suppressions_result_type_1 = AddedSuppressions.from_dict(data)

        return componentsschemas_add_suppressions_result_type_1

    response_201 = _parse_response_201(data)

    return response_201

import datetime
from typing import Any
from urllib.parse import quote

from ...client import Requester
from ...models.domain_report_page import DomainReportPage
from ...models.list_domain_reports_type import (
    ListDomainReportsType,
)
from ...types import UNSET, Unset


def _get_kwargs(
    id: str,
    *,
    type_: ListDomainReportsType | Unset = UNSET,
    since: datetime.datetime | Unset = UNSET,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    json_type_: str | Unset = UNSET
    if not isinstance(type_, Unset):
        json_type_ = type_

    params["type"] = json_type_

    json_since: str | Unset = UNSET
    if not isinstance(since, Unset):
        json_since = since.isoformat()
    params["since"] = json_since

    params["after"] = after

    params["limit"] = limit

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/mail/domains/{id}/reports".format(
            id=quote(str(id), safe=""),
        ),
        "params": params,
    }

    return _kwargs


def list_domain_reports(
    client: Requester,
    id: str,
    *,
    type_: ListDomainReportsType | Unset = UNSET,
    since: datetime.datetime | Unset = UNSET,
    after: str | Unset = UNSET,
    limit: int | Unset = 50,
) -> DomainReportPage:
    """List DMARC and TLS reports about a domain

    The newest first, kept for 120 days. They come by mail to `dmarc_address` and `tls_report_address`
    of the domain, and each counts once.

    Scope: domains:read.

    Limit: 60 a minute (class `read`).
    """
    data = client.request(
        **_get_kwargs(
            id=id,
            type_=type_,
            since=since,
            after=after,
            limit=limit,
        )
    ).json()["data"]
    response_200 = DomainReportPage.from_dict(data)

    return response_200

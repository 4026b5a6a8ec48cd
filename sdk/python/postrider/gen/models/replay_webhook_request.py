from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.replay_webhook_request_status import (
    ReplayWebhookRequestStatus,
    check_replay_webhook_request_status,
)
from ..types import UNSET, Unset

T = TypeVar("T", bound="ReplayWebhookRequest")


@_attrs_define
class ReplayWebhookRequest:
    """
    Attributes:
        since (datetime.datetime):
        until (datetime.datetime | Unset):
        status (ReplayWebhookRequestStatus | Unset): only deliveries of this status; otherwise all that were attempted
    """

    since: datetime.datetime
    until: datetime.datetime | Unset = UNSET
    status: ReplayWebhookRequestStatus | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        since = self.since.isoformat()

        until: str | Unset = UNSET
        if not isinstance(self.until, Unset):
            until = self.until.isoformat()

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "since": since,
            }
        )
        if until is not UNSET:
            field_dict["until"] = until
        if status is not UNSET:
            field_dict["status"] = status

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        since = datetime.datetime.fromisoformat(d.pop("since"))

        _until = d.pop("until", UNSET)
        until: datetime.datetime | Unset
        if isinstance(_until, Unset):
            until = UNSET
        else:
            until = datetime.datetime.fromisoformat(_until)

        _status = d.pop("status", UNSET)
        status: ReplayWebhookRequestStatus | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = check_replay_webhook_request_status(_status)

        replay_webhook_request = cls(
            since=since,
            until=until,
            status=status,
        )

        return replay_webhook_request

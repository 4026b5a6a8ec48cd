from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.test_webhook_request_event_type import (
    TestWebhookRequestEventType,
    check_test_webhook_request_event_type,
)

T = TypeVar("T", bound="TestWebhookRequest")


@_attrs_define
class TestWebhookRequest:
    """
    Attributes:
        event_type (TestWebhookRequestEventType):
    """

    event_type: TestWebhookRequestEventType

    def to_dict(self) -> dict[str, Any]:
        event_type: str = self.event_type

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "event_type": event_type,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        event_type = check_test_webhook_request_event_type(d.pop("event_type"))

        test_webhook_request = cls(
            event_type=event_type,
        )

        return test_webhook_request

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.campaign_status import CampaignStatus, check_campaign_status

if TYPE_CHECKING:
    from ..models.campaign_audience_all import CampaignAudienceAll
    from ..models.campaign_audience_list_id import CampaignAudienceListId
    from ..models.campaign_audience_tag import CampaignAudienceTag
    from ..models.campaign_eta import CampaignEta
    from ..models.campaign_stats import CampaignStats


T = TypeVar("T", bound="Campaign")


@_attrs_define
class Campaign:
    """One message to the subscribed contacts of an audience

    Attributes:
        id (str):
        version (int): goes up with every change of the content
        name (str):
        from_ (str):
        reply_to (None | str):
        subject (None | str):
        template_id (None | str):
        html (None | str):
        text (None | str):
        audience (CampaignAudienceAll | CampaignAudienceListId | CampaignAudienceTag):
        track_opens (bool | None):
        track_clicks (bool | None):
        status (CampaignStatus):
        pause_reason (None | str): `requested`, or an error code
        pause_message (None | str):
        scheduled_at (datetime.datetime | None):
        launched_at (datetime.datetime | None):
        completed_at (datetime.datetime | None):
        created_at (datetime.datetime):
        updated_at (datetime.datetime):
        stats (CampaignStats): Exact counts; queued to failed add up to the recipients
        eta (CampaignEta | None): only of a single campaign that is being sent
    """

    id: str
    version: int
    name: str
    from_: str
    reply_to: None | str
    subject: None | str
    template_id: None | str
    html: None | str
    text: None | str
    audience: CampaignAudienceAll | CampaignAudienceListId | CampaignAudienceTag
    track_opens: bool | None
    track_clicks: bool | None
    status: CampaignStatus
    pause_reason: None | str
    pause_message: None | str
    scheduled_at: datetime.datetime | None
    launched_at: datetime.datetime | None
    completed_at: datetime.datetime | None
    created_at: datetime.datetime
    updated_at: datetime.datetime
    stats: CampaignStats
    eta: CampaignEta | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.campaign_audience_list_id import CampaignAudienceListId  # noqa: PLC0415
        from ..models.campaign_audience_tag import CampaignAudienceTag  # noqa: PLC0415
        from ..models.campaign_eta import CampaignEta  # noqa: PLC0415

        id = self.id

        version = self.version

        name = self.name

        from_ = self.from_

        reply_to: None | str
        reply_to = self.reply_to

        subject: None | str
        subject = self.subject

        template_id: None | str
        template_id = self.template_id

        html: None | str
        html = self.html

        text: None | str
        text = self.text

        audience: dict[str, Any]
        if isinstance(self.audience, CampaignAudienceListId):
            audience = self.audience.to_dict()
        elif isinstance(self.audience, CampaignAudienceTag):
            audience = self.audience.to_dict()
        else:
            audience = self.audience.to_dict()

        track_opens: bool | None
        track_opens = self.track_opens

        track_clicks: bool | None
        track_clicks = self.track_clicks

        status: str = self.status

        pause_reason: None | str
        pause_reason = self.pause_reason

        pause_message: None | str
        pause_message = self.pause_message

        scheduled_at: None | str
        if isinstance(self.scheduled_at, datetime.datetime):
            scheduled_at = self.scheduled_at.isoformat()
        else:
            scheduled_at = self.scheduled_at

        launched_at: None | str
        if isinstance(self.launched_at, datetime.datetime):
            launched_at = self.launched_at.isoformat()
        else:
            launched_at = self.launched_at

        completed_at: None | str
        if isinstance(self.completed_at, datetime.datetime):
            completed_at = self.completed_at.isoformat()
        else:
            completed_at = self.completed_at

        created_at = self.created_at.isoformat()

        updated_at = self.updated_at.isoformat()

        stats = self.stats.to_dict()

        eta: dict[str, Any] | None
        if isinstance(self.eta, CampaignEta):
            eta = self.eta.to_dict()
        else:
            eta = self.eta

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "version": version,
                "name": name,
                "from": from_,
                "reply_to": reply_to,
                "subject": subject,
                "template_id": template_id,
                "html": html,
                "text": text,
                "audience": audience,
                "track_opens": track_opens,
                "track_clicks": track_clicks,
                "status": status,
                "pause_reason": pause_reason,
                "pause_message": pause_message,
                "scheduled_at": scheduled_at,
                "launched_at": launched_at,
                "completed_at": completed_at,
                "created_at": created_at,
                "updated_at": updated_at,
                "stats": stats,
                "eta": eta,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.campaign_audience_all import CampaignAudienceAll  # noqa: PLC0415
        from ..models.campaign_audience_list_id import CampaignAudienceListId  # noqa: PLC0415
        from ..models.campaign_audience_tag import CampaignAudienceTag  # noqa: PLC0415
        from ..models.campaign_eta import CampaignEta  # noqa: PLC0415
        from ..models.campaign_stats import CampaignStats  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        version = d.pop("version")

        name = d.pop("name")

        from_ = d.pop("from")

        def _parse_reply_to(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reply_to = _parse_reply_to(d.pop("reply_to"))

        def _parse_subject(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        subject = _parse_subject(d.pop("subject"))

        def _parse_template_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        template_id = _parse_template_id(d.pop("template_id"))

        def _parse_html(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        html = _parse_html(d.pop("html"))

        def _parse_text(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        text = _parse_text(d.pop("text"))

        def _parse_audience(
            data: object,
        ) -> CampaignAudienceAll | CampaignAudienceListId | CampaignAudienceTag:
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                audience_type_0 = CampaignAudienceListId.from_dict(data)

                return audience_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                audience_type_1 = CampaignAudienceTag.from_dict(data)

                return audience_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            audience_type_2 = CampaignAudienceAll.from_dict(data)

            return audience_type_2

        audience = _parse_audience(d.pop("audience"))

        def _parse_track_opens(data: object) -> bool | None:
            if data is None:
                return data
            return cast(bool | None, data)

        track_opens = _parse_track_opens(d.pop("track_opens"))

        def _parse_track_clicks(data: object) -> bool | None:
            if data is None:
                return data
            return cast(bool | None, data)

        track_clicks = _parse_track_clicks(d.pop("track_clicks"))

        status = check_campaign_status(d.pop("status"))

        def _parse_pause_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        pause_reason = _parse_pause_reason(d.pop("pause_reason"))

        def _parse_pause_message(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        pause_message = _parse_pause_message(d.pop("pause_message"))

        def _parse_scheduled_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                scheduled_at_type_0 = datetime.datetime.fromisoformat(data)

                return scheduled_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        scheduled_at = _parse_scheduled_at(d.pop("scheduled_at"))

        def _parse_launched_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                launched_at_type_0 = datetime.datetime.fromisoformat(data)

                return launched_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        launched_at = _parse_launched_at(d.pop("launched_at"))

        def _parse_completed_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                completed_at_type_0 = datetime.datetime.fromisoformat(data)

                return completed_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        completed_at = _parse_completed_at(d.pop("completed_at"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        stats = CampaignStats.from_dict(d.pop("stats"))

        def _parse_eta(data: object) -> CampaignEta | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                eta_type_0 = CampaignEta.from_dict(data)

                return eta_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(CampaignEta | None, data)

        eta = _parse_eta(d.pop("eta"))

        campaign = cls(
            id=id,
            version=version,
            name=name,
            from_=from_,
            reply_to=reply_to,
            subject=subject,
            template_id=template_id,
            html=html,
            text=text,
            audience=audience,
            track_opens=track_opens,
            track_clicks=track_clicks,
            status=status,
            pause_reason=pause_reason,
            pause_message=pause_message,
            scheduled_at=scheduled_at,
            launched_at=launched_at,
            completed_at=completed_at,
            created_at=created_at,
            updated_at=updated_at,
            stats=stats,
            eta=eta,
        )

        campaign.additional_properties = d
        return campaign

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.campaign_change_audience_all import CampaignChangeAudienceAll
    from ..models.campaign_change_audience_list_id import CampaignChangeAudienceListId
    from ..models.campaign_change_audience_tag import CampaignChangeAudienceTag


T = TypeVar("T", bound="CampaignChange")


@_attrs_define
class CampaignChange:
    """
    Attributes:
        name (str | Unset):
        from_ (str | Unset):
        reply_to (None | str | Unset):
        subject (None | str | Unset): Liquid; replaces the subject of the template
        template_id (None | str | Unset):
        html (None | str | Unset): Liquid, with the contact’s attributes as variables
        text (None | str | Unset):
        audience (CampaignChangeAudienceAll | CampaignChangeAudienceListId | CampaignChangeAudienceTag | Unset): the
            subscribed contacts of a list, with a tag, or all of them
        track_opens (bool | None | Unset):
        track_clicks (bool | None | Unset):
        version (int | Unset): refuses with 409 when the campaign has another version by now: somebody else changed it
        unfinished (bool | Unset): true: saves a draft whose content is missing or does not parse yet; its launch checks
            it
    """

    name: str | Unset = UNSET
    from_: str | Unset = UNSET
    reply_to: None | str | Unset = UNSET
    subject: None | str | Unset = UNSET
    template_id: None | str | Unset = UNSET
    html: None | str | Unset = UNSET
    text: None | str | Unset = UNSET
    audience: CampaignChangeAudienceAll | CampaignChangeAudienceListId | CampaignChangeAudienceTag | Unset = (
        UNSET
    )
    track_opens: bool | None | Unset = UNSET
    track_clicks: bool | None | Unset = UNSET
    version: int | Unset = UNSET
    unfinished: bool | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        from ..models.campaign_change_audience_list_id import (
            CampaignChangeAudienceListId,  # noqa: PLC0415
        )
        from ..models.campaign_change_audience_tag import CampaignChangeAudienceTag  # noqa: PLC0415

        name = self.name

        from_ = self.from_

        reply_to: None | str | Unset
        if isinstance(self.reply_to, Unset):
            reply_to = UNSET
        else:
            reply_to = self.reply_to

        subject: None | str | Unset
        if isinstance(self.subject, Unset):
            subject = UNSET
        else:
            subject = self.subject

        template_id: None | str | Unset
        if isinstance(self.template_id, Unset):
            template_id = UNSET
        else:
            template_id = self.template_id

        html: None | str | Unset
        if isinstance(self.html, Unset):
            html = UNSET
        else:
            html = self.html

        text: None | str | Unset
        if isinstance(self.text, Unset):
            text = UNSET
        else:
            text = self.text

        audience: dict[str, Any] | Unset
        if isinstance(self.audience, Unset):
            audience = UNSET
        elif isinstance(self.audience, CampaignChangeAudienceListId):
            audience = self.audience.to_dict()
        elif isinstance(self.audience, CampaignChangeAudienceTag):
            audience = self.audience.to_dict()
        else:
            audience = self.audience.to_dict()

        track_opens: bool | None | Unset
        if isinstance(self.track_opens, Unset):
            track_opens = UNSET
        else:
            track_opens = self.track_opens

        track_clicks: bool | None | Unset
        if isinstance(self.track_clicks, Unset):
            track_clicks = UNSET
        else:
            track_clicks = self.track_clicks

        version = self.version

        unfinished = self.unfinished

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if name is not UNSET:
            field_dict["name"] = name
        if from_ is not UNSET:
            field_dict["from"] = from_
        if reply_to is not UNSET:
            field_dict["reply_to"] = reply_to
        if subject is not UNSET:
            field_dict["subject"] = subject
        if template_id is not UNSET:
            field_dict["template_id"] = template_id
        if html is not UNSET:
            field_dict["html"] = html
        if text is not UNSET:
            field_dict["text"] = text
        if audience is not UNSET:
            field_dict["audience"] = audience
        if track_opens is not UNSET:
            field_dict["track_opens"] = track_opens
        if track_clicks is not UNSET:
            field_dict["track_clicks"] = track_clicks
        if version is not UNSET:
            field_dict["version"] = version
        if unfinished is not UNSET:
            field_dict["unfinished"] = unfinished

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.campaign_change_audience_all import CampaignChangeAudienceAll  # noqa: PLC0415
        from ..models.campaign_change_audience_list_id import (
            CampaignChangeAudienceListId,  # noqa: PLC0415
        )
        from ..models.campaign_change_audience_tag import CampaignChangeAudienceTag  # noqa: PLC0415

        d = dict(src_dict)
        name = d.pop("name", UNSET)

        from_ = d.pop("from", UNSET)

        def _parse_reply_to(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        reply_to = _parse_reply_to(d.pop("reply_to", UNSET))

        def _parse_subject(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        subject = _parse_subject(d.pop("subject", UNSET))

        def _parse_template_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        template_id = _parse_template_id(d.pop("template_id", UNSET))

        def _parse_html(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        html = _parse_html(d.pop("html", UNSET))

        def _parse_text(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        text = _parse_text(d.pop("text", UNSET))

        def _parse_audience(
            data: object,
        ) -> CampaignChangeAudienceAll | CampaignChangeAudienceListId | CampaignChangeAudienceTag | Unset:
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                audience_type_0 = CampaignChangeAudienceListId.from_dict(data)

                return audience_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                audience_type_1 = CampaignChangeAudienceTag.from_dict(data)

                return audience_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, dict):
                raise TypeError()
            audience_type_2 = CampaignChangeAudienceAll.from_dict(data)

            return audience_type_2

        audience = _parse_audience(d.pop("audience", UNSET))

        def _parse_track_opens(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        track_opens = _parse_track_opens(d.pop("track_opens", UNSET))

        def _parse_track_clicks(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        track_clicks = _parse_track_clicks(d.pop("track_clicks", UNSET))

        version = d.pop("version", UNSET)

        unfinished = d.pop("unfinished", UNSET)

        campaign_change = cls(
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
            version=version,
            unfinished=unfinished,
        )

        return campaign_change

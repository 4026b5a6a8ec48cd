from typing import Literal, cast

ListCampaignsStatus = Literal["cancelled", "draft", "paused", "scheduled", "sending", "sent"]


def check_list_campaigns_status(value: str) -> ListCampaignsStatus:
    return cast(ListCampaignsStatus, value)

from typing import Literal, cast

CampaignReportBy = Literal["day", "hour"]


def check_campaign_report_by(value: str) -> CampaignReportBy:
    return cast(CampaignReportBy, value)

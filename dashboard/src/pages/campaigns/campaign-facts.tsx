// The details of a campaign.

import type { ReactNode } from 'react';
import { Link } from 'wouter';

import type { CampaignDetailFragment } from '../../gen/pages/campaigns/campaign.ts';
import { Card, DescriptionList } from '../../ui/card.tsx';
import { Time } from '../../ui/time.tsx';

const LINK = 'text-accent-strong hover:underline';

export function CampaignFacts({ campaign }: { campaign: CampaignDetailFragment }): ReactNode {
  const { template, subject, replyTo } = campaign;
  return (
    <Card
      title="Details"
      actions={
        <Link href={`/messages?campaign=${campaign.id}`} className={`${LINK} text-[13px] font-medium`}>
          View messages
        </Link>
      }
    >
      <DescriptionList
        items={[
          { term: 'Audience', value: <AudienceText audience={campaign.audience} /> },
          { term: 'From', value: campaign.from },
          ...(replyTo === null ? [] : [{ term: 'Reply to', value: replyTo }]),
          {
            term: 'Content',
            value: template ? (
              <>
                Template{' '}
                <Link href={`/templates/${template.id}`} className={LINK}>
                  {template.name}
                </Link>
              </>
            ) : (
              'Written in the campaign'
            ),
          },
          ...(subject === null ? [] : [{ term: 'Subject', value: subject }]),
          { term: 'Created', value: <Time value={campaign.createdAt} exact /> },
          {
            term: 'Launched',
            value: <Time value={campaign.launchedAt} exact fallback="not launched" />,
          },
          ...(campaign.completedAt === null
            ? []
            : [{ term: 'Finished', value: <Time value={campaign.completedAt} exact /> }]),
        ]}
      />
    </Card>
  );
}

function AudienceText({ audience }: { audience: CampaignDetailFragment['audience'] }): ReactNode {
  if (audience.all) return 'All subscribed contacts';
  if (audience.tag !== null) return `Subscribed contacts with the tag ${audience.tag}`;
  if (audience.list === null) return 'A deleted list';
  return (
    <>
      Subscribed contacts of{' '}
      <Link href={`/contacts?list=${audience.list.id}`} className={LINK}>
        {audience.list.name}
      </Link>
    </>
  );
}

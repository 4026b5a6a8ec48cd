// A campaign in the editor: all fields as the form controls hold them.

import type {
  CampaignChoicesQuery,
  CampaignContentFragment,
} from '../../gen/pages/campaigns/campaign-edit.ts';

/** The domains, templates and lists to choose from. */
export interface Choices {
  domains: CampaignChoicesQuery['domains']['edges'][number]['node'][];
  templates: CampaignChoicesQuery['templates']['edges'][number]['node'][];
  lists: CampaignChoicesQuery['contactLists']['edges'][number]['node'][];
}

/** A campaign in the editor. */
export interface CampaignDraft {
  name: string;
  audience: 'list' | 'tag' | 'all';
  listId: string;
  tag: string;
  content: 'template' | 'own';
  templateId: string;
  subject: string;
  html: string;
  text: string;
  fromName: string;
  fromLocal: string;
  fromDomain: string;
  replyTo: string;
  trackOpens: boolean;
  trackClicks: boolean;
}

/** The initial values of the form. */
export function draftOf(campaign: CampaignContentFragment | null, choices: Choices): CampaignDraft {
  const verified = choices.domains.find(({ status }) => status === 'verified');
  const listId = choices.lists[0]?.id ?? '';
  const templateId = choices.templates[0]?.id ?? '';
  if (campaign === null) {
    return {
      name: '',
      audience: listId === '' ? 'all' : 'list',
      listId,
      tag: '',
      content: templateId === '' ? 'own' : 'template',
      templateId,
      subject: '',
      html: '',
      text: '',
      fromName: '',
      fromLocal: 'news',
      fromDomain: verified?.name ?? '',
      replyTo: '',
      trackOpens: true,
      trackClicks: true,
    };
  }
  const { audience, template } = campaign;
  return {
    name: campaign.name,
    audience: audience.all ? 'all' : audience.tag === null ? 'list' : 'tag',
    listId: audience.list?.id ?? (audience.all || audience.tag !== null ? listId : ''), // '': it was deleted
    tag: audience.tag ?? '',
    content: template === null ? 'own' : 'template',
    templateId: template?.id ?? templateId,
    subject: campaign.subject ?? '',
    html: campaign.html ?? '',
    text: campaign.text ?? '',
    ...senderOf(campaign.from),
    replyTo: campaign.replyTo ?? '',
    trackOpens: campaign.trackOpens ?? true,
    trackClicks: campaign.trackClicks ?? true,
  };
}

/** What of a draft is stored. */
export type CampaignInput = ReturnType<typeof campaignInput>;

/** The draft as mutation input. */
export function campaignInput(draft: CampaignDraft) {
  const own = draft.content === 'own';
  const filled = (text: string) => (text.trim() === '' ? null : text);
  return {
    name: draft.name.trim(),
    from: fromOf(draft),
    replyTo: filled(draft.replyTo),
    subject: filled(draft.subject),
    templateId: own || draft.templateId === '' ? null : draft.templateId,
    html: own ? filled(draft.html) : null,
    text: own ? filled(draft.text) : null,
    audience: audienceOf(draft),
    trackOpens: draft.trackOpens,
    trackClicks: draft.trackClicks,
  };
}

/** What keeps a step from being done, by the field that shows it: a sentence with what to do. */
export function problemsOf(draft: CampaignDraft, step: string): Record<string, string> {
  const empty = (text: string) => text.trim() === '';
  const own = draft.content === 'own';
  const checks: Record<string, [boolean, string, string][]> = {
    audience: [
      [empty(draft.name), 'name', 'Enter a campaign name.'],
      [draft.audience === 'tag' && empty(draft.tag), 'tag', 'Enter a tag, or choose another audience.'],
      [draft.audience === 'list' && draft.listId === '', 'listId', 'Choose a list, or another audience.'],
    ],
    content: [
      [!own && draft.templateId === '', 'templateId', 'Choose a template, or write the content here.'],
      [own && empty(draft.subject), 'subject', 'Enter a subject.'],
      [own && empty(draft.html) && empty(draft.text), 'html', 'Enter HTML, text, or both.'],
    ],
    sender: [
      [empty(draft.fromLocal), 'from', 'Enter the part of the sender’s address before the @.'],
      [draft.fromDomain === '', 'fromDomain', 'Choose a verified domain.'],
    ],
  };
  const found = (checks[step] ?? []).filter(([isProblem]) => isProblem);
  return Object.fromEntries(found.map(([, field, sentence]) => [field, sentence]));
}

/** Fields of the input that cannot be stored as they are; the others can. */
export function heldFields(draft: CampaignDraft): (keyof CampaignInput)[] {
  const problems = { ...problemsOf(draft, 'audience'), ...problemsOf(draft, 'sender') };
  const has = (...fields: string[]) => fields.some((field) => field in problems);
  return [
    ...(has('name') ? (['name'] as const) : []),
    ...(has('tag', 'listId') ? (['audience'] as const) : []),
    ...(has('from', 'fromDomain') ? (['from'] as const) : []),
  ];
}

/** Whether nothing was written yet that somebody would miss. */
export function isBlank({ name, subject, html, text }: CampaignDraft): boolean {
  return [name, subject, html, text].every((field) => field === '');
}

/** The From header value. */
export function fromOf({ fromName, fromLocal, fromDomain }: CampaignDraft): string {
  const address = `${fromLocal.trim()}@${fromDomain}`;
  const name = fromName.trim();
  if (name === '') return address;
  return /^[\w .'-]+$/.test(name)
    ? `${name} <${address}>`
    : `"${name.replaceAll(/["\\]/g, '\\$&')}" <${address}>`;
}

function audienceOf(draft: CampaignDraft): { listId: string } | { tag: string } | { all: true } {
  if (draft.audience === 'all') return { all: true };
  return draft.audience === 'tag' ? { tag: draft.tag.trim() } : { listId: draft.listId };
}

function senderOf(from: string): { fromName: string; fromLocal: string; fromDomain: string } {
  const [, name = '', inside = ''] = /^(.*)<([^<>]*)>\s*$/s.exec(from) ?? [];
  const address = inside === '' ? from : inside;
  const at = address.lastIndexOf('@');
  return {
    fromName: name
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .replaceAll(/\\(.)/g, '$1'),
    fromLocal: address.slice(0, at).trim(),
    fromDomain: address.slice(at + 1).trim(),
  };
}

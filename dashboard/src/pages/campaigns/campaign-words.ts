// Why a campaign is paused, and what to do.

/** The reason of a pause and the next step. */
export interface PauseWords {
  what: string;
  next: string;
}

const WORDS: Record<string, PauseWords> = {
  requested: { what: 'A person in your account paused it.', next: 'Resume it when you are ready.' },
  quota_exceeded: {
    what: 'Your plan’s messages for this month are used up.',
    next: 'Upgrade your plan or wait for the next month, then resume the campaign.',
  },
  domain_paused: {
    what: 'The sending domain is paused.',
    next: 'See the domain page for the reason. Resume the campaign when the domain is active again.',
  },
  domain_not_verified: {
    what: 'The sending domain is no longer verified.',
    next: 'Correct its DNS records, check DNS, then resume the campaign.',
  },
  template_not_found: {
    what: 'The template was deleted.',
    next: 'The template of a launched campaign cannot be changed. Cancel this campaign and create a new one.',
  },
  list_not_found: {
    what: 'The list was deleted, so the remaining recipients are unknown.',
    next: 'The audience of a launched campaign cannot be changed. Cancel this campaign and create a new one.',
  },
};

/** Text for a reason of the API; `message` is the API's own text. */
export function pauseWords(reason: string | null, message: string | null): PauseWords {
  const known = reason === null ? undefined : WORDS[reason];
  if (known) return known;
  return {
    what: message ?? `It was paused${reason === null ? '' : `: ${reason.replaceAll('_', ' ')}`}.`,
    next: 'Correct the problem, then resume the campaign.',
  };
}

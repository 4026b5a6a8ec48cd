// Why a campaign stands still, and what to do about it.

/** What happened and what helps. */
export interface PauseWords {
  what: string;
  next: string;
}

const WORDS: Record<string, PauseWords> = {
  requested: { what: 'Somebody of your account paused it.', next: 'Resume it when you are ready.' },
  quota_exceeded: {
    what: 'The messages of your plan for this month are used up.',
    next: 'It can go on when the month is over or your plan is larger. Then resume it.',
  },
  domain_paused: {
    what: 'The sending domain is paused.',
    next: 'Look at the domain for the reason. When it sends again, resume the campaign.',
  },
  domain_not_verified: {
    what: 'The sending domain is not verified any more.',
    next: 'Put its DNS records right and check them again. Then resume the campaign.',
  },
  template_not_found: {
    what: 'Its template was deleted.',
    next: 'A launched campaign cannot change its template: cancel it and make a new one.',
  },
  list_not_found: {
    what: 'Its contact list was deleted.',
    next: 'A launched campaign cannot change its audience: cancel it and make a new one.',
  },
};

/** Words for a reason of the API; `message` is what it said itself. */
export function pauseWords(reason: string | null, message: string | null): PauseWords {
  const known = reason === null ? undefined : WORDS[reason];
  if (known) return known;
  return {
    what: message ?? `It was paused${reason === null ? '' : `: ${reason.replaceAll('_', ' ')}`}.`,
    next: 'Put right what is named, then resume it.',
  };
}

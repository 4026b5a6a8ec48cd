// The service's own mail arrives whatever its tenants do: who asks for a new password gets a mail, though the domain that sends it is
// paused, braked, or has used its cap.

import type { Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';

const WITHIN_MS = 120_000; // no fault lasts as long

/** Each person who asked for a new password got mail within two minutes, while the run lasted so long. */
export function checkSystem({ asked, wire, to }: Evidence): Finding[] {
  return asked.flatMap(({ request, answer }): Finding[] => {
    if (request.via !== 'reset' || answer?.outcome !== 'taken' || to < answer.t + WITHIN_MS) return [];
    return request.recipients.flatMap((recipient): Finding[] => {
      const came = (wire.get(recipient) ?? []).some(
        ({ dot }) => dot !== null && dot.t >= request.t && dot.t <= answer.t + WITHIN_MS,
      );
      if (came) return [];
      const what = 'asked for a new password, and no mail came within two minutes';
      return [{ rule: 'system', about: recipient, what, t: answer.t }];
    });
  });
}

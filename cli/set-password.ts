// A new password for a person who cannot get the mail for it.

import { makeResetLink, RESET_SECONDS, setPasswordOf } from '../core/people/password-reset.ts';
import { service } from '../core/audit/actor.ts';
import type { Command } from './command.ts';

/** `user set-password`: at a terminal it asks for the password; otherwise the person chooses it with the link. */
export const setPassword: Command = {
  name: 'user set-password',
  help: 'at a terminal asks for a new password of a person; otherwise, and with --json, prints a link with which they choose one: it works once, for an hour',
  args: ['EMAIL'],
  options: {},
  async run({ db, config, readSecret, isInteractive }, [email = '']) {
    if (isInteractive) {
      const { email: of } = await setPasswordOf(
        { db },
        service('cli'),
        email,
        await readSecret('New password: '),
      );
      return { json: {}, text: `${of} signs in with the new password. Their sessions have ended.` };
    }
    const link = await makeResetLink({ db, config: config() }, service('cli'), email);
    const minutes = RESET_SECONDS / 60;
    return {
      json: { link },
      text: `Give this link to ${email}. It works once, for ${minutes} minutes:\n${link}`,
    };
  },
};

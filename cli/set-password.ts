// A new password for a person who cannot get the mail for it.

import { makeResetLink, RESET_SECONDS } from '../core/people/password-reset.ts';
import { service } from '../core/audit/actor.ts';
import type { Command } from './command.ts';

/** `user set-password`: the person chooses the password, not who runs the command. */
export const setPassword: Command = {
  name: 'user set-password',
  help: 'prints a link with which a person chooses a new password; it works once, for an hour',
  args: ['EMAIL'],
  options: {},
  async run({ db, config }, [email = '']) {
    const link = await makeResetLink({ db, config: config() }, service('cli'), email);
    const minutes = RESET_SECONDS / 60;
    return {
      json: { link },
      text: `Give this link to ${email}. It works once, for ${minutes} minutes:\n${link}`,
    };
  },
};

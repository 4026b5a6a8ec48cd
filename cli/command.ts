// What a command is.

import { notFound } from '../core/base/errors.ts';
import { fromId, type IdPrefix } from '../core/base/ids.ts';
import type { CliDeps } from './open.ts';

/** One option: `--name VALUE`, or `--name` alone. */
interface CommandOption {
  /** Stands for the value in the help; absent for an option that has none. */
  value?: string;
  help: string;
  required?: boolean;
}

/** What a command answers: one object for programs, some lines for people. */
export interface Answer {
  json: Record<string, unknown>;
  text: string;
}

/** What a command works with. */
type CommandDeps = CliDeps & {
  /** Reads what must not be on the command line. */
  readSecret(prompt: string): Promise<string>;
  /** Somebody sits at a terminal, and did not ask for JSON. */
  isInteractive: boolean;
};

/** One command of the CLI. */
export interface Command {
  /** For example `tenant create`. */
  name: string;
  help: string;
  /** Names of what follows without dashes. */
  args: string[];
  options: Record<string, CommandOption>;
  run(deps: CommandDeps, args: string[], options: Record<string, string | undefined>): Promise<Answer>;
}

/** The command line was wrong: exit code 2. */
export class UsageError extends Error {}

/** The items of an option that takes several, separated by commas. */
export function listOf(text = ''): string[] {
  return text.split(',').flatMap((item) => item.trim() || []);
}

/** The UUID of an id. A malformed one is reported as not found, as everywhere. */
export function uuidOf(prefix: IdPrefix, id: string | undefined, what: string): string {
  const uuid = fromId(prefix, id);
  if (uuid === null) throw notFound(`${what} "${id ?? ''}"`);
  return uuid;
}

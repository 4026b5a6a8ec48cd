// What a command is.

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

/** What a command works with. `readSecret` reads what must not be on the command line. */
type CommandDeps = CliDeps & { readSecret(prompt: string): Promise<string> };

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

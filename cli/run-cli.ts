// Reads the command line, runs the command, prints the answer or why there is none.

import { parseArgs } from 'node:util';

import { ConfigError } from '../core/base/config.ts';
import { AppError } from '../core/base/errors.ts';
import { isDatabaseAway } from '../core/db/transaction.ts';
import { UsageError, type Answer, type Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { helpText, usageLine } from './help.ts';
import { openCli, type Env } from './open.ts';
import { readSecret } from './read-secret.ts';

/** Where the CLI reads and writes. */
export interface Terminal {
  env: Env;
  out(text: string): void;
  err(text: string): void;
  /** Reads a line that is not shown; by default from standard input. */
  readSecret?(prompt: string): Promise<string>;
  /** Whether somebody types; by default whether standard input is a terminal. */
  isTerminal?: boolean;
}

/** Runs one command line. Returns the exit code: 0 done, 1 refused or failed, 2 usage. */
export async function runCli(argv: string[], terminal: Terminal): Promise<number> {
  const asJson = argv.includes('--json');
  const command = COMMANDS.find((one) => one.name === argv.slice(0, 2).join(' '));
  const wantsHelp = argv.includes('--help') || argv.includes('-h') || argv[0] === 'help';
  try {
    if (wantsHelp || argv.length === 0) {
      terminal.out(helpText(COMMANDS, command));
      return wantsHelp ? 0 : 2;
    }
    if (!command) throw new UsageError(`there is no command "${argv.slice(0, 2).join(' ')}"`);
    const answer = await run(command, argv.slice(2), terminal, asJson);
    terminal.out(asJson ? `${JSON.stringify(answer.json)}\n` : `${answer.text}\n`);
    return 0;
  } catch (error) {
    terminal.err(asJson ? `${JSON.stringify(errorObject(error))}\n` : `${errorText(error, command)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(command: Command, argv: string[], terminal: Terminal, asJson: boolean): Promise<Answer> {
  const { args, options } = readArguments(command, argv);
  const deps = await openCli(terminal.env);
  try {
    const ask = {
      readSecret: terminal.readSecret ?? readSecret,
      isInteractive: !asJson && (terminal.isTerminal ?? process.stdin.isTTY),
    };
    return await command.run({ ...deps, ...ask }, args, options);
  } finally {
    await deps.db.close();
  }
}

function readArguments(command: Command, argv: string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const parsed = parse(argv, options);
  const values: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(parsed.values).map(([name, value]) => [name, typeof value === 'string' ? value : '']),
  );
  for (const [name, option] of Object.entries(command.options))
    if (option.required && values[name] === undefined)
      throw new UsageError(`--${name} ${option.value} is missing`);
  const [missing] = command.args.slice(parsed.positionals.length);
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  const extra = parsed.positionals[command.args.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"`);
  return { args: parsed.positionals, options: values };
}

function parse(argv: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: { ...options, json: { type: 'boolean' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function errorObject(error: unknown): Record<string, unknown> {
  if (error instanceof AppError)
    return {
      error: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: error.details }),
    };
  if (error instanceof UsageError) return { error: 'usage', message: error.message };
  return { error: isDatabaseAway(error) ? 'unavailable' : 'internal_error', message: messageOf(error) };
}

function errorText(error: unknown, command: Command | undefined): string {
  if (!(error instanceof UsageError)) return messageOf(error);
  return `${error.message}\n${command ? `usage: ${usageLine(command)}` : 'npm run cli -- --help shows all commands'}`;
}

function messageOf(error: unknown): string {
  if (error instanceof AppError) {
    return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
  }
  if (error instanceof ConfigError) return error.message;
  if (isDatabaseAway(error)) return `the database does not answer: ${(error as Error).message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

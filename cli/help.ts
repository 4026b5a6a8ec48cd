// The help texts of the CLI, made from its commands.

import type { Command } from './command.ts';

/** What `--help` shows: everything, or one command. */
export function helpText(commands: Command[], about?: Command): string {
  if (about) return `${about.help}\n\n  ${usageLine(about)}\n\n${optionLines(about)}`;
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}   ${command.help}\n`);
  return (
    'Administration of Postrider. Usage: npm run cli -- <command> [options]\n\n' +
    `${lines.join('')}\nEvery command takes --json (one object on stdout) and --help.\n` +
    'Settings come from the environment (DATABASE_URL …), or else from the npm start that runs here.\n'
  );
}

/** One command as it is typed. */
export function usageLine(command: Command): string {
  const options = Object.entries(command.options).map(([name, option]) => {
    const text = optionText(name, option.value);
    return option.required ? text : `[${text}]`;
  });
  return ['npm run cli --', command.name, ...command.args, ...options].join(' ');
}

function optionLines(command: Command): string {
  const rows = Object.entries(command.options).map(([name, option]) => [
    optionText(name, option.value),
    option.help,
  ]);
  rows.push(['--json', 'one JSON object on stdout instead of text']);
  const width = Math.max(...rows.map(([left]) => left?.length ?? 0));
  return rows.map(([left = '', right]) => `  ${left.padEnd(width)}   ${right}\n`).join('');
}

function optionText(name: string, value: string | undefined): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

import { expect, test } from 'vitest';

import { readQuotedPath } from '../../../core/smtp-server/quoted-path.ts';

test.each([
  ['RCPT TO:<"john doe"@a.test>', '"john doe"', 'RCPT TO:<xxxxxxxx@a.test>'],
  ['RCPT TO:<"john"@a.test> NOTIFY=NEVER', 'john', 'RCPT TO:<xxxx@a.test> NOTIFY=NEVER'],
  ['rcpt to: <"a@b"@c.test>', '"a@b"', 'rcpt to: <xxx@c.test>'],
  ['MAIL FROM:<"a>b"@c.test> SIZE=3', '"a>b"', 'MAIL FROM:<xxx@c.test> SIZE=3'],
  ['RCPT TO:<"j\\ohn.x"@a.test>', 'john.x', 'RCPT TO:<xxxxxxx@a.test>'],
  ['RCPT TO:<"a\\"\\\\b"@a.test>', '"a\\"\\\\b"', 'RCPT TO:<xxxxxx@a.test>'],
  ['RCPT TO:<"a..b"@a.test>', '"a..b"', 'RCPT TO:<xxxx@a.test>'],
  ['RCPT TO:<""@a.test>', '""', 'RCPT TO:<x@a.test>'],
  ['RCPT TO:<"jürgen"@a.test>', 'jürgen', 'RCPT TO:<xxxxxx@a.test>'],
  ['RCPT TO:<@relay.test:"john"@a.test>', 'john', 'RCPT TO:<@relay.test:xxxx@a.test>'],
])('%s is for %s', (command, local, plain) => {
  expect(readQuotedPath(command)).toEqual({ command: plain, local });
});

test.each([
  'RCPT TO:<john@a.test>',
  'RCPT TO:<"john@a.test>',
  'RCPT TO:<"john"x@a.test>',
  'RCPT TO:<"a\nb"@a.test>',
  'RCPT TO:<"a\\\u00e9"@a.test>',
  'RCPT TO:<"a\u200bb"@a.test>',
  'RCPT TO:<"a"@b@c.test>',
  'RCPT TO:<"a">',
])('%j is left to the library', (command) => {
  expect(readQuotedPath(command)).toBeNull();
});

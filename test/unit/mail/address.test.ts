import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeEmail, parseAddress, parseMailbox } from '../../../core/mail/address.ts';
import { anyText } from '../../harness/any-text.ts';

const ACCEPTED: [text: string, email: string, smtputf8?: true][] = [
  ['ann@example.com', 'ann@example.com'],
  ['Ann.Lee+tag@EXAMPLE.Com', 'Ann.Lee+tag@example.com'],
  ["o'brien@example.co.uk", "o'brien@example.co.uk"],
  ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
  ['1@1a.example', '1@1a.example'],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
  ['ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
  ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
  ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
  ['ann@straße.example', 'ann@xn--strae-oqa.example'],
  ['ann@例え.jp', 'ann@xn--r8jz45g.jp'],
  ['jürgen@example.com', 'jürgen@example.com', true],
  ['ju\u0308rgen@example.com', 'jürgen@example.com', true],
  ['用户@例え.jp', '用户@xn--r8jz45g.jp', true],
  ['ann@3com.com', 'ann@3com.com'],
  ['ann@a-b.c-d.example', 'ann@a-b.c-d.example'],
];

const REFUSED: [why: string, text: string][] = [
  ['nothing', ''],
  ['no @', 'ann.example.com'],
  ['only @', '@'],
  ['no local part', '@example.com'],
  ['no domain', 'ann@'],
  ['two @', 'ann@bob@example.com'],
  ['quoted @', '"ann@bob"@example.com'],
  ['quoted local part', '"ann lee"@example.com'],
  ['leading dot', '.ann@example.com'],
  ['trailing dot', 'ann.@example.com'],
  ['two dots', 'ann..lee@example.com'],
  ['space inside', 'ann lee@example.com'],
  ['space before', ' ann@example.com'],
  ['space after', 'ann@example.com '],
  ['space before @', 'ann @example.com'],
  ['folding', 'ann@\r\n example.com'],
  ['CRLF injection', 'ann@example.com\r\nBcc: bob@example.com'],
  ['LF at the end', 'ann@example.com\n'],
  ['CR inside', 'an\rn@example.com'],
  ['NUL', 'ann\0@example.com'],
  ['tab', 'ann\t@example.com'],
  ['DEL', 'ann\x7f@example.com'],
  ['comment', 'ann(work)@example.com'],
  ['comment in the domain', 'ann@example.com(work)'],
  ['angle brackets', '<ann@example.com>'],
  ['route', '@relay.example:ann@example.com'],
  ['percent hack is legal, its @ twin is not', 'ann%bob@x@example.com'],
  ['group', 'friends:ann@example.com;'],
  ['list', 'ann@example.com,bob@example.com'],
  ['semicolon list', 'ann@example.com;bob@example.com'],
  ['trailing text', 'ann@example.com bob'],
  ['backslash', 'ann\\@example.com'],
  ['address literal', 'ann@[192.0.2.1]'],
  ['IPv6 literal', 'ann@[IPv6:2001:db8::1]'],
  ['IPv4', 'ann@192.0.2.1'],
  ['hexadecimal IPv4', 'ann@0x7f.1'],
  ['hexadecimal last label', 'ann@example.0x1'],
  ['numeric last label', 'ann@example.123'],
  ['one label', 'ann@localhost'],
  ['domain with leading dot', 'ann@.example.com'],
  ['domain with trailing dot', 'ann@example.com.'],
  ['domain with two dots', 'ann@example..com'],
  ['label starts with hyphen', 'ann@-example.com'],
  ['label ends with hyphen', 'ann@example-.com'],
  ['underscore in domain', 'ann@ex_ample.com'],
  ['percent escape in domain', 'ann@ex%61mple.com'],
  ['slash in domain', 'ann@example.com/x'],
  ['colon in domain', 'ann@example.com:25'],
  ['65 octets before @', `${'a'.repeat(65)}@example.com`],
  ['65 octets in 33 characters', `${'é'.repeat(33)}@example.com`],
  ['64-octet label', `ann@${'a'.repeat(64)}.example`],
  ['255 octets', `${'a'.repeat(64)}@${`${'b'.repeat(62)}.`.repeat(3)}c.example`],
  ['a megabyte', `${'a'.repeat(1_000_000)}@example.com`],
  ['full-width @', 'ann\uff20example.com'],
  ['full-width @ beside a real one', 'ann\uff20evil.example@example.com'],
  ['small @', 'ann\ufe6bexample.com'],
  ['ideographic full stop', 'ann@example\u3002com'],
  ['full-width full stop', 'ann@example\uff0ecom'],
  ['half-width full stop', 'ann@example\uff61com'],
  ['one dot leader', 'ann@example\u2024com'],
  ['full-width letters', 'ann@\uff45xample.com'],
  ['full-width local part', '\uff41nn@example.com'],
  ['ligature', 'o\ufb03ce@example.com'],
  ['soft hyphen', 'ann@exam\u00adple.com'],
  ['zero width space', 'ann\u200b@example.com'],
  ['zero width joiner in domain', 'ann@exa\u200dmple.com'],
  ['bidi override', 'ann\u202e@example.com'],
  ['bidi isolate', '\u2066ann@example.com'],
  ['right-to-left mark', 'ann\u200f@example.com'],
  ['byte order mark', '\ufeffann@example.com'],
  ['line separator', 'ann\u2028@example.com'],
  ['C1 control', 'ann\u0085@example.com'],
  ['no-break space', 'ann\u00a0lee@example.com'],
  ['ideographic space', 'ann\u3000lee@example.com'],
  ['lone surrogate', 'ann\ud800@example.com'],
  ['private use', 'ann\ue000@example.com'],
  ['undecodable punycode', 'ann@xn--zzzzzz99999.com'],
  ['empty punycode', 'ann@xn--.com'],
];

describe('parseAddress', () => {
  test.each(ACCEPTED)('reads %j', (text, email, smtputf8) => {
    const [local = '', domain = ''] = email.split('@');
    expect(parseAddress(text)).toEqual({
      ok: true,
      address: { local, domain, email, smtputf8: smtputf8 ?? false },
    });
  });

  test.each(REFUSED)('refuses: %s', (_why, text) => {
    const result = parseAddress(text);
    expect(result).toMatchObject({ ok: false });
    if (!result.ok) expect(result.reason).toMatch(/^[\x20-\x7e]{10,90}$/);
  });

  test('what it accepts it reads again, the same', () => {
    const local = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}(\.[a-z0-9]{1,9})?$/);
    // Behind xn-- not everything is a name (RFC 5891 section 5.4).
    const domain = fc
      .stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?\.[a-z]{2,9}$/)
      .filter((host) => !host.startsWith('xn--'));
    fc.assert(
      fc.property(local, domain, (user, host) => {
        const email = `${user}@${host}`;
        expect(parseAddress(email)).toMatchObject({ ok: true, address: { email } });
      }),
    );
  });

  test('no text with a second @, white space or a control gets through, whatever surrounds it', () => {
    const bad = fc.constantFrom(
      '@',
      ' ',
      '\t',
      '\r',
      '\n',
      '\0',
      '\u00a0',
      '\u2028',
      ',',
      ';',
      ':',
      '<',
      '>',
      '(',
      ')',
      '"',
      '\\',
      '[',
      ']',
    );
    fc.assert(
      fc.property(bad, fc.nat(15), (char, at) => {
        const text = 'ann@example.com';
        expect(parseAddress(text.slice(0, at) + char + text.slice(at)).ok).toBe(false);
      }),
    );
  });

  test('any text at all gets an answer and no exception', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 60 }), (text) => {
        const result = parseMailbox(text);
        if (result.ok) expect(result.address.email).toMatch(/^[^\s@<>]+@[a-z0-9.-]+$/);
      }),
    );
  });
});

describe('parseMailbox', () => {
  test.each([
    ['ann@example.com', undefined],
    ['  ann@example.com  ', undefined],
    ['<ann@example.com>', undefined],
    ['"" <ann@example.com>', undefined],
    ['Ann <ann@example.com>', 'Ann'],
    ['Ann<ann@example.com>', 'Ann'],
    ['Ann Q. Lee <ann@example.com>', 'Ann Q. Lee'],
    ["Ann O'Lee <ann@example.com>", "Ann O'Lee"],
    ['"Lee, Ann" <ann@example.com>', 'Lee, Ann'],
    ['"Ann \\"Q\\" \\\\ Lee" <ann@example.com>', 'Ann "Q" \\ Lee'],
    ['"a <b@c.example>" <ann@example.com>', 'a <b@c.example>'],
    ['Ännchen Müller <ann@example.com>', 'Ännchen Müller'],
    ['山田 太郎 <ann@example.com>', '山田 太郎'],
    ['=?UTF-8?Q?=C3=84nn_Lee?= <ann@example.com>', 'Änn Lee'],
    ['=?utf-8?B?w4Ru?= =?utf-8?B?bg==?= <ann@example.com>', 'Änn'],
    ['=?ISO-8859-1?Q?Andr=E9?= Lee <ann@example.com>', 'André Lee'],
    ['🚀 Rockets <ann@example.com>', '🚀 Rockets'],
  ])('reads %j', (text, display) => {
    const result = parseMailbox(text);
    expect(result).toMatchObject({ ok: true, address: { email: 'ann@example.com' } });
    if (result.ok) expect(result.address.display).toBe(display);
  });

  test.each([
    ['unquoted comma', 'Lee, Ann <ann@example.com>'],
    ['list', 'Ann <ann@example.com>, Bob <bob@example.com>'],
    ['two addresses', '<ann@example.com> <bob@example.com>'],
    ['group', 'Friends: Ann <ann@example.com>;'],
    ['comment', 'Ann (work) <ann@example.com>'],
    ['comment after', 'Ann <ann@example.com> (work)'],
    ['text after', 'Ann <ann@example.com> Bob'],
    ['unclosed', 'Ann <ann@example.com'],
    ['unopened', 'Ann ann@example.com>'],
    ['empty brackets', 'Ann <>'],
    ['route', 'Ann <@relay.example:ann@example.com>'],
    ['address as unquoted name', 'bob@example.net <ann@example.com>'],
    ['nested brackets', 'Ann <<ann@example.com>>'],
    ['space in brackets', 'Ann < ann@example.com >'],
    ['open quote', '"Ann <ann@example.com>'],
    ['text beside the quote', '"Ann" Lee <ann@example.com>'],
    ['CRLF', 'Ann\r\nBcc: x@y.example <ann@example.com>'],
    ['NUL in quotes', '"An\0n" <ann@example.com>'],
    ['bidi override in the name', 'Ann \u202egro.elpmaxe@knab <ann@example.com>'],
    ['CRLF inside an encoded word', '=?UTF-8?Q?Ann=0D=0ABcc:_x?= <ann@example.com>'],
    ['broken base64', '=?UTF-8?B?*?= <ann@example.com>'],
    ['broken UTF-8', '=?UTF-8?Q?=FF=FE?= <ann@example.com>'],
    ['broken escape', '=?UTF-8?Q?=4?= <ann@example.com>'],
    ['unknown charset', '=?x-evil?Q?Ann?= <ann@example.com>'],
    ['encoded word glued to text', 'a=?UTF-8?Q?Ann?= <ann@example.com>'],
    ['a name of 257 characters', `${'a'.repeat(257)} <ann@example.com>`],
    ['a megabyte of quotes', `${'"'.repeat(1_000_000)}<ann@example.com>`],
  ])('refuses: %s', (_why, text) => {
    expect(parseMailbox(text)).toMatchObject({ ok: false });
  });
});

describe('normalizeEmail', () => {
  test('ignores letter case in the whole address', () => {
    expect(normalizeEmail('Ann.LEE@Example.COM')).toBe('ann.lee@example.com');
    expect(normalizeEmail('JÜRGEN@BÜCHER.example')).toBe('jürgen@xn--bcher-kva.example');
  });

  test('gives the same key for text and for what was parsed from it', () => {
    for (const [text] of ACCEPTED) {
      const parsed = parseAddress(text);
      if (parsed.ok) expect(normalizeEmail(parsed.address)).toBe(normalizeEmail(text));
    }
  });

  test('is its own fixed point, also for text that is no address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const once = normalizeEmail(text);
        expect(normalizeEmail(once)).toBe(once);
      }),
    );
  });
});

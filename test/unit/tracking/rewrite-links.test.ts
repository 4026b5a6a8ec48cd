// Links in the HTML of a message: which are replaced, which stay, and that nothing else changes.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { rewriteLinks } from '../../../core/tracking/rewrite-links.ts';
import { threadMs } from '../../harness/thread-time.ts';

const seen = (html: string) => {
  const targets: string[] = [];
  const out = rewriteLinks(html, (target) => {
    targets.push(target);
    return 'T';
  });
  return { targets, out };
};

test.each([
  ['<a href="https://a.example/x">x</a>', 'https://a.example/x', '<a href="T">x</a>'],
  ["<A class=b HREF='http://a.example' id=c>x</A>", 'http://a.example', '<A class=b href="T" id=c>x</A>'],
  ['<a href=https://a.example/?a=1>x</a>', 'https://a.example/?a=1', '<a href="T">x</a>'],
  ['<a href="https://a.example/?a=1&amp;b=2">', 'https://a.example/?a=1&b=2', '<a href="T">'],
  ['<a href="https://a.example/?a=1&copy=2">', 'https://a.example/?a=1&copy=2', '<a href="T">'],
  ['<a href="https://a.example/&#x41;&#66;">', 'https://a.example/AB', '<a href="T">'],
  ['<a href="https://a.example/&eacute;">', 'https://a.example/%C3%A9', '<a href="T">'],
  ['<a href="https:&sol;&sol;a.example&sol;x">', 'https://a.example/x', '<a href="T">'],
  ['<a href="\n https://a.example/ä ">', 'https://a.example/%C3%A4', '<a href="T">'],
  ['<area shape=rect href="https://a.example/m">', 'https://a.example/m', '<area shape=rect href="T">'],
  ['<a title="a > b" href="https://a.example/">', 'https://a.example/', '<a title="a > b" href="T">'],
  ['<!-- x --><a href="https://a.example/">', 'https://a.example/', '<!-- x --><a href="T">'],
  ['<p>1 < 2</p><a href="https://a.example/">', 'https://a.example/', '<p>1 < 2</p><a href="T">'],
])('%s leads over us', (html, target, out) => {
  expect(seen(html)).toEqual({ targets: [target], out });
});

test.each([
  '<a href="mailto:a@b.example">',
  '<a href="#top">',
  '<a href="/relative">',
  '<a href="javascript:alert(1)">',
  '<a href="java\nscript:alert(1)">',
  '<a href=" JAVASCRIPT:alert(1)">',
  '<a href="data:text/html,x">',
  '<a href="https://">',
  `<a href="https://a.example/${'x'.repeat(2_000)}">`,
  '<a data-no-track href="https://a.example/">',
  '<a name="x">',
  '<link href="https://a.example/x.css">',
  '<img src="https://a.example/x.png">',
  '<!-- <a href="https://a.example/"> -->',
  '<!--[if mso]><a href="https://a.example/"><![endif]-->',
  '<textarea><a href="https://a.example/"></textarea>',
  '<p title="<a href=https://a.example/>">',
  '<style>a::before { content: \'<a href="https://a.example/">\' }</style>',
  '<script>document.write("<a href=\'https://a.example/\'>")</script>',
  '<a href="https://a.example/',
  '<a href',
  '<',
  '',
])('%s stays as it is', (html) => {
  expect(seen(html)).toEqual({ targets: [], out: html });
});

test('of two href the first counts', () => {
  expect(seen('<a href="mailto:x@y.example" href="https://a.example/">').targets).toEqual([]);
});

test('links beyond any newsletter stay as they are', () => {
  const { targets, out } = seen('<a href="https://a.example/">x</a>'.repeat(2_500));
  expect(targets).toHaveLength(2_000);
  expect(out.match(/href="https/g)).toHaveLength(500);
});

test('whatever the HTML, with targets left as they are nothing is lost', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '=',
    ' ',
    'a',
    'href',
    '<a ',
    '<!--',
    '-->',
    '<style>',
    '/',
    '&',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const html = pieces.join('');
      expect(rewriteLinks(html, () => 'T')).toBe(html);
    }),
  );
});

test('a megabyte of anything takes little processor time', () => {
  const size = 1024 * 1024;
  const hostile = [
    '<',
    '<a ',
    '<a href="',
    "<a href='x ",
    '<a href=',
    ' ',
    '<!--',
    '<style',
    '</',
    '<a a',
    '<a "',
    '&',
  ];
  for (const piece of [...hostile, '<a href="https://a.example/">x</a>', '<a\t\t\t\t', '<a href =\n']) {
    const html = `<a ${piece.repeat(Math.ceil(size / piece.length))}`;
    // 30 ms and less were measured; quadratic ones take minutes.
    expect(
      threadMs(() => rewriteLinks(html, () => 'T')),
      piece,
    ).toBeLessThan(3_000);
  }
});

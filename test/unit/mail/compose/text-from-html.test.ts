// The text beside HTML keeps its structure: rows, cells, items, what images say; and nothing that is hidden.

import { expect, test } from 'vitest';

import { textFromHtml } from '../../../../core/mail/compose/text-from-html.ts';
import { threadMs } from '../../../harness/thread-time.ts';

const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;

test.each([
  [`<table>${row('Widget', '2', '10.00')}</table>`, 'Widget 2 10.00'],
  [`<table>${row('Widget', '2')}${row('Tea', '3')}</table>`, 'Widget 2\nTea 3'],
  [`<table><thead><tr><th>Item</th><th>Qty</th></tr></thead>${row('Tea', '3')}</table>`, 'Item Qty\nTea 3'],
  [`<table>${row(`<table>${row('a', 'b')}</table>`, 'c')}</table>`, 'a b\n\nc'],
  [`<table>${row('x<br>y', 'z')}</table>`, 'x\ny z'],
  [`<table><caption>Prices</caption>${row('Tea', '3')}</table>`, 'Prices\nTea 3'],
  ['<table><tr><td style="display:block">A</td><td style="display:block">B</td></tr></table>', 'A B'],
])('rows have lines, cells are apart: %s', (html, text) => {
  expect(textFromHtml(html)).toBe(text);
});

test.each([
  ['<ul><li>One<li>Two</ul>', ' * One\n * Two'],
  ['<ol start=3><li>Three<li>Four</ol>', ' 3. Three\n 4. Four'],
  ['<menu><li>One</li><li>Two</li></menu>', ' * One\n * Two'],
  ['<li>One</li><li>Two</li>', 'One\nTwo'],
  ['<dl><dt>When<dd>Monday</dl>', 'When\nMonday'],
  ['<select><option>A<option>B</select>', 'A\nB'],
])('items have lines: %s', (html, text) => {
  expect(textFromHtml(html)).toBe(text);
});

test.each([
  ['<a href="https://x.example"><img src=s alt="Summer sale"></a>', 'Summer sale [https://x.example]'],
  ['<a href="https://x.example"><img src=s alt=Summer> sale</a>', 'Summer sale [https://x.example]'],
  ['<a href="https://x.example"><img src=y></a>', 'https://x.example'],
  ['<p>Hello</p><img src=x alt="">', 'Hello'],
  ['<img src="cid:logo" alt="The Shop"><p>Hello</p>', 'The Shop\n\nHello'],
  ['<figure><img src=x alt="A cat"><figcaption>Tom, 2026</figcaption></figure>', 'A cat\nTom, 2026'],
])('images are what they say: %s', (html, text) => {
  expect(textFromHtml(html)).toBe(text);
});

test.each([
  'display:none',
  'DISPLAY : NONE !important',
  'color:red; display:none',
  'visibility:hidden',
  'opacity:0',
  'opacity: 0.0; color:red',
  'max-height:0px;overflow:hidden',
  'font-size:1px;line-height:1px;max-height:0;max-width:0',
])('what is hidden is left out: %s', (style) => {
  expect(textFromHtml(`<div style="${style}">Preview <b>words</b></div><p>Hello</p>`)).toBe('Hello');
  expect(textFromHtml(`<table><tr style="${style}"><td>Preview</td></tr></table>Hello`)).toBe('Hello');
});

test.each([
  'display:block',
  'display:inline-block;visibility:visible',
  'opacity:0.9',
  'opacity:1.0',
  'max-height:0.5em',
  'mso-hide:all',
  'font-size:0',
  'x-display:none-at-all',
])('what is not hidden stays: %s', (style) => {
  expect(textFromHtml(`<div style="${style}">Words</div><p>Hello</p>`)).toBe('Words\n\nHello');
});

test('what is no text is left out', () => {
  const html =
    '<head><title>T</title><style>p{}</style></head><script>s()</script><div hidden>h</div>' +
    '<template>t</template><noscript>n</noscript><p>Hello</p>';
  expect(textFromHtml(html)).toBe('Hello');
});

test('images within the html do not count as its length', () => {
  const image = `data:image/png;base64,${'A'.repeat(1_000_000)}`;
  expect(textFromHtml(`<img src="${image}" alt="Logo"><p>Hello</p>`)).toBe('Logo\n\nHello');
  expect(textFromHtml(`<p style='background:url(${image})'>Hello</p>`)).toBe('Hello');
});

test('styles that are made to hurt take no longer than others', () => {
  const styles = [
    'opacity:'.repeat(15_000),
    `opacity:${'0'.repeat(100_000)}x`,
    `display${' '.repeat(100_000)}`,
  ];
  for (const style of styles)
    expect(threadMs(() => textFromHtml(`<b style="${style}">x</b>`))).toBeLessThan(500);
  expect(threadMs(() => textFromHtml('data:image/'.repeat(100_000)))).toBeLessThan(500);
});

// Foreign HTML in the dashboard: styles show, nothing in it runs, loads or reaches out, until somebody wants pictures.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { complaintsOf, noBrowser, openBrowserWorld, type BrowserWorld } from '../harness/browser.ts';
import { skips } from '../harness/needs.ts';
import { waitUntil } from '../harness/wait.ts';

describe.skipIf(skips(noBrowser))('mail frame', () => {
  let world: BrowserWorld;
  let pictures: Server;
  let asked: string[];
  let complaints: string[];
  beforeAll(async () => {
    world = await openBrowserWorld();
    asked = [];
    pictures = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await world.close();
    pictures.close();
  });

  const mail = (name: string) => {
    const url = `http://localhost:${(pictures.address() as AddressInfo).port}/${name}`;
    return `<html><head><style>@import url("${url}.css"); @font-face { font-family: F; src: url(${url}.woff) }
        h1 { color: rgb(1, 2, 3); font-family: F; background: url("${url}.title") }</style><meta http-equiv="refresh" content="0;url=${url}.refresh"></head>
      <body style="background-color: rgb(9, 9, 9)"><h1>Sale</h1><p style="color: rgb(4, 5, 6)">Hello</p>
      <script>parent.postMessage('ran', '*'); document.title = 'ran'</script>
      <img src="${url}.png" onerror="document.title = 'ran'"><a href="https://shop.test/?on=1&online=2" title='on x="1"' ONCLICK="document.title = 'ran'">shop on sale</a>
      <iframe src="${url}.frame"></iframe><video src="${url}.mp4" poster="${url}.poster"></video>
      <table background="${url}.table"><tr><td onclick="document.title = 'ran'" style="background: url('${url}.cell')">x</table>
      <svg><image href="${url}.svg" /></svg><img src="cid:part"><img srcset="${url}.2x 2x">
      <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" style="background: URL( data:image/gif;base64,R0lGODlhAQABAAAAACw= )"><form action="${url}.form"><input name="x"></form></body></html>`;
  };

  // As src/ui/mail-frame.tsx does it.
  async function show(path: string, html: string): Promise<Frame> {
    const page = await world.openPage();
    complaints = complaintsOf(page);
    await page.goto('/sign-in');
    const mount = `(html) => {
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';
      frame.src = ${JSON.stringify(path)};
      frame.addEventListener('load', () => frame.contentWindow.postMessage({ html }, '*'));
      document.body.append(frame);
    }`;
    await page.evaluate(`(${mount})(${JSON.stringify(html)})`);
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame!.getByRole('heading', { name: 'Sale' }).waitFor();
    return frame!;
  }
  const style = (selector: string, property: string) =>
    `getComputedStyle(document.querySelector('${selector}'))['${property}']`;

  test('closed: styles of the mail, and nothing else of it', async () => {
    const frame = await show('/mail-frame', mail('closed'));
    expect(await frame.evaluate(style('h1', 'color'))).toBe('rgb(1, 2, 3)');
    expect(await frame.evaluate(style('p', 'color'))).toBe('rgb(4, 5, 6)');
    expect(await frame.evaluate(style('body', 'backgroundColor'))).toBe('rgb(9, 9, 9)');
    expect(
      await frame.evaluate('document.querySelectorAll("script[src], iframe, meta[http-equiv]").length'),
    ).toBe(0);
    expect(await frame.evaluate('document.querySelector("a").target')).toBe('_blank');
    expect(await frame.evaluate('document.querySelector("a").search')).toBe('?on=1&online=2');
    expect(await frame.evaluate('document.querySelector("a").title')).toBe('on x="1"');
    expect(await frame.title()).toBe('Mail');
    expect(await frame.evaluate('origin')).toBe('null');
    expect(await frame.evaluate('document.querySelector("img[src]").src')).toMatch(/^data:/);
    expect(asked).toEqual([]);
    expect(complaints).toEqual([]); // nothing is left that the policy would have to refuse
  });

  test('with pictures: they are fetched, and still nothing runs', async () => {
    const frame = await show('/mail-frame/pictures', mail('open'));
    const wanted = ['png', 'title', 'table', 'cell', 'svg', '2x'].map((part) => `/open.${part}`).toSorted();
    await waitUntil(() => wanted.every((one) => asked.includes(one)));
    expect(await frame.title()).toBe('Mail');
    expect(asked.toSorted()).toEqual(wanted);
    expect(complaints).toEqual([]);
  });
});

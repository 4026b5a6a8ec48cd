// A newsletter of about 20 kB of HTML, as mail editors make them: nested tables, every style inline, and in every block words,
// links and numbers of its own, so that compression has no more to repeat than in a real one.

import { seeded } from '../local/simulate/behaviour.ts';

const WORDS =
  `about above after again against almost already always another around autumn balance basket because before behind
below beside better between bottle bread breakfast bright bring butter candle careful carry centre change choose circle clean
clear coffee colour common cotton country cover create custom daily danger deliver design detail dinner double during early
either empty enough evening every family farmer fashion fewer figure finish flavour flower follow forest fresh friend garden
gentle glass golden green handle happy harbour harvest heavy honest house hundred image indoor island jacket journey kettle
kitchen ladder lasting leather length letter light linen little local lovely market matter measure middle minute mirror moment
morning mountain nature nearly needle never north notice ocean office olive open orange order original outdoor packet paper
pattern people pepper perfect picture place plain planet pocket polish present pretty price promise quality quarter quick quiet
rather ready reason recipe record remember return ribbon river room rough round season second select shade shape sheet short
silver simple single smooth social solid spring square station steady stone story straight strong studio subtle sugar summer
supply surface sweet table taste tender thick thousand timber together touch towel travel under until useful valley velvet
village warm water weather wedding weekend welcome while window winter wonder wooden woollen workshop yellow yesterday young`
    .split(/\s+/)
    .filter((word) => word !== '');

const BLOCKS = 9;

/** The HTML of the n-th newsletter: the same for the same number. */
export function makeLongHtml(n: number): string {
  const random = seeded(n + 1);
  const words = (count: number) =>
    Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
  const token = () => Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32).toString(36)).join('');
  const blocks = Array.from({ length: BLOCKS }, (_, at) => block(at, words, token, random));
  return `<!doctype html>
<html lang="en" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="x-apple-disable-message-reformatting"><title>${words(6)}</title>
<style>
body { margin: 0; padding: 0; width: 100% !important; -webkit-text-size-adjust: 100%; background-color: #f4f1ec }
img { border: 0; line-height: 100%; outline: none; text-decoration: none; -ms-interpolation-mode: bicubic }
table, td { border-collapse: collapse; mso-table-lspace: 0pt; mso-table-rspace: 0pt }
@media only screen and (max-width: 480px) { .column { width: 100% !important; max-width: 100% } .hide { display: none !important } }
@media (prefers-color-scheme: dark) { .paper { background-color: #1d1b18 !important } .ink { color: #efe9df !important } }
</style>
</head>
<body>
<div style="display:none;max-height:0;overflow:hidden">${words(18)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="paper"><tr><td align="center">
${blocks.join('\n')}
<p style="margin:0;padding:24px;font-family:Arial,sans-serif;font-size:12px;line-height:18px;color:#777777">${words(40)}.
<a href="https://news.shop.example/leave?u=${token()}" style="color:#777777">Unsubscribe</a></p>
</td></tr></table>
</body></html>`;
}

function block(
  at: number,
  words: (count: number) => string,
  token: () => string,
  random: () => number,
): string {
  const image = `https://cdn.shop.example/images/2026/11/${words(2).replace(' ', '-')}-${Math.floor(random() * 1e6)}@2x.jpg`;
  const link = `https://click.shop.example/c/${token()}?utm_source=newsletter&amp;utm_content=block-${at}`;
  const price = `${Math.floor(random() * 200)}.${Math.floor(random() * 90) + 10}`;
  return `<table role="presentation" class="column" width="600" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;background-color:#ffffff">
<tr><td style="padding:${16 + (at % 3) * 4}px 32px 8px 32px"><a href="${link}"><img src="${image}" width="536" height="${240 + Math.floor(random() * 120)}" alt="${words(4)}" style="display:block;width:100%;max-width:536px;height:auto"></a></td></tr>
<tr><td class="ink" style="padding:8px 32px;font-family:Georgia,'Times New Roman',serif;font-size:24px;line-height:30px;color:#2b2620"><b>${words(5)}</b></td></tr>
<tr><td class="ink" style="padding:4px 32px 12px 32px;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:23px;color:#4a443c">${words(48)}. ${words(30)}.</td></tr>
<tr><td style="padding:4px 32px 28px 32px"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" bgcolor="#8a5a2b" style="border-radius:4px"><a href="${link}" style="display:inline-block;padding:12px 22px;font-family:Arial,Helvetica,sans-serif;font-size:15px;font-weight:bold;color:#ffffff;text-decoration:none">${words(3)}</a></td><td style="padding-left:16px;font-family:Arial,Helvetica,sans-serif;font-size:15px;color:#8a5a2b">${price} EUR</td></tr></table></td></tr>
</table>`;
}

// The days of a simulation as an SVG plot and a table.

import type { SimulatedDay } from './simulate.ts';

const WIDTH = 960;
const HEIGHT = 420;
const LEFT = 70;
const BOTTOM = 50;
const TOP = 50;
const PANEL = { top: HEIGHT + 24, height: 100, below: 34 }; // what providers took, below the plot
const COLOURS = ['#2e86c1', '#27ae60', '#8e44ad', '#d35400', '#16a085', '#7f8c8d'];
const LIMITED = '#f1c40f';

/**
 * An SVG: caps as steps, sent as bars, waiting as a line, tiers below, a mark where something happened; and below that what
 * part of a day's mail each provider took, and what waited for one at its end.
 */
export function toSvg(days: SimulatedDay[], title: string): string {
  const most = Math.max(1, ...days.map((day) => Math.max(day.cap, day.sent, day.waiting)));
  const step = (WIDTH - LEFT - 20) / Math.max(days.length, 1);
  const x = (i: number) => LEFT + i * step;
  const floor = HEIGHT - BOTTOM;
  const y = (value: number) => floor - ((floor - TOP) * Math.log10(1 + value)) / Math.log10(1 + most);
  const bars = days.map((day, i) => {
    const top = y(day.sent);
    const colour = day.state === 'paused' ? '#c0392b' : day.brake === 'off' ? '#2e86c1' : '#f39c12';
    const what = `${day.date}: tier ${day.tier}, cap ${day.cap}, sent ${day.sent}, waiting ${day.waiting}`;
    return `<rect x="${n(x(i) + step * 0.15)}" y="${n(top)}" width="${n(step * 0.7)}" height="${n(floor - top)}" fill="${colour}"><title>${escape(`${what}${day.note === '' ? '' : ` (${day.note})`}`)}</title></rect>`;
  });
  const caps = days.map((day, i) => `${n(x(i))},${n(y(day.cap))} ${n(x(i + 1))},${n(y(day.cap))}`).join(' ');
  const waiting = days.map((day, i) => `${n(x(i + 0.5))},${n(y(day.waiting))}`).join(' ');
  const marks = days.flatMap((day, i) =>
    day.note === ''
      ? []
      : [
          `<circle cx="${n(x(i + 0.5))}" cy="${TOP - 8}" r="3" fill="#8e44ad"><title>${escape(day.note)}</title></circle>`,
        ],
  );
  const tiers = days.map(
    (day, i) =>
      `<text x="${n(x(i + 0.5))}" y="${floor + 14}" text-anchor="middle" font-size="9">${day.tier}</text>`,
  );
  const lines = [50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000]
    .filter((value) => value <= most)
    .map(
      (value) =>
        `<line x1="${LEFT}" x2="${WIDTH - 20}" y1="${n(y(value))}" y2="${n(y(value))}" stroke="#ddd"/><text x="${LEFT - 6}" y="${n(y(value) + 3)}" text-anchor="end" font-size="10">${value}</text>`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${PANEL.top + PANEL.height + PANEL.below}" font-family="sans-serif">
<rect width="${WIDTH}" height="${PANEL.top + PANEL.height + PANEL.below}" fill="white"/>
<text x="${LEFT}" y="20" font-size="14">${escape(title)}</text>
<text x="${LEFT}" y="${HEIGHT - 12}" font-size="11">bars: sent (red: paused, yellow: braked) · black: cap · orange: waiting · dots: what happened · numbers: tier · logarithmic</text>
${lines.join('\n')}
${bars.join('\n')}
<polyline points="${caps}" fill="none" stroke="black"/>
<polyline points="${waiting}" fill="none" stroke="#e67e22"/>
${marks.join('\n')}
${tiers.join('\n')}
${providerPanel(days, x, step)}
</svg>
`;
}

// A column a day: the parts of what providers took, and of what waits for one that takes no more.
function providerPanel(days: SimulatedDay[], x: (i: number) => number, step: number): string {
  const names = Object.keys(days[0]?.providers ?? {});
  const columns = days.flatMap((day, i) => {
    const parts = names.flatMap((name, place) => {
      const { taken, waiting } = day.providers[name]!;
      const colour = COLOURS[place % COLOURS.length]!;
      return [
        { name, colour, count: taken, what: `${name} took ${taken}` },
        { name, colour: LIMITED, count: waiting, what: `${waiting} wait for ${name}` },
      ];
    });
    const all = parts.reduce((sum, { count }) => sum + count, 0);
    let top = PANEL.top;
    return parts
      .filter(({ count }) => count > 0)
      .map(({ colour, count, what }) => {
        const height = (PANEL.height * count) / all;
        top += height;
        return `<rect x="${n(x(i) + step * 0.15)}" y="${n(top - height)}" width="${n(step * 0.7)}" height="${n(height)}" fill="${colour}"><title>${escape(`${day.date}: ${what}`)}</title></rect>`;
      });
  });
  const legend = [
    ...names.map((name, place) => [name, COLOURS[place % COLOURS.length]!]),
    ['waits: the provider takes no more (provider_limit)', LIMITED],
  ].map(
    ([what, colour], i) =>
      `<rect x="${LEFT + i * 150}" y="${PANEL.top + PANEL.height + 12}" width="10" height="10" fill="${colour!}"/><text x="${LEFT + i * 150 + 15}" y="${PANEL.top + PANEL.height + 21}" font-size="11">${escape(what!)}</text>`,
  );
  const head = `<text x="${LEFT}" y="${PANEL.top - 6}" font-size="11">what each provider took of the day's mail</text>`;
  return [head, ...columns, ...legend].join('\n');
}

/** A table in Markdown, a line a day. */
export function toTable(days: SimulatedDay[]): string {
  return [HEAD, ...days.map(toLine)].join('\n') + '\n';
}

/** The head of the table. */
export const HEAD = `| day | date | tier | cap | state | wanted | sent | deferred | waiting | refused | bounced | complained | |
|--:|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|---|`;

/** One line of the table. */
export function toLine(day: SimulatedDay): string {
  const { date, tier, cap, state, wanted, sent, deferred, waiting, refused, bounced, complained, note } = day;
  const cells = [
    day.day,
    date,
    tier,
    cap,
    state,
    wanted,
    sent,
    deferred,
    waiting,
    refused,
    bounced,
    complained,
    note,
  ];
  return `| ${cells.join(' | ')} |`;
}

function n(value: number): string {
  return value.toFixed(1);
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}

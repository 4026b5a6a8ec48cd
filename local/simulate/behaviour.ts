// How many want to send, and what mailbox providers make of it, by a small file. Random by a seed: the same file and
// seed give the same months.

import { readFileSync } from 'node:fs';
import { z } from 'zod';

const rate = z.number().min(0).max(1);
const dayRange = { from_day: z.number().int().min(1), to_day: z.number().int().min(1) };

const file = z.strictObject({
  seed: z.number().int(),
  demand: z.strictObject({
    first_day: z.number().int().min(0),
    growth_per_day: z.number().min(0),
    most: z.number().int().min(0),
    bulk_share: rate,
  }),
  providers: z
    .array(z.strictObject({ name: z.string(), share: rate, bounce: rate, soft: rate, complaint: rate }))
    .min(1),
  incidents: z.array(
    z.strictObject({ ...dayRange, bounce: rate.optional(), complaint: rate.optional(), note: z.string() }),
  ),
  silence: z.strictObject(dayRange).optional(),
  resume_after_days: z.number().int().min(1),
});

/** What the file says. */
export type Behaviour = z.infer<typeof file>;

/** What becomes of one attempt. */
export type Fate = 'delivered' | 'complained' | 'bounced' | 'soft';

/** Reads and checks the file. */
export function readBehaviour(path: string): Behaviour {
  return file.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** Messages that the customer wants to send on a day (1 is the first). */
export function demandOf({ demand, silence }: Behaviour, day: number): number {
  if (silence && day >= silence.from_day && day <= silence.to_day) return 0;
  return Math.min(Math.round(demand.first_day * demand.growth_per_day ** (day - 1)), demand.most);
}

/** What is out of the ordinary on a day, or an empty text. */
export function noteOf({ incidents, silence }: Behaviour, day: number): string {
  const found = incidents.filter((one) => day >= one.from_day && day <= one.to_day).map((one) => one.note);
  if (silence && day === silence.from_day) found.push('the customer falls silent');
  return found.join('; ');
}

/** Draws the fate of an attempt on a day. */
export function drawFate(behaviour: Behaviour, day: number, random: () => number): Fate {
  const provider = pick(behaviour.providers, random);
  const incident = behaviour.incidents.find((one) => day >= one.from_day && day <= one.to_day);
  const point = random();
  const bounce = incident?.bounce ?? provider.bounce;
  const complaint = incident?.complaint ?? provider.complaint;
  if (point < bounce) return 'bounced';
  if (point < bounce + complaint) return 'complained';
  return point < bounce + complaint + provider.soft ? 'soft' : 'delivered';
}

/** A small generator with a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick<T extends { share: number }>(list: T[], random: () => number): T {
  let point = random() * list.reduce((sum, one) => sum + one.share, 0);
  for (const one of list) if ((point -= one.share) < 0) return one;
  return list.at(-1)!;
}

// How many want to send, and what mailbox providers make of it, by a small file. Random by a seed: the same file and
// seed give the same months.

import { readFileSync } from 'node:fs';
import { z } from 'zod';

const rate = z.number().min(0).max(1);
const perHour = z.number().min(0);
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
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9-]+$/),
        share: rate,
        bounce: rate,
        soft: rate,
        complaint: rate,
        takes_per_hour: perHour.optional(),
      }),
    )
    .min(1),
  incidents: z.array(
    z.strictObject({
      ...dayRange,
      provider: z.string().optional(),
      bounce: rate.optional(),
      complaint: rate.optional(),
      takes_per_hour: perHour.optional(),
      note: z.string(),
    }),
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

/** Draws whose customer the next recipient is. */
export function drawProvider({ providers }: Behaviour, random: () => number): string {
  return pick(providers, random).name;
}

/** Draws the fate of an attempt at a provider on a day. */
export function drawFate(provider: ProviderDay, random: () => number): Fate {
  const { bounce, complaint, soft } = provider;
  const point = random();
  if (point < bounce) return 'bounced';
  if (point < bounce + complaint) return 'complained';
  return point < bounce + complaint + soft ? 'soft' : 'delivered';
}

/** How a provider behaves on one day. */
export interface ProviderDay {
  bounce: number;
  complaint: number;
  soft: number;
  /** Messages an hour; more are refused for now. */
  takesPerHour: number;
}

/** How each provider behaves on a day, by name: an incident is everybody's, or that of the provider that it names. */
export function providersOf({ providers, incidents }: Behaviour, day: number): Map<string, ProviderDay> {
  const now = incidents.filter((one) => day >= one.from_day && day <= one.to_day);
  return new Map(
    providers.map(({ name, bounce, soft, complaint, takes_per_hour }) => {
      const incident = now.find((one) => (one.provider ?? name) === name);
      const takesPerHour = incident?.takes_per_hour ?? takes_per_hour ?? Infinity;
      const rates = { bounce: incident?.bounce ?? bounce, complaint: incident?.complaint ?? complaint, soft };
      return [name, { ...rates, takesPerHour }];
    }),
  );
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

// The part of the bench that says how well bounces are read. The halves that no rule was made for have targets together;
// each corpus beside them is too small for one.

import { compareHalf, TARGETS, type HalfResult } from './bounce-corpus.ts';
import { CORPORA } from './bounce-samples.ts';
import type { Figure } from './figure.ts';

/** The part of the bench. */
export async function measureBounces(): Promise<Figure[]> {
  const figures = figuresOf('check', 'check halves together', await compareHalf(CORPORA, 'check'), true);
  for (const corpus of CORPORA) {
    const half = corpus === 'sisimai' ? 'tune' : 'check';
    const name = half === 'tune' ? `${corpus}, all tuned on` : `${corpus}, check half`;
    figures.push(...figuresOf(corpus, name, await compareHalf([corpus], half), false));
  }
  return figures;
}

const FORMS = { standard: 'standard reports (RFC 3464)', plain: 'bounces in plain words' } as const;

function figuresOf(id: string, name: string, result: HalfResult, hasTarget: boolean): Figure[] {
  const figures: Figure[] = [];
  for (const form of ['standard', 'plain'] as const) {
    const { labels, sameKind } = result[form];
    if (labels === 0) continue;
    figures.push({
      id: `bounces.${id}.${form}`,
      what: `${name}: hard or soft as labelled, ${FORMS[form]}`,
      value: (100 * sameKind) / labels,
      unit: '%',
      detail: `${labels} labels`,
      ...(hasTarget ? { target: { atLeast: TARGETS[form] } } : {}),
    });
  }
  const count = (key: string, what: string, value: number, of: number) =>
    figures.push({
      id: `bounces.${id}.${key}`,
      what: `${name}: ${what}`,
      value,
      unit: '',
      detail: `${of} labels`,
      ...(hasTarget ? { target: { atMost: 0 } } : {}),
    });
  const { standard, plain, delays, others, reasons } = result;
  count(
    'false-hard',
    'hard where the label is soft',
    standard.falseHard + plain.falseHard,
    standard.labels + plain.labels,
  );
  if (delays.labels > 0) count('ended', 'delay notices that end a message', delays.ended, delays.labels);
  if (others.labels > 0)
    count('others', 'mail that is no bounce, read as one', others.labels - others.right, others.labels);
  if (reasons.labels > 0)
    count('reasons', 'reasons that differ', reasons.labels - reasons.right, reasons.labels);
  return figures;
}

// The lines of a message in the story of its recipient: what people did, and what went wrong. `data` of events is foreign.

import type { StoryMessageFragment } from '../../gen/pages/contacts/contact-story.ts';
import { eventSentence } from '../events/event-words.ts';

type StoryEvent = StoryMessageFragment['events'][number];

/** One line, and when it happened. */
export interface StoryLine {
  text: string;
  at: string;
}

const TOLD = ['bounced', 'expired', 'dropped', 'complaint', 'unsubscribe'];
const MOST_LINKS = 5;

/** The lines of a message in the order of time; opens are one line, each link that was clicked has one. */
export function storyLines(events: readonly StoryEvent[]): StoryLine[] {
  const lines: StoryLine[] = events
    .filter(({ type }) => TOLD.includes(type))
    .map(({ type, occurredAt: at, data }) => ({ at, text: eventSentence(type, data) }));
  const opens = events.filter((event) => event.type === 'open' && !isMachine(event, 'machine_open'));
  if (opens.length > 0) lines.push({ at: opens[0]!.occurredAt, text: times('Opened', opens.length) });
  const clicks = events.filter((event) => event.type === 'click' && !isMachine(event, 'machine_click'));
  const byLink = [...Map.groupBy(clicks, (event) => textOf(event, 'url'))].slice(0, MOST_LINKS);
  for (const [url, of] of byLink)
    lines.push({ at: of[0]!.occurredAt, text: times(`Clicked ${url}`.trim(), of.length) });
  return lines.toSorted((one, other) => one.at.localeCompare(other.at));
}

function times(what: string, count: number): string {
  return count === 1 ? what : `${what}, ${count} times; the first time`;
}

function isMachine(event: StoryEvent, name: string): boolean {
  return textOf(event, name) === 'true';
}

function textOf({ data }: StoryEvent, name: string): string {
  const value =
    typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : '';
}

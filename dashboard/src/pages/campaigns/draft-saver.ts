// Saves a draft while it is written: what changed is sent when typing stops, one request at a time. A field that the API
// refuses holds nothing else up: the others are saved without it. Whoever saves says which version they saw, so that two
// tabs never overwrite each other unknowingly. No React here.

import type { CombinedError } from 'urql';

import { nowMs } from '../../clock.ts';
import { errorCode } from '../../graphql/client.ts';
import { errorText, fieldErrors } from '../../graphql/error-text.ts';
import type { CampaignInput } from './campaign-draft.ts';

/** Where saving stands. `waiting`: what is there cannot be stored yet, for example without a name. */
export type SaveState =
  | { is: 'saved'; at: number | null }
  | { is: 'saving' | 'waiting' | 'offline' | 'conflict' }
  | { is: 'refused'; error: string };

/** What the API says about one value of a field. */
interface Refusal {
  value: string;
  message: string;
}

/** What a page shows of it. */
export interface SaverView {
  state: SaveState;
  /** Null until the draft is stored for the first time. */
  id: string | null;
  refused: ReadonlyMap<string, Refusal>;
}

/** The answer to a save. */
interface SaveAnswer {
  saved: { id: string; version: number } | undefined;
  error: CombinedError | undefined;
}

/** What it needs. */
export interface SaverIo {
  create(input: CampaignInput): Promise<SaveAnswer>;
  update(id: string, version: number, changes: Partial<CampaignInput>): Promise<SaveAnswer>;
  onChange(view: SaverView): void;
  /** A new draft has its id. Called before `flush` resolves. */
  onCreated(id: string): void;
}

const STILL_MS = 700; // without a key press
const RETRY_MS = 4_000; // while the server cannot be reached

// Without these nothing can be stored.
const NEEDED: readonly string[] = ['name', 'from', 'audience'];

/** Keeps one draft saved. */
export class DraftSaver {
  #io: SaverIo;
  #view: SaverView;
  #version: number;
  #kept: Partial<CampaignInput>;
  #wanted: CampaignInput;
  #held: readonly string[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;

  /** `stored` is what the API has, `wanted` what the form holds; of a new campaign nothing is stored. */
  constructor(
    io: SaverIo,
    stored: { id: string; version: number } | null,
    wanted: CampaignInput,
    held: readonly string[],
  ) {
    this.#held = held;
    this.#io = io;
    this.#view = { state: { is: 'saved', at: null }, id: stored?.id ?? null, refused: new Map() };
    this.#version = stored?.version ?? 0;
    this.#kept = stored === null ? {} : wanted;
    this.#wanted = wanted;
  }

  get view(): SaverView {
    return this.#view;
  }

  /** The version that was saved last. */
  get version(): number {
    return this.#version;
  }

  /** The form has changed. `held` are fields that cannot be stored as they are. */
  set(wanted: CampaignInput, held: readonly string[]): void {
    this.#wanted = wanted;
    this.#held = held;
    if (this.#view.state.is === 'saved' && this.#changes().length > 0)
      this.#show({ state: { is: 'saving' } });
    this.#later(STILL_MS);
  }

  /** Saves now. True when everything is stored. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    this.#running = this.#saveAll();
    await this.#running;
    this.#running = null;
    return this.isSaved();
  }

  /** Whether nothing would be lost. */
  isSaved(): boolean {
    return this.#view.state.is !== 'conflict' && this.#changes().length === 0;
  }

  /** After a conflict: `version` is what is stored now; `stored` is its content, when the form took it over. */
  rebase(version: number, stored: CampaignInput | null): void {
    this.#version = version;
    this.#kept = stored ?? {};
    this.#show({ state: { is: 'saved', at: null }, refused: new Map() });
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  // A field that was refused is left out of the next request, until it has another value.
  async #saveAll(): Promise<void> {
    for (;;) {
      const { state, id } = this.#view;
      if (state.is === 'conflict') return;
      const changes = this.#sendable();
      const names = Object.keys(changes);
      const missing = id === null && NEEDED.some((field) => !names.includes(field));
      if (names.length === 0 || missing) return this.#showRest();
      this.#show({ state: { is: 'saving' } });
      const { saved, error } = await (id === null
        ? this.#io.create(changes as CampaignInput)
        : this.#io.update(id, this.#version, changes));
      if (saved) this.#keep(saved, changes);
      else if (!error || !this.#refuse(error, changes)) return;
    }
  }

  #keep(saved: { id: string; version: number }, changes: Partial<CampaignInput>): void {
    this.#kept = { ...this.#kept, ...changes };
    this.#version = saved.version;
    const refused = new Map([...this.#view.refused].filter(([field]) => !(field in changes)));
    const isNew = this.#view.id === null;
    this.#show({ state: { is: 'saved', at: nowMs() }, id: saved.id, refused });
    if (isNew) this.#io.onCreated(saved.id);
  }

  // True when the other fields can be tried without those that were refused.
  #refuse(error: CombinedError, changes: Partial<CampaignInput>): boolean {
    const code = errorCode(error);
    if (code === 'network' || code === 'unavailable' || code === 'rate_limited') {
      this.#show({ state: { is: 'offline' } });
      this.#later(RETRY_MS);
      return false;
    }
    if (code === 'conflict') {
      this.#show({ state: { is: 'conflict' } });
      return false;
    }
    const refused = new Map(this.#view.refused);
    const details = fieldErrors(error).filter(({ path }) => fieldOf(path) in changes);
    for (const { path, message } of details) {
      const field = fieldOf(path);
      refused.set(field, { value: JSON.stringify(changes[field as keyof CampaignInput]), message });
    }
    this.#show({ state: { is: 'refused', error: errorText(error) }, refused });
    return details.length > 0;
  }

  #showRest(): void {
    if (this.#changes().length === 0) {
      if (this.#view.state.is !== 'saved') this.#show({ state: { is: 'saved', at: nowMs() } });
      return;
    }
    const problem = [...this.#view.refused.entries()].find(([field, { value }]) => this.#is(field, value));
    this.#show({
      state: problem ? { is: 'refused', error: problem[1].message } : { is: 'waiting' },
    });
  }

  #changes(): (readonly [string, unknown])[] {
    return Object.entries(this.#wanted).filter(
      ([field, value]) => JSON.stringify(this.#kept[field as keyof CampaignInput]) !== JSON.stringify(value),
    );
  }

  #sendable(): Partial<CampaignInput> {
    const { refused } = this.#view;
    const sent = this.#changes().filter(
      ([field]) => !this.#held.includes(field) && !this.#is(field, refused.get(field)?.value),
    );
    const changes: Partial<CampaignInput> = Object.fromEntries(sent);
    // A template that was deleted is shown as none: own words take its place.
    if ('html' in changes || 'text' in changes) changes.templateId = this.#wanted.templateId;
    return changes;
  }

  #is(field: string, value: string | undefined): boolean {
    return value !== undefined && JSON.stringify(this.#wanted[field as keyof CampaignInput]) === value;
  }

  #show(change: Partial<SaverView>): void {
    this.#view = { ...this.#view, ...change };
    this.#io.onChange(this.#view);
  }
}

// `audience.listId` is a problem of `audience`.
function fieldOf(path: string): string {
  return path.split('.')[0] ?? path;
}

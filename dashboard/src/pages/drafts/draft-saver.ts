// Saves a draft while it is written: what changed is sent when typing stops, one request at a time. A field that the API
// refuses holds nothing else up: the others are saved without it. Whoever saves says which version they saw, so that two
// tabs never overwrite each other unknowingly. No React here: use-draft-saver.ts has it.

import type { CombinedError } from 'urql';

import { nowMs } from '../../clock.ts';
import { errorCode } from '../../graphql/client.ts';
import { errorText, fieldErrors } from '../../graphql/error-text.ts';

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

/** A draft as it is stored: `version` changes with each save. */
interface Stored<Version> {
  id: string;
  version: Version;
}

/** The answer to a save. */
interface SaveAnswer<Version> {
  saved: Stored<Version> | undefined;
  error: CombinedError | undefined;
}

/** What it needs to save drafts with the fields of `Input`. */
export interface SaverIo<Input, Version> {
  create(input: Input): Promise<SaveAnswer<Version>>;
  update(stored: Stored<Version>, changes: Partial<Input>): Promise<SaveAnswer<Version>>;
  onChange(view: SaverView): void;
  /** A new draft has its id. Called before `flush` resolves. */
  onCreated?(id: string): void;
  /** Fields without which nothing can be stored. */
  needed?: readonly (keyof Input)[];
  /** The changes, with the fields that have to go with them. */
  complete?(changes: Partial<Input>, wanted: Input): Partial<Input>;
}

const STILL_MS = 700; // without a key press
const RETRY_MS = 4_000; // while the server cannot be reached

/** Keeps one draft saved. */
export class DraftSaver<Input extends object, Version> {
  #io: SaverIo<Input, Version>;
  #view: SaverView;
  #version: Version | null;
  #kept: Partial<Input>;
  #wanted: Input;
  #held: readonly string[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | null = null;

  /** `stored` is the draft that the API has, null for none; `kept` are the fields that need no save; `wanted` is the form. */
  constructor(
    io: SaverIo<Input, Version>,
    stored: Stored<Version> | null,
    kept: Partial<Input>,
    wanted: Input,
    held: readonly string[] = [],
  ) {
    this.#held = held;
    this.#io = io;
    this.#view = { state: { is: 'saved', at: null }, id: stored?.id ?? null, refused: new Map() };
    this.#version = stored?.version ?? null;
    this.#kept = kept;
    this.#wanted = wanted;
  }

  get view(): SaverView {
    return this.#view;
  }

  /** The version that was saved last, null before the first save. */
  get version(): Version | null {
    return this.#version;
  }

  /** The form has changed. `held` are fields that cannot be stored as they are. */
  set(wanted: Input, held: readonly string[] = []): void {
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

  /** Saves nothing more before the next `set`, and waits for the save that is under way. */
  async pause(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    clearTimeout(this.#timer);
  }

  /** Whether nothing would be lost. */
  isSaved(): boolean {
    return this.#view.state.is !== 'conflict' && this.#changes().length === 0;
  }

  /** Goes on from `stored`, the draft that the API has now, and from `kept`, the fields that need no save. */
  rebase(stored: Stored<Version> | null, kept: Partial<Input>): void {
    this.#version = stored?.version ?? null;
    this.#kept = kept;
    this.#show({ state: { is: 'saved', at: null }, id: stored?.id ?? null, refused: new Map() });
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
      const missing = id === null && this.#io.needed?.some((field) => !(field in changes));
      if (names.length === 0 || missing) return this.#showRest();
      this.#show({ state: { is: 'saving' } });
      const { saved, error } = await (id === null || this.#version === null
        ? this.#io.create(changes as Input)
        : this.#io.update({ id, version: this.#version }, changes));
      if (saved) this.#keep(saved, changes);
      else if (!error || !this.#refuse(error, changes)) return;
    }
  }

  #keep(saved: Stored<Version>, changes: Partial<Input>): void {
    this.#kept = { ...this.#kept, ...changes };
    this.#version = saved.version;
    const refused = new Map([...this.#view.refused].filter(([field]) => !(field in changes)));
    const isNew = this.#view.id === null;
    this.#show({ state: { is: 'saved', at: nowMs() }, id: saved.id, refused });
    if (isNew) this.#io.onCreated?.(saved.id);
  }

  // True when the other fields can be tried without those that were refused.
  #refuse(error: CombinedError, changes: Partial<Input>): boolean {
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
      refused.set(field, { value: JSON.stringify(changes[field as keyof Input]), message });
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
      ([field, value]) => JSON.stringify(this.#kept[field as keyof Input]) !== JSON.stringify(value),
    );
  }

  #sendable(): Partial<Input> {
    const { refused } = this.#view;
    const sent = this.#changes().filter(
      ([field]) => !this.#held.includes(field) && !this.#is(field, refused.get(field)?.value),
    );
    const changes = Object.fromEntries(sent) as Partial<Input>;
    return this.#io.complete?.(changes, this.#wanted) ?? changes;
  }

  #is(field: string, value: string | undefined): boolean {
    return value !== undefined && JSON.stringify(this.#wanted[field as keyof Input]) === value;
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

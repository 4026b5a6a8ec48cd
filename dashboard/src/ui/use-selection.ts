// Which rows of a list are selected: some of those that are loaded, or everything that matches the filters, loaded or not.

import { useState } from 'react';

/** The selection of a list. */
export interface Selection {
  /** Everything that matches is selected. */
  everything: boolean;
  /** Keys of the rows that are selected, of those that are loaded. */
  keys: readonly string[];
  has: (key: string) => boolean;
  toggle: (key: string) => void;
  /** How many of the loaded rows are selected. */
  loaded: 'none' | 'some' | 'all';
  /** Selects all loaded rows, or none when all are. */
  toggleLoaded: () => void;
  selectEverything: () => void;
  clear: () => void;
}

interface State {
  list: string;
  keys: ReadonlySet<string>;
  everything: boolean;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The selection among rows with these keys. Another `list` (its filters, as text) starts with nothing selected. */
export function useSelection(list: string, loadedKeys: readonly string[]): Selection {
  const [state, setState] = useState<State>({ list, keys: NOTHING, everything: false });
  const { keys: chosen, everything } = state.list === list ? state : { keys: NOTHING, everything: false };
  const keys = everything ? loadedKeys : loadedKeys.filter((key) => chosen.has(key)); // what is gone is not selected
  const selected = new Set(keys);
  const choose = (next: Iterable<string>, all = false) =>
    setState({ list, keys: new Set(next), everything: all });
  const isAll = loadedKeys.length > 0 && keys.length === loadedKeys.length;
  return {
    everything,
    keys,
    has: (key) => selected.has(key),
    toggle(key) {
      const next = new Set(selected);
      if (!next.delete(key)) next.add(key);
      choose(next);
    },
    loaded: isAll ? 'all' : keys.length > 0 ? 'some' : 'none',
    toggleLoaded: () => choose(isAll ? [] : loadedKeys),
    selectEverything: () => choose([], true),
    clear: () => choose([]),
  };
}

// Limits on how often something is done: after typing has stopped, or once every few seconds.

import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** The latest value that did not change for `ms`. */
export function useDebounced<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** Calls `action` once, `ms` after the first of many calls. */
export function useGathered(action: () => void, ms: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const run = useEffectEvent(action);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  const [due, setDue] = useState(0);
  useEffect(() => {
    if (due > 0) run();
  }, [due]);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      setDue((count) => count + 1);
    }, ms);
  };
}

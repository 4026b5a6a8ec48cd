// Waiting until somebody stops typing, and reading again at most every few seconds.

import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** The value as it was when it last stood still for `ms`. */
export function useDebounced<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** Calls `act` once, `ms` after the first of many calls. */
export function useGathered(act: () => void, ms: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const run = useEffectEvent(act);
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

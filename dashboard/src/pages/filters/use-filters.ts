// The filters of a list, kept in the URL, so that a filtered list can be shared and Back works.

import { useSearchParams } from 'wouter';

/** The values of the named filters ('' when not set) and what sets one. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): {
  values: Record<Name, string>;
  set: (name: Name, value: string) => void;
  clear: () => void;
  any: boolean;
} {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  const set = (name: Name, value: string) =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return {
    values,
    set,
    clear: () => setParams(new URLSearchParams()),
    any: names.some((name) => values[name] !== ''),
  };
}

/** One of the allowed values; undefined for anything else in the URL. */
export function oneOf<Value extends string>(value: string, allowed: readonly Value[]): Value | undefined {
  return allowed.find((one) => one === value);
}

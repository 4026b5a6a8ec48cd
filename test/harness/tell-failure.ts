// What a test that fails should print besides its error: whoever opened something says how to describe it.

/** Descriptions that are asked for after a test that failed; remove yours when what it describes is closed. */
export const tellers = new Set<() => Promise<string>>();

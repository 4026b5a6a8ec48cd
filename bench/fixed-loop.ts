// A fixed amount of work. The CPU time that it takes shows how fast the machine is at this moment: it grows if the clock
// drops, if a neighbour shares the core or its caches, and if a hypervisor takes time away.

const ROUNDS = 36;
const WORDS = 1 << 20; // 4 MB of 32-bit words, more than a core's own caches hold

const words = new Uint32Array(WORDS);

/** Milliseconds of CPU that the fixed work takes now, about a tenth of a second. Blocks the event loop meanwhile. */
export function fixedLoopMs(): number {
  work(1); // compiled, and in the caches
  const before = process.cpuUsage();
  work(ROUNDS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

// Arithmetic, and reads and writes in an order that depends on it.
function work(rounds: number): void {
  let state = 1;
  for (let n = 0; n < rounds * WORDS; n++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const at = state >>> 12;
    words[at] = (words[at]! ^ state) >>> 0;
  }
}

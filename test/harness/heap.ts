import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Bytes of the heap that something still refers to: after a garbage collection. */
export function liveHeap(): number {
  gc();
  return process.memoryUsage().heapUsed;
}

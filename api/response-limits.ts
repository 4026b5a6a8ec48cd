// Responses that clients read slowly or not at all.
// Guarantees: a response without progress for `stalledMs` is cut off. The bytes that wait for clients are bounded, for
// each address and in total.

import { monotonicMs } from '../core/base/clock.ts';
import { sliceResponse, type Outgoing, type SlicedResponse } from './slice-response.ts';

/** Why a response was cut off: no progress, or too many bytes wait for its address or in total. */
export type CutResponse = 'stalled' | 'queued_bytes';

/** The responses of one process, over all of its listeners. */
export interface ResponseLimits {
  /** Limits a response; call it before the first byte. `addressOf` names the client whose bytes these are. */
  watch(outgoing: Outgoing, addressOf: () => string): void;
  /** Bytes that wait for clients. */
  queuedBytes(): number;
}

/** The limits. */
export interface ResponseLimitOptions {
  /** Milliseconds without progress. */
  stalledMs: number;
  /** Bytes that may wait for one address; its only response may exceed it. */
  perAddressBytes: number;
  /** Bytes that may wait in total. */
  totalBytes: number;
  /** Called for each response that is cut off. */
  onCut?: ((why: CutResponse) => void) | undefined;
}

/** The limits of an api process. */
export const RESPONSE_LIMITS = {
  stalledMs: 30_000, // longer than a phone needs to change networks
  perAddressBytes: 16 * 1024 * 1024, // JSON responses only: files and streams are read piece by piece, as the client reads
  totalBytes: 64 * 1024 * 1024, // of the 1 GB that the deployments give an api
};

/** Makes the limits. */
export function createResponseLimits(options: ResponseLimitOptions): ResponseLimits {
  const { stalledMs, perAddressBytes, totalBytes, onCut } = options;
  const waiting = new Set<SlicedResponse>(); // without progress for the longest time first
  const bytesOf = new Map<string, number>();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;

  const cut = (response: SlicedResponse, why: CutResponse) => {
    if (response.cut()) onCut?.(why);
  };
  const ofAddress = (address: string) => [...waiting].filter((one) => one.address === address);
  const largest = () => [...bytesOf].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
  const bound = (address: string) => {
    while ((bytesOf.get(address) ?? 0) > perAddressBytes) {
      const [oldest, ...others] = ofAddress(address);
      if (!oldest || others.length === 0) break;
      cut(oldest, 'queued_bytes');
    }
    while (total > totalBytes && waiting.size > 1) {
      const [oldest] = ofAddress(largest());
      if (!oldest) break;
      cut(oldest, 'queued_bytes');
    }
  };
  const expire = () => {
    timer = undefined;
    const now = monotonicMs();
    for (const one of waiting) {
      const left = one.movedAt + stalledMs - now;
      if (left > 0) return arm(left);
      cut(one, 'stalled');
    }
  };
  const arm = (ms: number) => {
    timer ??= setTimeout(expire, ms).unref();
  };
  const events = {
    moved(response: SlicedResponse) {
      waiting.delete(response);
      waiting.add(response);
      arm(stalledMs);
    },
    queued(response: SlicedResponse, bytes: number) {
      total += bytes;
      const left = (bytesOf.get(response.address) ?? 0) + bytes;
      if (left > 0) bytesOf.set(response.address, left);
      else bytesOf.delete(response.address);
      if (bytes > 0) bound(response.address);
    },
    drained: (response: SlicedResponse) => void waiting.delete(response),
  };
  return {
    watch: (outgoing, addressOf) => void sliceResponse(outgoing, addressOf, events),
    queuedBytes: () => total,
  };
}

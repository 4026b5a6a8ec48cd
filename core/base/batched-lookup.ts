// Look-ups that share queries: what is asked while a query is under way forms the next (batcher.ts).

import { createBatcher } from './batcher.ts';
import { AppError } from './errors.ts';

/** How questions are answered. */
export interface BatchedLookupOptions<Q, A> {
  /** Reads what a batch of questions needs. The function that it returns answers each, or throws for that one. */
  read(questions: Q[]): Promise<(question: Q) => A>;
  isStoreDown(error: unknown): boolean;
  maxItems: number;
}

const MAX_WAITING = 50_000; // questions: many more than there are deliveries in flight

/** Makes the function that asks. It throws what `read` throws, and `unavailable` when too many questions wait. */
export function createBatchedLookup<Q, A>(options: BatchedLookupOptions<Q, A>): (question: Q) => Promise<A> {
  interface Waiting {
    question: Q;
    resolve: (answer: A) => void;
    reject: (error: unknown) => void;
  }
  const batcher = createBatcher<Waiting>({
    async run(batch) {
      const answerOf = await options.read(batch.map(({ question }) => question));
      for (const { question, resolve, reject } of batch) {
        try {
          resolve(answerOf(question));
        } catch (error) {
          reject(error);
        }
      }
    },
    failed: ({ reject }, error) => reject(error),
    isStoreDown: options.isStoreDown,
    whenDown: 'fail',
    maxItems: options.maxItems,
    maxWaiting: MAX_WAITING,
  });
  return (question) =>
    new Promise((resolve, reject) => {
      if (batcher.push({ question, resolve, reject })) return;
      reject(new AppError('unavailable', 'The service is busy. Try again.', { retryAfterSeconds: 1 }));
    });
}

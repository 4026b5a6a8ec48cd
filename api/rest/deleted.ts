// What a DELETE answers.

import { z } from 'zod';

/** The response of a route that deletes one thing by its id. */
export const deletedAnswer = z
  .object({ id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'Deleted', description: 'What was deleted' });

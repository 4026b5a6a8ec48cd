// Jobs: the scheduled work of the service, for the people who run it.

import { readAllJobStates, type JobState } from '../../../core/job/job-state.ts';
import { countWaitingSystemMail } from '../../../core/people/waiting-system-mail.ts';
import type { Builder } from '../builder.ts';

/** Adds the types, `jobs` and `systemMailWaiting`, for super-admins. */
export function addJobTypes(builder: Builder): void {
  const run = builder.objectRef<NonNullable<JobState['last']>>('JobRun').implement({
    description: 'One run of a job',
    fields: (t) => ({
      slot: t.expose('runTime', { type: 'DateTime', description: 'The scheduled run time' }),
      startedAt: t.expose('startedAt', { type: 'DateTime' }),
      finishedAt: t.expose('finishedAt', { type: 'DateTime' }),
      durationMs: t.exposeInt('durationMs', { description: 'Milliseconds' }),
      summary: t.string({
        description: 'The result, as JSON',
        resolve: ({ summary }) => JSON.stringify(summary),
      }),
    }),
  });
  const job = builder.objectRef<JobState>('Job').implement({
    description: 'Scheduled work of the whole service',
    fields: (t) => ({
      name: t.exposeString('job'),
      does: t.exposeString('does', { description: 'What the job does' }),
      nextSlot: t.expose('nextRunTime', { type: 'DateTime', description: 'The next run time' }),
      openSlot: t.expose('openRunTime', {
        type: 'DateTime',
        nullable: true,
        description:
          'A run time that has passed without a finished run: it is running, it failed, or no scheduler is running',
      }),
      last: t.field({ type: run, nullable: true, resolve: ({ last }) => last }),
    }),
  });
  builder.queryField('jobs', (t) =>
    t.field({
      type: [job],
      description: 'Every scheduled job; super-admins only',
      authScopes: { superAdmin: true },
      resolve: (_root, _args, context) => readAllJobStates(context.deps.buckets),
    }),
  );
  builder.queryField('systemMailWaiting', (t) =>
    t.int({
      description:
        'How many password resets, notices and invitations wait to be sent, as the metric postrider_system_mail_waiting; super-admins only',
      authScopes: { superAdmin: true },
      resolve: (_root, _args, context) => countWaitingSystemMail(context.deps),
    }),
  );
}

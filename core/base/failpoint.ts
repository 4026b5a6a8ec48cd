// Named steps at which a test can kill the process, as a power cut would: docs/crashes.md has a row for each.
// Only a process started with TEST_KNOBS=true can have one switched on (config.ts refuses it otherwise).

/** Every step at which a crash is tested. */
export const FAILPOINTS = [
  'accept.before-gate',
  'accept.after-gate',
  'accept.before-commit',
  'accept.after-commit',
  'release.before-commit',
  'release.after-commit',
  'deliver.after-claim',
  'deliver.before-data',
  'deliver.after-dot',
  'deliver.before-record',
  'deliver.after-record',
  'retry.after-publish',
  'inbound.after-scan',
  'inbound.before-commit',
  'inbound.after-commit',
  'inbound.after-reply',
  'inbound.before-route',
  'inbound.after-route',
  'bucket.before-close',
  'submission.before-submit',
  'submission.before-reply',
  'webhook.after-claim',
  'webhook.after-answer',
  'webhook.after-record',
  'dispatch.before-commit',
  'dispatch.after-commit',
  'invitation.before-mail',
  'system-mail.after-submit',
  'alert.before-commit',
  'alert.after-chat',
  'import.before-commit',
  'import.after-commit',
  'export.before-batch',
  'export.after-batch',
  'bulk.before-commit',
  'bulk.after-commit',
  'campaign.after-mark',
  'campaign.after-submit',
  'campaign.after-conclude',
  'campaign.after-hold',
  'campaign.after-release',
  'campaign.after-cancel',
  'tracking-host.after-order',
  'tracking-host.after-finalize',
  'tracking-host.before-store',
  'analytics.before-commit',
] as const;

/** The name of one step. */
export type Failpoint = (typeof FAILPOINTS)[number];

/** Kills the process with SIGKILL when this step was switched on; otherwise does nothing. */
export type Fail = (step: Failpoint) => void;

/** The failpoints of this process, from its settings. */
export function createFailpoints(enabled: string[]): Fail {
  if (enabled.length === 0) return () => {};
  const steps = new Set(enabled);
  return (step) => {
    if (steps.has(step)) process.kill(process.pid, 'SIGKILL');
  };
}

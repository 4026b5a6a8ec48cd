// Run before each file of tests with servers: a test that fails prints what the services of its file wrote last.

import { afterEach } from 'vitest';

import { lastLines } from './service.ts';

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  const lines = lastLines();
  if (lines !== '') console.error(`${task.name}: what its services wrote last\n${lines}`);
});

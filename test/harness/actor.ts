// Who changes things in tests that call the verbs themselves.

import { service } from '../../core/audit/actor.ts';

/** The test. */
export const TESTER = service('test');

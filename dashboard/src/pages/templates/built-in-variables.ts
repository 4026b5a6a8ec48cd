// Variables that the service fills in by itself. A test compares them with what campaigns give to their templates.

import type { KnownVariable } from '../../ui/code-editor-props.ts';

/** The recipient's link to leave. */
export const UNSUBSCRIBE_URL = 'unsubscribe_url';

/** In the order in which they are offered. */
export const BUILT_IN_VARIABLES: readonly KnownVariable[] = [
  { name: UNSUBSCRIBE_URL, detail: 'link, in campaigns and with unsubscribe: true' },
  { name: 'email', detail: 'of the contact, in campaigns' },
  { name: 'first_name', detail: 'of the contact, in campaigns' },
  { name: 'last_name', detail: 'of the contact, in campaigns' },
];

import { expect, test } from 'vitest';

import { toLiquid } from '../../../../api/compat/resend/merge-tags.ts';

test.each([
  ['Hi {{{FIRST_NAME|there}}}', 'Hi {{ first_name | default: "there" }}'],
  ['Hi {{{contact.first_name|my "friend"}}}', `Hi {{ first_name | default: 'my "friend"' }}`],
  ['{{{ contact.company }}} {{{LAST_NAME}}}', '{{ company }} {{ last_name }}'],
  ['<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">', '<a href="{{ unsubscribe_url }}">'],
  ['50% {{ off }} {% if %}', '50% {{ "{{" }} off }} {{ "{%" }} if %}'],
  ['plain { text }', 'plain { text }'],
])('%s', (theirs, ours) => {
  expect(toLiquid(theirs)).toBe(ours);
});

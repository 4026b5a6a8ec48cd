// Icons are passed over by screen readers, unless they say something that is nowhere else.

import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

import { makeIcon } from '../../../dashboard/src/ui/make-icon.ts';

const Icon = makeIcon([['path', { d: 'M0 0' }]]);

test('an icon is hidden from screen readers; one with a label is an image of that name', () => {
  expect(renderToStaticMarkup(createElement(Icon))).toContain('aria-hidden="true"');
  const labelled = renderToStaticMarkup(createElement(Icon, { role: 'img', 'aria-label': 'Done' }));
  expect(labelled).toContain('role="img" aria-label="Done"');
  expect(labelled).not.toContain('aria-hidden');
});

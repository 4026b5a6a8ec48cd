// What people paste where a domain is asked for.

import { expect, test } from 'vitest';

import { cleanDomain } from '../../../dashboard/src/pages/domains/clean-domain.ts';

test.each([
  ['https://Example.com/', 'example.com'],
  ['http://www.example.com:8080/shop?a=b#c', 'example.com'],
  ['https://user:secret@example.com/x@y', 'example.com'],
  [' Ada@Example.com ', 'example.com'],
  ['mailto:ada@example.com', 'example.com'],
  ['example.com.', 'example.com'],
  ['www.com', 'www.com'],
  ['shop.example.co.uk', 'shop.example.co.uk'],
  ['bücher.example', 'bücher.example'],
  ['', ''],
])('%j is %j', (pasted, domain) => expect(cleanDomain(pasted)).toBe(domain));

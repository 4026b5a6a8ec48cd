// Whether readers of the message see a link to unsubscribe, and a button that puts one in. What is looked at is the
// rendered preview: a link inside of a comment, or of an `if` that is not taken, does not count.

import { Check, Info } from '../../gen/icons.ts';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.tsx';
import { UNSUBSCRIBE_URL } from './built-in-variables.ts';
import { PREVIEW_UNSUBSCRIBE_URL } from './template-draft.ts';
import type { Preview } from './use-preview.ts';

const LINKS = {
  html: `<p><a href="{{ ${UNSUBSCRIBE_URL} }}">Unsubscribe</a></p>\n`,
  text: `Unsubscribe: {{ ${UNSUBSCRIBE_URL} }}\n`,
};

export function UnsubscribeCheck({
  part,
  rendered,
  onInsert,
}: {
  part: 'html' | 'text';
  rendered: Preview['rendered'];
  onInsert: (text: string) => void;
}): ReactNode {
  const written = rendered?.[part] ?? '';
  if (written === '') return null;
  const isThere = part === 'html' ? showsLink(written) : written.includes(PREVIEW_UNSUBSCRIBE_URL);
  if (isThere) {
    return (
      <p className="text-good mt-2 flex items-center gap-1.5 text-[13px]">
        <Check size={14} aria-hidden="true" /> Readers see an unsubscribe link.
      </p>
    );
  }
  return (
    <div className="bg-note-soft text-note mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md px-3 py-2 text-[13px]">
      <p className="flex min-w-0 flex-1 basis-60 gap-1.5">
        <Info size={14} aria-hidden="true" className="mt-0.5 shrink-0" />
        <span>
          No unsubscribe link that readers see. Gmail and Yahoo require one in campaigns and other bulk mail.
        </span>
      </p>
      <Button size="small" onClick={() => onInsert(LINKS[part])}>
        Insert unsubscribe link
      </Button>
    </div>
  );
}

const HIDDEN = '[hidden], [data-style*="display:none" i], [data-style*="display: none" i]';

function showsLink(html: string): boolean {
  // The policy of the page also holds for what it parses: it would report every style and event handler.
  const plain = html
    .replaceAll(/\bstyle(?=\s*=)/gi, 'data-style')
    .replaceAll(/<(\/?)style\b/gi, '<$1xmp')
    .replaceAll(/\bon(?=[a-z]+\s*=)/gi, 'data-on');
  const links = new DOMParser().parseFromString(plain, 'text/html').querySelectorAll('a[href]');
  return [...links].some(
    (link) =>
      link.getAttribute('href')?.trim() === PREVIEW_UNSUBSCRIBE_URL &&
      link.closest(HIDDEN) === null &&
      (link.textContent.trim() !== '' || link.querySelector('img') !== null),
  );
}

// HTML mail in a sandboxed frame without an origin. Its policy allows no scripts or forms of the mail, and no remote
// images until the reader asks for them, because they show the sender who reads.

import { useEffect, useRef, useState, type ReactNode } from 'react';

import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { hasRemoteImages } from './remote-images.ts';

const LEAST_PX = 120;
const MOST_PX = 4_000;

/**
 * Shows `html`. `title` names the frame. Remote images need a click. `narrow`: as wide as a phone; `dark`: with the styles that the
 * mail has for the dark.
 */
export function MailFrame({
  html,
  title,
  narrow = false,
  dark = false,
}: {
  html: string;
  title: string;
  narrow?: boolean;
  dark?: boolean;
}): ReactNode {
  const frame = useRef<HTMLIFrameElement>(null);
  const [pictures, setPictures] = useState(false);
  const [height, setHeight] = useState(LEAST_PX);
  useEffect(() => {
    const onMessage = (event: MessageEvent<unknown>) => {
      if (event.source === null || event.source !== frame.current?.contentWindow) return;
      if (event.data === 'ready') frame.current.contentWindow?.postMessage({ html, dark }, '*');
      if (typeof event.data === 'number')
        setHeight(Math.min(MOST_PX, Math.max(LEAST_PX, Math.ceil(event.data))));
    };
    addEventListener('message', onMessage);
    frame.current?.contentWindow?.postMessage({ html, dark }, '*');
    return () => removeEventListener('message', onMessage);
  }, [html, dark, pictures]);
  const remote = hasRemoteImages(html);
  return (
    <div>
      {remote && !pictures ? (
        <div className="bg-subtle mb-2 flex flex-wrap items-center justify-between gap-2 rounded-md px-3 py-2">
          <span className="text-muted text-[13px]">Remote images are blocked.</span>
          <Button size="small" onClick={() => setPictures(true)}>
            Show images
          </Button>
        </div>
      ) : null}
      <iframe
        ref={frame}
        key={String(pictures)}
        title={title}
        src={pictures ? '/mail-frame/pictures' : '/mail-frame'}
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        className={cx(
          'w-full rounded-md border',
          dark ? 'bg-[#121212]' : 'bg-white',
          narrow && 'mx-auto block max-w-[390px]',
        )}
        style={{ height, colorScheme: dark ? 'dark' : 'light' }}
      />
    </div>
  );
}

// Short notices at the lower edge, read out by screen readers.

import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

import { cx } from './class-names.ts';

const SHOWN_MS = 5_000;

interface Notice {
  key: number;
  text: string;
  tone: 'good' | 'bad';
}

/** Shows a notice for a few seconds. */
export type ShowToast = (text: string, tone?: Notice['tone']) => void;

const ToastContext = createContext<ShowToast>(() => {});
let lastKey = 0;

/** The function that shows a notice. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

/** Once around the whole page. */
export function ToastProvider({ children }: { children: ReactNode }): ReactNode {
  const [notices, setNotices] = useState<Notice[]>([]);
  const show = useCallback<ShowToast>((text, tone = 'good') => {
    const notice = { key: ++lastKey, text, tone };
    setNotices((old) => [...old.slice(-2), notice]);
    setTimeout(() => setNotices((old) => old.filter((one) => one !== notice)), SHOWN_MS);
  }, []);
  return (
    <ToastContext value={show}>
      {children}
      <div
        aria-live="polite"
        className="pointer-events-none fixed inset-x-4 bottom-4 z-60 flex flex-col items-center gap-2"
      >
        {notices.map(({ key, text, tone }) => (
          <p
            key={key}
            className={cx(
              'shadow-float max-w-md rounded-lg px-4 py-2.5 font-medium',
              tone === 'good' ? 'bg-ink text-ground' : 'bg-bad text-on-bad',
            )}
          >
            {text}
          </p>
        ))}
      </div>
    </ToastContext>
  );
}

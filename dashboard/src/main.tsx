// Where the dashboard begins: theme, session, page.

import { createRoot } from 'react-dom/client';

import './app.css';
import { App } from './app.tsx';
import { refreshSession, SessionRefused } from './graphql/session.ts';
import { applyTheme } from './shell/theme.ts';

// Dialogs add one style element while they are open; this nonce of the page lets them (read by get-nonce).
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
Object.assign(globalThis, { __webpack_nonce__: nonce });

applyTheme();
void begin();

async function begin(): Promise<void> {
  const root = document.querySelector('#root');
  if (!root) throw new Error('index.html has no #root');
  const refusal = await refreshSession().then(
    () => null,
    (error: unknown) => (error instanceof SessionRefused ? error.message : null),
  );
  createRoot(root).render(<App refusal={refusal} />);
}

// How the dashboard is built: vite with React and Tailwind. `npm run dashboard:dev` serves it with live reload and
// passes everything else on to the api that `npm start` runs.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { docPages } from './doc-pages.ts';

const CONNECTION_FILE = join(import.meta.dirname, '../.local/connection.json');
const API_PATHS = ['/graphql', '/api', '/saml', '/mail-frame'];

// Browsers of 2024 and later: they know light-dark() and need no polyfill.
const TARGET = ['chrome123', 'firefox125', 'safari17.5'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [docPages(), react(), tailwind()],
  build: {
    target: TARGET,
    cssTarget: TARGET,
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0, // everything is a file of our own: the content security policy allows nothing else
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    fs: { allow: ['.', '../docs', '../node_modules'] },
    proxy: Object.fromEntries(
      API_PATHS.map((path) => [
        path,
        { target: apiOrigin(), secure: false, changeOrigin: true, headers: ownOrigin() },
      ]),
    ),
  },
});

function apiOrigin(): string {
  if (!existsSync(CONNECTION_FILE)) return 'https://localhost:8443';
  const connection = JSON.parse(readFileSync(CONNECTION_FILE, 'utf8')) as { dashboard_url: string };
  return new URL(connection.dashboard_url).origin;
}

// The api refuses sign-ins that another origin started; in development that other origin is us.
function ownOrigin(): Record<string, string> {
  return { origin: apiOrigin() };
}

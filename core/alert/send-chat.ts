// Posts alerts to tenants' chats, one at a time, the longest due first. The row stays locked while its request runs, so that
// of any number of schedulers one posts it.
// Dies between the chat's answer and COMMIT: docs/crashes-scheduler.md, row alert.after-chat.

import type { Config } from '../base/config.ts';
import type { Fail } from '../base/failpoint.ts';
import type { Logger } from '../base/log.ts';
import { deriveKeys, unseal } from '../base/secrets.ts';
import type { GuardedHttp } from '../clients/guarded-http.ts';
import type { Database } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { deleteChat, lockDueChat, postponeChats, type DueChat } from './chat-store.ts';

/** What posting needs. */
export interface ChatDeps {
  db: Database;
  config: Pick<Config, 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'>;
  http: Pick<GuardedHttp, 'post'>;
  log: Pick<Logger, 'info'>;
  fail: Fail;
}

const CHAT_TIMEOUT_MS = 5_000; // that a chat has for its whole answer
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 900_000;

/** Posts the message that is due for longest. False when none is. */
export function sendDueChat(deps: ChatDeps): Promise<boolean> {
  return inTransaction(deps.db.pool, async (client) => {
    const chat = await lockDueChat(client);
    if (!chat) return false;
    const problem = chat.sealedUrl === null || chat.isOld ? null : await post(deps, chat, chat.sealedUrl);
    deps.fail('alert.after-chat');
    if (problem === null) await deleteChat(client, chat);
    else {
      const retryInMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(chat.attempts, 20), LONGEST_RETRY_MS);
      await postponeChats(client, chat, retryInMs);
      deps.log.info({ alertChat: chat.id, problem, retryInMs }, 'an alert could not be posted to its chat');
    }
    return true;
  });
}

/** What chats that speak as Slack does (Mattermost, Discord with /slack, Google Chat) take. */
export function chatBody(text: string): Buffer {
  return Buffer.from(JSON.stringify({ text: escapeControls(text) }), 'utf8');
}

// Names in the text are their owners' choice; `<!channel>` and links that look like others are not (Slack's own rule).
function escapeControls(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function post({ config, http }: ChatDeps, chat: DueChat, sealed: Buffer): Promise<string | null> {
  const url = unseal(deriveKeys(config, 'secret-box'), sealed).toString('utf8');
  const headers = { 'content-type': 'application/json', 'idempotency-key': chat.id };
  const answer = await http.post(url, headers, chatBody(chat.text), CHAT_TIMEOUT_MS);
  if (answer.kind !== 'answered') return answer.detail;
  return answer.status >= 200 && answer.status < 300 ? null : `the chat answered ${answer.status}`;
}

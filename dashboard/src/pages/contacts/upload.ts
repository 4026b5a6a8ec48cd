// Uploads a file of contacts. XMLHttpRequest, because fetch does not report upload progress.

import { fieldSentences } from '../../graphql/error-text.ts';
import { accessToken, renewSession, tokenEndsSoon } from '../../graphql/session.ts';

/** The file and the options of an import. */
export interface UploadRequest {
  body: Blob;
  format: 'csv' | 'json';
  listId: string;
  updateExisting: boolean;
}

/** The import's id, or the error text. */
export type UploadAnswer = { id: string } | { refusal: string };

/** Uploads; `onProgress` receives fractions from 0 to 1. Never throws. */
export async function uploadContacts(
  request: UploadRequest,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<UploadAnswer> {
  try {
    if (accessToken() === null || tokenEndsSoon()) await renewSession();
    return request.format === 'csv'
      ? await send(csvPath(request), 'text/csv', request.body, onProgress, signal)
      : await send(
          '/api/v1/contacts/import',
          'application/json',
          await jsonBody(request),
          onProgress,
          signal,
        );
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : 'The upload failed.' };
  }
}

function csvPath({ listId, updateExisting }: UploadRequest): string {
  const query = new URLSearchParams({
    ...(listId && { list_id: listId }),
    update_existing: String(updateExisting),
  });
  return `/api/v1/contacts/import?${query}`;
}

// A JSON file is a list of contacts, or an object with `contacts`; the form's options are added to it.
async function jsonBody({ body, listId, updateExisting }: UploadRequest): Promise<Blob> {
  const given = parse(await body.text());
  const contacts = Array.isArray(given) ? given : (given as { contacts?: unknown } | null)?.contacts;
  if (!Array.isArray(contacts)) {
    throw new Error('The JSON must be a list of contacts, or an object with "contacts".');
  }
  const request = { contacts, update_existing: updateExisting, ...(listId && { list_id: listId }) };
  return new Blob([JSON.stringify(request)]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error('The content is not valid JSON. Save a table as a .csv file.');
  }
}

function send(
  path: string,
  type: string,
  body: Blob,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<UploadAnswer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.setRequestHeader('authorization', `Bearer ${accessToken() ?? ''}`);
    request.setRequestHeader('content-type', type);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('load', () => resolve(answerOf(request)));
    request.addEventListener('error', () => resolve({ refusal: 'The server cannot be reached. Try again.' }));
    request.addEventListener('abort', () => resolve({ refusal: 'The upload was cancelled.' }));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

interface RestAnswer {
  data?: { id?: string };
  message?: string;
  details?: { path: string; message: string }[];
}

function answerOf({ status, responseText }: XMLHttpRequest): UploadAnswer {
  let answer: RestAnswer = {};
  try {
    answer = JSON.parse(responseText) as RestAnswer;
  } catch {
    // Not an answer of the API: the status is shown instead.
  }
  if (typeof answer.data?.id === 'string') return { id: answer.data.id };
  const refusal = answer.message ?? `The server answered ${status}.`;
  const details = (answer.details ?? []).slice(0, 5);
  return { refusal: details.length > 1 ? fieldSentences(details) : refusal };
}

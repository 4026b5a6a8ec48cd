// Files go over REST, with the same access token: uploads as streams, downloads as files.

import { accessToken, renewSession, tokenEndsSoon } from './session.ts';

/** A request to the REST API as the signed-in person. Answers of any status resolve; a broken line throws. */
async function authorizedFetch(path: string, init: RequestInit = {}): Promise<Response> {
  if (accessToken() === null || tokenEndsSoon()) await renewSession();
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${accessToken() ?? ''}`);
  return fetch(path, { ...init, headers });
}

/** What REST says about a refused request, as one sentence. */
async function refusalText(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => null)) as { message?: string } | null;
  return answer?.message ?? `The server answered ${response.status}.`;
}

/** Downloads a file and has the browser save it as `name`. Throws an Error with the API's words. */
export async function saveFile(path: string, name: string): Promise<void> {
  const response = await authorizedFetch(path);
  if (!response.ok) throw new Error(await refusalText(response));
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Reads a file as text. Throws an Error with the API's words. */
export async function readTextFile(path: string): Promise<string> {
  const response = await authorizedFetch(path);
  if (!response.ok) throw new Error(await refusalText(response));
  return response.text();
}

// What people see between the dashboard and their identity provider: each page tells the next step.

import type { SsoRefusal } from '../../core/sso/finish-login.ts';
import { escapeHtml, plainPage, type Page } from '../plain-page.ts';

/**
 * Says that the sign-in worked and goes on to the dashboard. A page and not a redirect: after a POST from another site
 * a redirect still counts as that site's, and the session's SameSite=Strict cookie would stay behind.
 */
export function signedInPage(): Page {
  const head = '<meta http-equiv="refresh" content="0;url=/">';
  return plainPage(200, 'You are signed in', '<p><a href="/">Go on to the dashboard</a></p>', head);
}

/** Says why nobody was signed in. `loginUrl` starts again. */
export function refusalPage(refusal: SsoRefusal, loginUrl: string, requestId: string): Page {
  const { status, title, text } = words(refusal);
  const again = refusal === 'unavailable' ? '/' : loginUrl;
  const label = refusal === 'unavailable' ? 'Go to the sign-in page' : 'Try again';
  return plainPage(
    status,
    title,
    `<p>${text}</p><p><a href="${escapeHtml(again)}">${label}</a></p><p><small>${escapeHtml(requestId)}</small></p>`,
  );
}

/** Says that the request itself was wrong. */
export function badRequestPage(status: number, text: string): Page {
  return plainPage(
    status,
    'This did not work',
    `<p>${escapeHtml(text)}</p><p><a href="/">Start again</a></p>`,
  );
}

function words(refusal: SsoRefusal): { status: number; title: string; text: string } {
  switch (refusal) {
    case 'unavailable':
      return {
        status: 404,
        title: 'No single sign-on here',
        text: 'This organisation does not use single sign-on now. Sign in with your password, or ask an owner of the account.',
      };
    case 'stale':
      return {
        status: 400,
        title: 'Please start again',
        text: 'This sign-in took longer than 10 minutes, was used before, or began in another browser. If you came from a list of apps, start from our sign-in page.',
      };
    case 'expired':
      return {
        status: 403,
        title: 'The answer came too late',
        text: 'What your identity provider sent is not valid at this time. Try again; if it happens again, its clock is wrong.',
      };
    case 'replayed':
      return { status: 403, title: 'Please start again', text: 'This answer was used before.' };
    case 'idp_refused':
      return {
        status: 403,
        title: 'Your identity provider said no',
        text: 'It did not sign you in. Ask the people who run it whether you may use this app.',
      };
    case 'no_email':
      return {
        status: 403,
        title: 'Your address is missing',
        text: 'Your identity provider did not send your e-mail address. An owner can have it sent as NameID.',
      };
    case 'unknown_person':
      return {
        status: 403,
        title: 'You are not invited yet',
        text: 'There is no account for your address in this organisation. Ask an owner to invite you.',
      };
    case 'super_admin':
      return {
        status: 403,
        title: 'Use your password',
        text: 'People who run this service sign in with their password only.',
      };
    case 'invalid':
      return {
        status: 403,
        title: 'The answer was not accepted',
        text: 'What your identity provider sent did not pass our checks. An owner finds the reason in the audit log.',
      };
    default:
      return refusal satisfies never;
  }
}

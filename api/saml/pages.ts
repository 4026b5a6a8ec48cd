// The pages that people see between the dashboard and their identity provider. Each names the next step.

import type { SsoRefusal } from '../../core/sso/finish-login.ts';
import { escapeHtml, plainPage, type Page } from '../plain-page.ts';

/**
 * Says that the sign-in worked and goes on to the dashboard. A page and not a redirect: after a POST from another site
 * a redirect still counts as that site's, and the session's SameSite=Strict cookie would stay behind.
 */
export function signedInPage(): Page {
  const head = '<meta http-equiv="refresh" content="0;url=/">';
  return plainPage(200, 'You are signed in', '<p><a href="/">Continue to the dashboard</a></p>', head);
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
  return plainPage(status, 'Sign-in failed', `<p>${escapeHtml(text)}</p><p><a href="/">Start again</a></p>`);
}

function words(refusal: SsoRefusal): { status: number; title: string; text: string } {
  switch (refusal) {
    case 'unavailable':
      return {
        status: 404,
        title: 'Single sign-on is not available',
        text: 'This organisation does not use single sign-on. Sign in with your password, or ask an owner of your account.',
      };
    case 'stale':
      return {
        status: 400,
        title: 'Start the sign-in again',
        text: 'This sign-in took longer than 10 minutes, was already used, or was started in another browser. If you came from a list of apps, start from our sign-in page.',
      };
    case 'expired':
      return {
        status: 403,
        title: 'The sign-in has expired',
        text: 'The response of your identity provider has expired or is not valid yet. Try again. If it keeps failing, the clock of the identity provider is wrong.',
      };
    case 'replayed':
      return { status: 403, title: 'Start the sign-in again', text: 'This sign-in was already used.' };
    case 'idp_refused':
      return {
        status: 403,
        title: 'Your identity provider refused the sign-in',
        text: 'Ask its administrator for access to this app.',
      };
    case 'no_email':
      return {
        status: 403,
        title: 'Your email address is missing',
        text: 'Your identity provider did not send your email address. Ask an owner to send it as the NameID.',
      };
    case 'unknown_person':
      return {
        status: 403,
        title: 'You are not invited yet',
        text: 'There is no account for your address in this organisation. Open the link in your invitation first, or ask an owner to invite you.',
      };
    case 'domain_unverified':
      return {
        status: 403,
        title: 'Your domain is not verified any more',
        text: 'Single sign-on works for addresses of domains that this organisation has verified. Ask an owner to check the domain under Domains.',
      };
    case 'super_admin':
      return {
        status: 403,
        title: 'Use your password',
        text: 'Administrators of this service sign in with their password.',
      };
    case 'invalid':
      return {
        status: 403,
        title: 'The sign-in was rejected',
        text: 'The response of your identity provider is not valid. Owners can see the reason in the audit log.',
      };
    default:
      return refusal satisfies never;
  }
}

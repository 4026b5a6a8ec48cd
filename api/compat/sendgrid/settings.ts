// mail_settings and tracking_settings: what of them we do, and what we refuse because mail would say or do something else
// without it.

import type { FieldProblem } from '../../../core/base/errors.ts';
import type { MailBody } from './mail-body.ts';

/** What the settings of a request come to. */
export interface MailSettings {
  /** Check only. */
  sandbox: boolean;
  trackOpens?: boolean;
  trackClicks?: boolean;
  /** Our List-Unsubscribe pair. */
  unsubscribe: boolean;
  /** The text in the content that stands for the link to unsubscribe. */
  unsubscribeTag?: string;
}

type Setting = NonNullable<MailBody['mail_settings']>['footer'];

/** Reads the settings. */
export function readSettings({ mail_settings: mail, tracking_settings: tracking }: MailBody): MailSettings {
  const { open_tracking: open, click_tracking: click, subscription_tracking: leave } = tracking ?? {};
  const tag = leave?.substitution_tag;
  return {
    sandbox: isOn(mail?.sandbox_mode),
    ...(typeof open?.enable === 'boolean' && { trackOpens: open.enable }),
    ...(typeof click?.enable === 'boolean' && { trackClicks: click.enable }),
    unsubscribe: isOn(leave),
    ...(isOn(leave) && tag && { unsubscribeTag: tag }),
  };
}

/** The settings that are refused. */
export function settingProblems({
  mail_settings: mail,
  tracking_settings: tracking,
}: MailBody): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const refuse = (path: string, refused: boolean, message: string) => {
    if (refused) problems.push({ path, message });
  };
  const off = (path: string, setting: Setting, why: string) => refuse(path, isOn(setting), why);
  off('mail_settings.footer', mail?.footer, 'is not supported: put the footer into the content');
  off('mail_settings.bcc', mail?.bcc, 'is not supported: name the address in bcc');
  for (const name of BYPASSES)
    off(`mail_settings.${name}`, mail?.[name], 'is not supported: suppressed addresses get no mail');
  const { open_tracking: open, subscription_tracking: leave, ganalytics } = tracking ?? {};
  off('tracking_settings.ganalytics', ganalytics, 'is not supported: write the parameters into the links');
  refuse(
    'tracking_settings.open_tracking.substitution_tag',
    isOn(open) && !!open?.substitution_tag,
    'is not supported: the pixel is at the end of the HTML',
  );
  for (const part of ['text', 'html'] as const)
    refuse(
      `tracking_settings.subscription_tracking.${part}`,
      isOn(leave) && !!leave?.[part],
      'is not supported: write {{ unsubscribe_url }} where the link belongs, or use substitution_tag',
    );
  return problems;
}

const BYPASSES = [
  'bypass_list_management',
  'bypass_spam_management',
  'bypass_bounce_management',
  'bypass_unsubscribe_management',
] as const;

function isOn(setting: Setting): boolean {
  return setting?.enable === true;
}

// The reasons of suppressions, and the mail that they stop.

/** All reasons with their labels and the warning shown before removal. */
export const SUPPRESSION_REASONS = [
  {
    value: 'bounce',
    label: 'Bounce',
    warning:
      'Mail to this address bounced (permanent). If the mailbox still does not exist, the next message bounces too and harms your reputation.',
  },
  {
    value: 'complaint',
    label: 'Complaint',
    warning:
      'This person reported your mail as spam. Sending to them again harms your reputation and may be against the law.',
  },
  {
    value: 'unsubscribe',
    label: 'Unsubscribe',
    warning:
      'This person unsubscribed. Send marketing mail to them again only if they asked for it and you can prove that.',
  },
  { value: 'manual', label: 'Manual', warning: 'This address was added manually.' },
] as const;

/** Which mail a suppression stops, and how a notice and a dialog say it. */
export const SUPPRESSION_STREAMS = [
  {
    value: 'all',
    label: 'All mail',
    stopped: 'no mail is sent to this address.',
    sentAgain: 'Mail to this address will be sent again.',
  },
  {
    value: 'bulk',
    label: 'Marketing only',
    stopped: 'campaigns and mail with an unsubscribe link are not sent to this address. Other mail is sent.',
    sentAgain: 'Campaigns and mail with an unsubscribe link will be sent to this address again.',
  },
] as const;

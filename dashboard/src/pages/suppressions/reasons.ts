// Why an address is suppressed.

/** All reasons with their names and what they mean for taking one off the list. */
export const SUPPRESSION_REASONS = [
  {
    value: 'bounce',
    label: 'Bounce',
    warning:
      'Mail to it was refused for good. If the mailbox still does not exist, the next message bounces too, and harms your reputation.',
  },
  {
    value: 'complaint',
    label: 'Complaint',
    warning:
      'This person reported your mail as spam. Writing to them again harms your reputation, and may be against the law.',
  },
  {
    value: 'unsubscribe',
    label: 'Unsubscribe',
    warning:
      'This person asked for no more mail. Write to them again only if they asked you to, and can show it.',
  },
  { value: 'manual', label: 'Manual', warning: 'Somebody of your account put it on the list by hand.' },
] as const;

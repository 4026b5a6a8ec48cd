// The placeholders of Resend's broadcasts as variables of ours: `{{{FIRST_NAME|there}}}` or `{{{contact.first_name|there}}}`
// becomes `{{ first_name | default: "there" }}`. Whatever else looks like Liquid was plain text there, and stays it.

const TAG = /\{\{\{\s*([A-Za-z_][\w.]*)\s*(?:\|([^{}]*))?\}\}\}|\{\{|\{%/g;

const NAMES: Readonly<Record<string, string>> = {
  RESEND_UNSUBSCRIBE_URL: 'unsubscribe_url',
  FIRST_NAME: 'first_name',
  LAST_NAME: 'last_name',
  EMAIL: 'email',
};

/** A text with placeholders as Liquid. */
export function toLiquid(text: string): string {
  return text.replace(TAG, (whole, name: string | undefined, fallback: string | undefined) => {
    if (name === undefined) return `{{ "${whole}" }}`;
    const variable = NAMES[name] ?? name.replace(/^contact\./, '');
    return fallback === undefined
      ? `{{ ${variable} }}`
      : `{{ ${variable} | default: ${quoted(fallback.trim())} }}`;
  });
}

// A text of Liquid has no escapes: whichever quote it does not hold is around it.
function quoted(text: string): string {
  return text.includes('"') ? `'${text.replaceAll("'", '’')}'` : `"${text}"`;
}

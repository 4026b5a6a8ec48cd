// The filters and what they take, in one place: a template is checked against it when it is saved (check-template.ts),
// and values are converted by it when a filter runs (filters.ts). The names are those of liquidjs; how many arguments
// there may be is as in Shopify's Liquid, where that has the filter.

/** What a filter makes of its input: its text, the texts of a list, the number of seconds, or nothing. */
type Input = 'text' | 'texts' | 'time' | 'any';

/** What an argument must be, where it is written out. */
export type ArgumentKind = 'text' | 'number' | 'integer' | 'divisor' | 'list' | 'any';

/** What one filter takes; the arguments after the first `required` may be left out. */
export interface FilterRule {
  input: Input;
  required: number;
  args: readonly ArgumentKind[];
  /** Arguments that are given by name, after all others. */
  named?: readonly string[];
}

/** Every filter by its name. */
export const FILTERS: Readonly<Record<string, FilterRule>> = {
  ...takes({ input: 'text', required: 0, args: [] }, [
    ...['escape', 'escape_once', 'xml_escape', 'newline_to_br', 'strip_html'],
    ...['url_decode', 'url_encode', 'cgi_escape', 'uri_escape'],
    ...['downcase', 'upcase', 'capitalize', 'strip_newlines', 'squish', 'normalize_whitespace'],
    ...['base64_encode', 'base64_decode', 'sha256'],
  ]),
  ...takes({ input: 'text', required: 0, args: ['text'] }, ['lstrip', 'rstrip', 'strip', 'number_of_words']),
  ...takes({ input: 'text', required: 0, args: ['text', 'any'] }, ['slugify']),
  ...takes({ input: 'text', required: 1, args: ['text'] }, [
    ...['append', 'prepend', 'split', 'hmac_sha256'],
    ...['remove', 'remove_first', 'remove_last'],
  ]),
  ...takes({ input: 'text', required: 1, args: ['text', 'text'] }, ['replace', 'replace_first']),
  ...takes({ input: 'text', required: 2, args: ['text', 'text'] }, ['replace_last']),
  ...takes({ input: 'text', required: 0, args: ['integer', 'text'] }, ['truncate', 'truncatewords']),

  ...takes({ input: 'any', required: 0, args: [] }, ['abs', 'ceil', 'floor', 'to_integer']),
  ...takes({ input: 'any', required: 1, args: ['number'] }, [
    'at_least',
    'at_most',
    'plus',
    'minus',
    'times',
  ]),
  ...takes({ input: 'any', required: 1, args: ['divisor'] }, ['modulo']),
  ...takes({ input: 'any', required: 1, args: ['divisor', 'any'] }, ['divided_by']),
  ...takes({ input: 'any', required: 0, args: ['integer'] }, ['round']),

  ...takes({ input: 'time', required: 1, args: ['text', 'any'] }, ['date']),
  ...takes({ input: 'time', required: 0, args: [] }, ['date_to_xmlschema', 'date_to_rfc822']),
  ...takes({ input: 'time', required: 0, args: ['text', 'text'] }, ['date_to_string', 'date_to_long_string']),

  ...takes({ input: 'texts', required: 0, args: ['text'] }, ['join', 'array_to_sentence_string']),
  ...takes({ input: 'any', required: 0, args: [] }, [
    'first',
    'last',
    'reverse',
    'size',
    'pop',
    'shift',
    'raw',
  ]),
  ...takes({ input: 'any', required: 0, args: ['text'] }, ['sort', 'sort_natural', 'sum', 'compact', 'uniq']),
  ...takes({ input: 'any', required: 1, args: ['text'] }, ['map', 'group_by']),
  ...takes({ input: 'any', required: 1, args: ['any'] }, ['push', 'unshift']),
  ...takes({ input: 'any', required: 1, args: ['list'] }, ['concat']),
  ...takes({ input: 'any', required: 1, args: ['integer', 'integer'] }, ['slice']),
  ...takes({ input: 'any', required: 0, args: ['integer'] }, ['sample']),
  ...takes({ input: 'any', required: 1, args: ['text', 'any'] }, [
    ...['where', 'reject', 'has', 'find', 'find_index'],
  ]),
  ...takes({ input: 'any', required: 2, args: ['text', 'text'] }, [
    ...['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp'],
  ]),

  ...takes({ input: 'any', required: 0, args: ['any'], named: ['allow_false'] }, ['default']),
  ...takes({ input: 'any', required: 0, args: ['any'] }, ['json', 'jsonify', 'inspect']),
};

function takes(rule: FilterRule, names: string[]): Record<string, FilterRule> {
  return Object.fromEntries(names.map((name) => [name, rule]));
}

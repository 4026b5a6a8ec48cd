// Ends of a message that are none: the ten with which smtpsmug (https://github.com/hannob/smtpsmug) tries servers, by its
// names. Its `nullafter` sends the bytes of `nullbefore`; here it is what its name says.

/** What a server may take for the end of a message, by name. */
export const BAD_ENDINGS: readonly (readonly [name: string, bytes: string])[] = [
  ['lflf', '\n.\n'],
  ['crcr', '\r.\r'],
  ['crlf', '\r.\n'],
  ['lfcr', '\n.\r'],
  ['lfcrlf', '\n.\r\n'],
  ['crlflf', '\r\n.\n'],
  ['crcrlf', '\r.\r\n'],
  ['crlfcr', '\r\n.\r'],
  ['nullbefore', '\r\n\0.\r\n'],
  ['nullafter', '\r\n.\0\r\n'],
];

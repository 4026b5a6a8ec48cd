// urql's cache knows answers by their types; an answer without a connection names no type.

/** Context of the page's query and of what changes the connection. */
export const SSO_CHANGED = { additionalTypenames: ['SamlConnection'] };

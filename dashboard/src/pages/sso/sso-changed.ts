// The connection has no id, and a query that found none names no type.

/** Context of the page's query and of what changes the connection. */
export const SSO_CHANGED = { additionalTypenames: ['SamlConnection'] };

// How a route is retired: its answers carry `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) from the day it is
// announced, and the OpenAPI document marks it. docs/versioning.md has the promise to clients.

/** Days between the announcement and the last day; interface specification, section 9. */
export const DEPRECATION_NOTICE_DAYS = 90;

/** A route that will be removed. */
export interface Deprecation {
  /** UTC day of the announcement, `YYYY-MM-DD`. */
  since: string;
  /** UTC day on which the route stops answering, at least DEPRECATION_NOTICE_DAYS later. */
  sunset: string;
  /** URL or path of what to use instead. */
  successor?: string;
}

/** The headers that announce it; none for a route that stays. */
export function deprecationHeaders(deprecation: Deprecation | undefined): Record<string, string> {
  if (!deprecation) return {};
  return {
    deprecation: `@${startOf(deprecation.since) / 1000}`,
    sunset: new Date(startOf(deprecation.sunset)).toUTCString(),
    ...(deprecation.successor !== undefined && {
      link: `<${deprecation.successor}>; rel="successor-version"`, // RFC 5829 section 3.3
    }),
  };
}

/** Days of notice that it gives. */
export function noticeDays({ since, sunset }: Deprecation): number {
  return (startOf(sunset) - startOf(since)) / 86_400_000;
}

function startOf(day: string): number {
  const at = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(at)) throw new Error(`${day} is not a day written as YYYY-MM-DD`);
  return at;
}

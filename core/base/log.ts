// Structured logs (pino, JSON lines on stdout). Secrets, message bodies and whole requests are never passed to
// the logger; the redaction below is a second safeguard, for the names under which they would slip in.

import { pino, type Logger, type LoggerOptions } from 'pino';

import type { Config } from './config.ts';
import { traceFields } from './trace.ts';

export type { Logger };

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'api_key',
  'value',
  'html',
  'text',
  'raw',
  'content',
  'private_key',
];

const STDOUT = 1;

/**
 * The root logger of one process. `service` is in every line, and with traces the ids of the span that it belongs to. What
 * goes elsewhere is written at once.
 */
export function createLogger(
  config: Pick<Config, 'LOG_LEVEL'> & Partial<Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT'>>,
  service: string,
  fd = STDOUT,
): Logger {
  const options: LoggerOptions = {
    level: config.LOG_LEVEL,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      censor: '[secret]',
    },
    serializers: { err: describeError },
    ...(config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined && { mixin: traceFields }),
  };
  return fd === STDOUT ? pino(options) : pino(options, pino.destination({ dest: fd, sync: true }));
}

/** What is logged of an error: kind, message, code and stack, never the values that a driver attached. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as Error & { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

import pino, { type DestinationStream, type Logger } from 'pino';
import { requestFields } from './request-context.ts';

export type Log = Logger;

/** Secrets of keys and tokens, wherever they appear in a log line. */
const API_KEY = /(ar_[0-9A-Za-z]{12}_)[0-9A-Za-z]{43}/g;
const TOKEN = /(eyJ[\w-]+)\.[\w-]+\.[\w-]+/g;

/** Redacts the secrets of keys and tokens. */
export function withoutSecrets(text: string): string {
  return text.replace(API_KEY, '$1[redacted]').replace(TOKEN, '$1.[redacted]');
}

/**
 * Structured logging (JSON lines) to standard error, since standard output carries results or, in
 * `mcp` mode, the protocol. Lines logged during a request carry its correlation id.
 */
export function createLog(level: string, destination: DestinationStream = standardError()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: requestFields,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
      redact: ['*.apiKey', '*.authorization', '*["x-api-key"]', '*.secret', '*.password'],
    },
    destination,
  );
}

/** Bytes of buffered lines. */
const MAX_WAITING_BYTES = 64 * 1024;

/**
 * Standard error may be a file on a full disk. The server must survive that: lines are buffered,
 * and dropped beyond the limit.
 */
function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING_BYTES }).on('error', () => undefined);
}

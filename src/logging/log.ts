import pino, { type DestinationStream, type Logger } from 'pino';
import { requestFields } from './request-context.ts';

export type Log = Logger;

/** Wherever a key or a token turns up, in a path or an error's text, its secret stays out of the log. */
const API_KEY = /(ar_[0-9A-Za-z]{12}_)[0-9A-Za-z]{43}/g;
const TOKEN = /(eyJ[\w-]+)\.[\w-]+\.[\w-]+/g;

/** The text with the secrets of keys and tokens taken out. */
export function withoutSecrets(text: string): string {
  return text.replace(API_KEY, '$1[redacted]').replace(TOKEN, '$1.[redacted]');
}

/**
 * Structured lines on standard error: standard output belongs to answers, and in `mcp` mode to the protocol. What is
 * logged during a request carries its id.
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

/** Lines that may wait for room, in bytes. */
const MAX_WAITING_BYTES = 64 * 1024;

/**
 * Where standard error is a file on a full disk, the log is the first thing that cannot be written. That must not end the
 * server: lines wait for room, and those beyond are dropped.
 */
function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING_BYTES }).on('error', () => undefined);
}

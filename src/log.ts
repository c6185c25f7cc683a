import pino, { type DestinationStream, type Logger } from 'pino';
import { requestFields } from './requests.ts';

export type Log = Logger;

/** Wherever a key turns up, in a path or an error's text, its secret stays out of the log. */
const API_KEY = /(ar_[0-9A-Za-z]{12}_)[0-9A-Za-z]{43}/g;

/**
 * Structured lines on standard error: standard output belongs to answers, and in `mcp` mode to the protocol. What is
 * logged during a request carries its id.
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: requestFields,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => line.replace(API_KEY, '$1[redacted]') },
      redact: ['*.apiKey', '*.authorization', '*["x-api-key"]', '*.secret', '*.password'],
    },
    destination,
  );
}

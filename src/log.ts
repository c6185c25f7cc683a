import pino, { type Logger } from 'pino';
import { requestFields } from './requests.ts';

export type Log = Logger;

/**
 * Structured lines on standard error: standard output belongs to answers, and in `mcp` mode to the protocol. What is
 * logged during a request carries its id.
 */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: requestFields,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['*.apiKey', '*.authorization', '*["x-api-key"]', '*.secret', '*.password'],
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

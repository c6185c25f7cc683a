import pino, { type DestinationStream, type Logger } from 'pino';
import { requestFields } from './request-context.ts';

export type Log = Logger;

const API_KEY = /(ar_[0-9A-Za-z]{12}_)[0-9A-Za-z]{43}/g;
const TOKEN = /(eyJ[\w-]+)\.[\w-]+\.[\w-]+/g;

export function withoutSecrets(text: string): string {
  return text.replace(API_KEY, '$1[redacted]').replace(TOKEN, '$1.[redacted]');
}

/** JSON lines to standard error, since standard output carries results or the MCP protocol. */
export function createLog(level: string, destination: DestinationStream = standardError()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: requestFields,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
      redact: [
        '*.apiKey',
        '*.authorization',
        '*.cookie',
        '*["set-cookie"]',
        '*["x-api-key"]',
        '*.secret',
        '*.password',
      ],
    },
    destination,
  );
}

const MAX_WAITING_BYTES = 64 * 1024;

/** Survives a full disk: buffers lines, and drops them beyond the limit. */
function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING_BYTES }).on('error', () => undefined);
}

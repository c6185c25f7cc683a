import pino, { type DestinationStream, type Logger } from 'pino';
import { type RecentLine, RecentLines } from './recent.ts';
import { requestFields } from './request-context.ts';

export type Log = Logger;

const API_KEY = /(ar_[0-9A-Za-z]{12}_)[0-9A-Za-z]{43}/g;
const LINK = /(arl_)[0-9A-Za-z]{43}/g;
const TOKEN = /(eyJ[\w-]+)\.[\w-]+\.[\w-]+/g;

export function withoutSecrets(text: string): string {
  return text.replace(API_KEY, '$1[redacted]').replace(LINK, '$1[redacted]').replace(TOKEN, '$1.[redacted]');
}

const recentByLog = new WeakMap<Log, RecentLines>();

/** The last 100 warnings and errors of the log, newest first. */
export function recentLinesOf(log: Log): RecentLine[] {
  return recentByLog.get(log)?.newestFirst() ?? [];
}

/** JSON lines to standard error, since standard output carries results or the MCP protocol. */
export function createLog(level: string, destination: DestinationStream = standardError()): Log {
  const recent = new RecentLines();
  const write = (text: string) => {
    const redacted = withoutSecrets(text);
    recent.note(redacted);
    return redacted;
  };
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: requestFields,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: write },
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
  recentByLog.set(log, recent);
  return log;
}

const MAX_WAITING_BYTES = 64 * 1024;

/** Survives a full disk: buffers lines, and drops them beyond the limit. */
function standardError(): DestinationStream {
  return pino.destination({ dest: 2, sync: true, maxLength: MAX_WAITING_BYTES }).on('error', () => undefined);
}

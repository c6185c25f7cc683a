const KEPT_LINES = 100;
const MAX_TEXT = 500;
const KEPT_LEVEL = /^\{"level":"(?:warn|error|fatal)"/;

/** A warning or an error, without the fields that only the log itself has. */
export interface RecentLine {
  at: string;
  level: string;
  message: string;
  /** The reason, or the message of the error. */
  detail: string | null;
  requestId: string | null;
}

/** A ring buffer of the newest warnings and errors, for the page of an operator. */
export class RecentLines {
  private readonly lines: RecentLine[] = [];

  /** Takes a line of the log as it is written: redacted, and with its level first. */
  note(text: string): void {
    if (!KEPT_LEVEL.test(text)) return;
    const line = lineOf(text);
    if (line === null) return;
    if (this.lines.push(line) > KEPT_LINES) this.lines.shift();
  }

  newestFirst(): RecentLine[] {
    return this.lines.toReversed();
  }
}

function lineOf(text: string): RecentLine | null {
  const fields = parsed(text);
  if (fields === null) return null;
  const { time, level, msg, reason, error, err, requestId } = fields;
  const { message } = (err ?? {}) as { message?: unknown };
  return {
    at: String(time),
    level: String(level),
    message: shortened(msg) ?? '',
    detail: shortened(reason) ?? shortened(error) ?? shortened(message),
    requestId: shortened(requestId),
  };
}

/** A line of another shape is left to the log. */
function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function shortened(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)} …` : value;
}

import { serverText } from '../language/index.ts';
import { messagesByField, statusOf } from './errors.ts';

/** The server's messages by the fields that the page shows. */
export interface FieldMessages {
  /** The message of the field with this path in the request: `config.steps[1].eventName`. */
  at(path: string): string | undefined;
  /** The messages without a shown field, unchanged. */
  others: string[];
}

/**
 * The messages of a refused request (400); none of another error. Each goes to the shown field with its path, or to the
 * nearest one around it: `filters[0].value[3]` to `filters[0].value`.
 */
export function fieldMessages(error: unknown, shown: Iterable<string>): FieldMessages {
  const byPath = statusOf(error) === 400 ? messagesByField(error) : new Map<string, string[]>();
  const paths = new Set(shown);
  const placed = new Map<string, string[]>();
  const others: string[] = [];
  for (const [path, messages] of byPath) {
    const field = nearest(path, paths);
    if (field === null) others.push(...messages);
    else placed.set(field, [...(placed.get(field) ?? []), ...messages.map((message) => withoutPath(message, path))]);
  }
  return { at: (path) => placed.get(path)?.join('. '), others };
}

function nearest(path: string, shown: ReadonlySet<string>): string | null {
  for (let rest = path; rest !== ''; rest = rest.replace(/(^|\.)[^.[\]]+$|\[[^[\]]*\]$/, '')) {
    if (shown.has(rest)) return rest;
    if (!/[.[]/.test(rest)) return null;
  }
  return null;
}

/** "Must not be empty" for `config.eventName: must not be empty`. */
function withoutPath(message: string, path: string): string {
  const text = serverText(message.startsWith(path) ? message.slice(path.length).replace(/^:?\s*/, '') : message);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

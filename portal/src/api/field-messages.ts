/** The server's messages by the fields that the page shows. */
export interface FieldMessages {
  /** The message of the field with this path in the request: `config.steps[1].eventName`. */
  at(path: string): string | undefined;
  /** The messages without a shown field, unchanged. */
  others: string[];
}

export const NO_MESSAGES: FieldMessages = { at: () => undefined, others: [] };

/**
 * Each message goes to the shown field with its path, or to the nearest one around it:
 * `filters[0].value[3]` to `filters[0].value`.
 */
export function placeMessages(byPath: ReadonlyMap<string, readonly string[]>, shown: Iterable<string>): FieldMessages {
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
  const text = message.startsWith(path) ? message.slice(path.length).replace(/^:?\s*/, '') : message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

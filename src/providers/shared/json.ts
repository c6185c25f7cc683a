/** Undefined if the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function tryParseObject(text: string): Record<string, unknown> | null {
  const value = tryParseJson(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : null;
}

/** The schema of a function's arguments with the members that APIs miss in `{}`. */
export function objectSchema(parameters: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'object', properties: {}, ...parameters };
}

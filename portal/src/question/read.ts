/* Configs and questions may have any content: they come from the address bar or from JSON that a person typed. */

/** A text; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The keys of a member that has one key or several. */
export function keysOf(value: unknown): string[] {
  return [value].flat().filter((key) => typeof key === 'string');
}

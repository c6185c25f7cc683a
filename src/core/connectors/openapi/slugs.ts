import { untaken } from './values.ts';

const MAX_SLUG = 100;

/** What an operation is called here: as its document calls it, as far as a slug can, or else by method and path. */
export function slugOf(operationId: unknown, method: string, path: string, taken: Set<string>): string {
  const given = typeof operationId === 'string' ? fitting(operationId) : '';
  return untaken(given || fitting(`${method.toLowerCase()}${path.replace(/[{}]/g, '')}`), taken, MAX_SLUG);
}

function fitting(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX_SLUG)
    .replace(/-+$/, '');
}

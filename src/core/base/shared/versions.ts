import { createHash } from 'node:crypto';
import { RuntimeError } from './errors.ts';

/** A hash of what people edit: it changes with each member, and HTTP shows it as the ETag. */
export function editVersion(edited: unknown): string {
  return createHash('sha256').update(JSON.stringify(edited)).digest('base64url').slice(0, 22);
}

/**
 * Throws `stale` if `current` is another version than the one that the caller has read; undefined
 * expects none.
 */
export function requireVersion(expected: string | undefined, current: string, what: string): void {
  if (expected === undefined || expected === current) return;
  throw new RuntimeError(
    'stale',
    `${what} was changed in the meantime; nothing of this change is stored. Get it again, and send the change with the new ETag.`,
  );
}

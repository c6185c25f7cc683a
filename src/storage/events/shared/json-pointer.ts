import type { PropertyPath } from '../../../core/analytics/events/predicates.ts';

/** RFC 6901. */
export function jsonPointer(path: PropertyPath): string {
  return path.map(pointerStep).join('');
}

export function pointerStep(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

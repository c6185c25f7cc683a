import type { Schemas } from '../../api/schemas.ts';

const CHECKED: readonly string[] = ['number', 'rate', 'gauge', 'line', 'bar'];

/** True if the card shows one number or one line, which an alert can check. */
export function canAlert({ cardType, config }: Pick<Schemas['Card'], 'cardType' | 'config'>): boolean {
  return CHECKED.includes(cardType) && !('groupBy' in config) && !('group_by' in config);
}

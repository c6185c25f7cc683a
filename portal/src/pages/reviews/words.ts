import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';

type Review = Schemas['Review'];
export type Rating = Review['rating'];

/** From the best to the worst. */
export const RATINGS: readonly { value: Rating; label: string }[] = [
  { value: 'good', label: t('Good|a rating') },
  { value: 'needs_improvement', label: t('Needs improvement|a rating') },
  { value: 'bad', label: t('Bad|a rating') },
];

export const STATUSES: readonly { value: Review['status']; label: string }[] = [
  { value: 'pending_review', label: t('Pending|a review') },
  { value: 'in_progress', label: t('In progress|a review') },
  { value: 'resolved', label: t('Resolved|a review') },
  { value: 'wont_fix', label: t('Will not be fixed|a review') },
];

export const PRIORITIES: readonly { value: Review['priority']; label: string }[] = [
  { value: 'critical', label: t('Critical|a priority') },
  { value: 'high', label: t('High|a priority') },
  { value: 'medium', label: t('Medium|a priority') },
  { value: 'low', label: t('Low|a priority') },
];

/** The API counts no further. */
const MAX_WAITING = 1_000;

/** "12 of 240 are done"; "Nothing is in it yet" */
export function progressText({ waiting, done }: Record<'waiting' | 'done', number>): string {
  const total = waiting + done;
  if (total === 0) return t('Nothing is in it yet');
  return waiting >= MAX_WAITING
    ? t.count(done, '{count} of {total} or more is done', '{count} of {total} or more are done', { total })
    : t.count(done, '{count} of {total} is done', '{count} of {total} are done', { total });
}

export function labelOf<Value extends string>(
  options: readonly { value: Value; label: string }[],
  value: Value,
): string {
  return options.find((option) => option.value === value)?.label ?? '';
}

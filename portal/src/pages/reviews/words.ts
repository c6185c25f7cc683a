import type { Schemas } from '../../api/schemas.ts';

type Review = Schemas['Review'];
export type Rating = Review['rating'];

/** From the best to the worst. */
export const RATINGS: readonly { value: Rating; label: string }[] = [
  { value: 'good', label: 'Good' },
  { value: 'needs_improvement', label: 'Needs improvement' },
  { value: 'bad', label: 'Bad' },
];

export const STATUSES: readonly { value: Review['status']; label: string }[] = [
  { value: 'pending_review', label: 'Pending' },
  { value: 'in_progress', label: 'In progress' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'wont_fix', label: 'Will not be fixed' },
];

export const PRIORITIES: readonly { value: Review['priority']; label: string }[] = [
  { value: 'critical', label: 'Critical' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
];

/** The API counts no further. */
const MAX_WAITING = 1_000;

/** "12 of 240 are done"; "Nothing is in it yet" */
export function progressText({ waiting, done }: Record<'waiting' | 'done', number>, locale?: string): string {
  if (waiting + done === 0) return 'Nothing is in it yet';
  const total = `${(waiting + done).toLocaleString(locale)}${waiting >= MAX_WAITING ? ' or more' : ''}`;
  return `${done.toLocaleString(locale)} of ${total} ${done === 1 ? 'is' : 'are'} done`;
}

export function labelOf<Value extends string>(
  options: readonly { value: Value; label: string }[],
  value: Value,
): string {
  return options.find((option) => option.value === value)?.label ?? '';
}

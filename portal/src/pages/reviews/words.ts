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

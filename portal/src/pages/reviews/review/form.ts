import type { Schemas } from '../../../api/schemas.ts';
import { changedOf } from '../../../editor/values.ts';
import { t } from '../../../language/index.ts';
import { labelOf, PRIORITIES, RATINGS, type Rating, STATUSES } from '../words.ts';

type Review = Schemas['Review'];

/** The texts of the form of a review. */
export interface ReviewForm {
  /** '' before somebody has chosen one. */
  rating: Rating | '';
  comment: string;
  priority: Review['priority'];
  /** With commas between them. */
  tags: string;
  status: Review['status'];
  /** '': the answer stands. */
  correctedOutput: string;
}

/** The form of a review, or of a new one. */
export function formOf(review: Review | null): ReviewForm {
  return {
    rating: review?.rating ?? '',
    comment: review?.comment ?? '',
    priority: review?.priority ?? 'medium',
    tags: review?.tags.join(', ') ?? '',
    status: review?.status ?? 'pending_review',
    correctedOutput: review?.correctedOutput ?? '',
  };
}

/** The members that a change can have. A correction that is the answer itself is none. */
function requestOf({ comment, priority, tags, status, correctedOutput }: ReviewForm, answer: string) {
  const isCorrection = correctedOutput !== '' && correctedOutput !== answer;
  return {
    comment,
    priority,
    tags: tagsIn(tags),
    status,
    correctedOutput: isCorrection ? correctedOutput : null,
  };
}

type Changes = Partial<ReturnType<typeof requestOf>>;

/** The tags of a text, once each. */
export function tagsIn(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags)].filter((tag) => tag !== '');
}

/** The request of a new review, which has a rating. The API takes the other members in a change. */
export function createdFrom(form: ReviewForm) {
  const { comment, priority, tags } = requestOf(form, '');
  return { rating: form.rating as Rating, comment, priority, tags };
}

/**
 * The members that differ from `start`; null if none do. Others may have been changed by somebody else meanwhile. The
 * rating is never one: the API sets it once.
 */
export function changesOf(form: ReviewForm, start: ReviewForm, answer: string): Changes | null {
  const changes = changedOf(requestOf(form, answer), requestOf(start, answer));
  return Object.keys(changes).length > 0 ? changes : null;
}

/** The change that takes another one back. */
export function undoneBy(changes: Changes, before: Review): Changes {
  const names = Object.keys(changes) as (keyof Changes)[];
  return Object.fromEntries(names.map((name) => [name, before[name]]));
}

/** The fewest characters of a comment. */
export const MIN_COMMENT = 10;

/** How many characters the comment lacks. */
export function lackingOf({ comment }: ReviewForm): number {
  return Math.max(0, MIN_COMMENT - comment.trim().length);
}

export type Problems = Partial<Record<'rating' | 'comment' | 'answers', string>>;

/** Why the form cannot be sent, by its fields. */
export function problemsOf(form: ReviewForm): Problems {
  const lacking = lackingOf(form);
  return {
    ...(form.rating === '' && { rating: t('Choose a rating.') }),
    ...(lacking > 0 && {
      comment: t('The comment needs at least {least} characters: {lacking} more.', { least: MIN_COMMENT, lacking }),
    }),
  };
}

/** The members of a form in words, as two versions are compared. */
export function wordsOf(form: ReviewForm): [label: string, value: string][] {
  return [
    [t('Rating'), form.rating === '' ? '' : labelOf(RATINGS, form.rating)],
    [t('Comment'), form.comment],
    [t('Status'), labelOf(STATUSES, form.status)],
    [t('Priority'), labelOf(PRIORITIES, form.priority)],
    [t('Tags'), tagsIn(form.tags).join(', ')],
    [t('Corrected answer'), form.correctedOutput],
  ];
}

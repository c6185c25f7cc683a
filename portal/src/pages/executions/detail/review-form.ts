import type { Schemas } from '../../../api/schemas.ts';
import { changedOf } from '../../../editor/values.ts';
import type { Rating } from '../../reviews/words.ts';

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

function requestOf({ comment, priority, tags, status, correctedOutput }: ReviewForm) {
  return {
    comment,
    priority,
    tags: tagsIn(tags),
    status,
    correctedOutput: correctedOutput === '' ? null : correctedOutput,
  };
}

function tagsIn(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** A new review. What the API takes in a later change alone is left out. */
export function createdFrom({ rating, ...form }: ReviewForm) {
  const { comment, priority, tags } = requestOf({ rating, ...form });
  return { rating: rating as Rating, comment, priority, tags };
}

/** The members that a review gets after it was created; null if none. */
export function completionOf(form: ReviewForm) {
  const { status, correctedOutput } = requestOf(form);
  const members = {
    ...(status !== 'pending_review' && { status }),
    ...(correctedOutput !== null && { correctedOutput }),
  };
  return Object.keys(members).length > 0 ? members : null;
}

/** The members that were edited; null if none. Others may have been changed by somebody else meanwhile. */
export function changesOf(form: ReviewForm, start: ReviewForm): Partial<ReturnType<typeof requestOf>> | null {
  const changes = changedOf(requestOf(form), requestOf(start));
  return Object.keys(changes).length > 0 ? changes : null;
}

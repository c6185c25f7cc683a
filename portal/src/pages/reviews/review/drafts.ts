import { DRAFTS, store, stored } from '../../../ui/stored.ts';
import { formOf, type ReviewForm } from './form.ts';
import { NO_ANSWERS, type RubricForm } from './rubric.ts';

/** A review and answers that a person has typed and not saved. */
export interface Draft {
  form: ReviewForm;
  rubric: RubricForm;
}

interface KeptDraft extends Draft {
  /** The review as it was when the person began. */
  base: ReviewForm;
}

const keyOf = (userId: string, executionId: string) => `${DRAFTS}${userId} ${executionId}`;

/** Null if there is none. */
export function draftOf(userId: string, executionId: string): KeptDraft | null {
  const text = stored('localStorage', keyOf(userId, executionId));
  if (text === undefined) return null;
  try {
    const { form, rubric, base } = JSON.parse(text);
    const none = formOf(null);
    return { form: { ...none, ...form }, rubric: { ...NO_ANSWERS, ...rubric }, base: { ...none, ...base } };
  } catch {
    return null;
  }
}

/** Null removes it. False if the browser keeps none. */
export function keepDraft(userId: string, executionId: string, draft: KeptDraft | null): boolean {
  return store('localStorage', keyOf(userId, executionId), draft === null ? undefined : JSON.stringify(draft));
}

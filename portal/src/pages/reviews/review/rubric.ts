import type { Schemas } from '../../../api/schemas.ts';

type Question = Schemas['Rubric']['questions'][number];
export type Answers = Schemas['Assessment']['answers'];

/** A person's answers to a rubric, as the form holds them. */
export interface RubricForm {
  /** By the id of the question; '' for no answer. */
  answers: Record<string, string>;
  comment: string;
}

export const NO_ANSWERS: RubricForm = { answers: {}, comment: '' };

const SCALE = ['1', '2', '3', '4', '5'];

/** The answers that a question offers; none for a text. */
export function choicesOf({ type, choices = [] }: Question): { value: string; label: string }[] {
  if (type === 'boolean') {
    return [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ];
  }
  return (type === 'scale' ? SCALE : choices).map((value) => ({ value, label: value }));
}

/** The form of an earlier assessment, or an empty one. */
export function rubricFormOf(assessment: Pick<Schemas['Assessment'], 'answers' | 'comment'> | null): RubricForm {
  if (assessment === null) return NO_ANSWERS;
  const answers = Object.entries(assessment.answers).map(([id, value]) => [id, String(value)]);
  return { answers: Object.fromEntries(answers), comment: assessment.comment ?? '' };
}

/** The answers as the API takes them; questions without one are left out. */
export function answersIn(questions: readonly Question[], { answers }: RubricForm): Answers {
  const given = questions.flatMap(({ id, type }) => {
    const text = answers[id]?.trim() ?? '';
    if (text === '') return [];
    return [[id, type === 'boolean' ? text === 'true' : type === 'scale' ? Number(text) : text]];
  });
  return Object.fromEntries(given);
}

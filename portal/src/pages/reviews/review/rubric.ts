import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';

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
      { value: 'true', label: t('Yes') },
      { value: 'false', label: t('No') },
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

interface AnswerInWords {
  id: string;
  /** The question; its id where it is not known. */
  text: string;
  answer: string;
}

/** The answers of an assessment as people read them, in the order of the questions. */
export function answersInWords(questions: readonly Question[] | undefined, answers: Answers): AnswerInWords[] {
  const asked = questions ?? Object.keys(answers).map((id): Question => ({ id, text: id, type: 'text' }));
  return asked.flatMap((question) => {
    const { id, text, type } = question;
    if (!Object.hasOwn(answers, id)) return [];
    const given = String(answers[id]);
    const answer = choicesOf(question).find(({ value }) => value === given)?.label ?? given;
    return [{ id, text, answer: type === 'scale' ? t('{answer} of {most}', { answer, most: SCALE.length }) : answer }];
  });
}

import { type RuntimeError, unprocessable } from '../../base/shared/errors.ts';
import { listNames, suggestion } from '../../base/shared/names.ts';
import { type RubricQuestion, SCALE } from './rubric-schema.ts';
import { type Answers, type Assess, MAX_ANSWERS_BYTES, MAX_TEXT_ANSWER } from './schema.ts';
import type { StoredRubric } from './store.ts';

/**
 * The given answers in the order of the rubric, without nulls. Throws `unprocessable`, which names
 * the first wrong answer's question and what it takes.
 */
export function checkedAnswers(rubric: StoredRubric, given: Assess['answers']): Answers {
  const byId = new Map(Object.entries(given).filter(([, value]) => value !== null)) as Map<string, Answers[string]>;
  const answers: [string, Answers[string]][] = [];
  for (const question of rubric.questions) {
    const value = byId.get(question.id);
    if (value === undefined) continue;
    const wanted = wantedBeside(question, value);
    if (wanted !== null) throw wrong(`${question.id}: ${wanted}; the question is ${JSON.stringify(question.text)}`);
    answers.push([question.id, value]);
    byId.delete(question.id);
  }
  for (const id of byId.keys()) throw unknown(id, rubric);
  const checked = Object.fromEntries(answers);
  if (Buffer.byteLength(JSON.stringify(checked)) <= MAX_ANSWERS_BYTES) return checked;
  throw unprocessable(`answers: take more than ${MAX_ANSWERS_BYTES / 1024} KB as JSON together; shorten the texts.`);
}

/** The answers that the question takes in place of this one; null where it takes it. */
function wantedBeside({ type, choices = [] }: RubricQuestion, value: Answers[string]): string | null {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'choice':
      return choices.some((choice) => choice === value) ? null : `must be one of ${listNames(choices)}`;
    case 'scale': {
      const isOnScale = Number.isInteger(value) && (value as number) >= SCALE.least && (value as number) <= SCALE.most;
      return isOnScale ? null : `must be a whole number from ${SCALE.least} to ${SCALE.most}`;
    }
    case 'text':
      return wantedInText(value);
  }
}

function wantedInText(value: Answers[string]): string | null {
  if (typeof value !== 'string') return 'must be a text';
  if (value === '') return 'must not be empty; leave the question out';
  if (value.length > MAX_TEXT_ANSWER) return `must have at most ${MAX_TEXT_ANSWER.toLocaleString('en')} characters`;
  return value.isWellFormed() && !value.includes('\0') ? null : 'must be valid Unicode without U+0000';
}

function wrong(message: string): RuntimeError {
  return unprocessable(`answers.${message}.`);
}

function unknown(id: string, { name, version, questions }: StoredRubric): RuntimeError {
  const ids = questions.map((question) => question.id);
  const known = suggestion(id, ids, `; its questions are ${listNames(ids)}.`);
  const shown = JSON.stringify(id.slice(0, 100));
  return unprocessable(
    `answers: ${name}@${version} has no question ${shown}${known} Answers to a former version name it, as ${name}@VERSION.`,
  );
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkedAnswers } from '../../../../src/core/agents/assessments/answers.ts';
import type { RubricQuestion } from '../../../../src/core/agents/assessments/rubric-schema.ts';
import type { StoredRubric } from '../../../../src/core/agents/assessments/store.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';

const QUESTIONS: RubricQuestion[] = [
  { id: 'right', text: 'Right?', type: 'boolean' },
  { id: 'tone', text: 'Tone?', type: 'choice', choices: ['warm', '1', 'true'] },
  { id: 'clarity', text: 'Clear?', type: 'scale' },
  { id: 'why', text: 'Why?', type: 'text' },
];
const RUBRIC: StoredRubric = {
  ...{ name: 'quality', version: 3, title: 'Quality', questions: QUESTIONS, createdAt: 0, createdBy: 'ada' },
};

/** All that JSON has for an answer, and some that one of the questions takes. */
const value = fc.oneof(
  fc.constantFrom(true, false, null, 0, 1, 2, 5, 6, 1.5, -1, '', '1', 'true', 'warm', 'Warm', 'a\0', '\ud800'),
  fc.string({ maxLength: 20 }),
  fc.double({ noNaN: true }),
);
const given = fc.dictionary(
  fc.constantFrom('right', 'tone', 'clarity', 'why', 'other', 'constructor', 'toString'),
  value,
);

const TAKEN: Record<string, (answer: unknown) => boolean> = {
  right: (answer) => answer === true || answer === false,
  tone: (answer) => ['warm', '1', 'true'].some((choice) => choice === answer),
  clarity: (answer) => [1, 2, 3, 4, 5].some((step) => step === answer),
  why: (answer) => typeof answer === 'string' && /^[^\0]+$/.test(answer) && encodeURIComponent(toWell(answer)) !== '',
};

/** Throws for a lone surrogate, as URIs have none. */
function toWell(text: string): string {
  return decodeURIComponent(encodeURIComponent(text));
}

function isTaken(id: string, answer: unknown): boolean {
  if (answer === null) return true;
  try {
    return Object.hasOwn(TAKEN, id) && TAKEN[id]!(answer);
  } catch {
    return false;
  }
}

test('checkedAnswers: takes exactly what the questions take, in their order', () => {
  fc.assert(
    fc.property(given, (answers) => {
      const wrong = Object.entries(answers).filter(([id, answer]) => !isTaken(id, answer));
      try {
        const checked = checkedAnswers(RUBRIC, answers);
        assert.deepEqual(wrong, []);
        const order = ['right', 'tone', 'clarity', 'why'].filter(
          (id) => Object.hasOwn(answers, id) && answers[id] !== null,
        );
        assert.deepEqual(Object.keys(checked), order);
        for (const id of order) assert.equal(checked[id], answers[id]);
      } catch (error) {
        if (!(error instanceof RuntimeError)) throw error;
        assert.equal(error.code, 'unprocessable');
        assert.ok(
          wrong.some(
            ([id]) => error.message.startsWith(`answers.${id}: `) || error.message.includes(`question "${id}"`),
          ),
          `${error.message}, for ${JSON.stringify(answers)}`,
        );
      }
    }),
    { numRuns: 2_000 },
  );
});

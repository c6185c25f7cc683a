import assert from 'node:assert/strict';
import { EXECUTIONS } from '../../../../src/http/routes/executions.ts';
import type { TestResponse } from '../../../support/app.ts';
import { newPerson, type Person } from '../../../support/people.ts';
import { sharedApp, type Workspace, workspace } from '../metrics/support.ts';

export { EXECUTIONS, sharedApp };
export const RUBRICS = '/api/v1/runtime/v1/observability/rubrics';
export const assessmentsOf = (executionId: string) => `${EXECUTIONS}/${encodeURIComponent(executionId)}/assessments`;

/** A question of each type. */
export const QUALITY = {
  name: 'answer_quality',
  title: 'Quality of answers',
  questions: [
    { id: 'is_right', text: 'Is the answer right?', type: 'boolean', guidance: 'By the handbook.' },
    { id: 'tone', text: 'How does it sound?', type: 'choice', choices: ['warm', 'neutral', 'cold'] },
    { id: 'clarity', text: 'How clear is it?', type: 'scale' },
    { id: 'why', text: 'What would you change?', type: 'text' },
  ],
};

export interface Room extends Workspace {
  newPerson(members?: { role?: Person['user']['role'] }): Promise<Person>;
  /** The answer of a POST that must succeed. */
  assess(request: Person['request'], answers: object, members?: object): Promise<TestResponse['body']>;
}

/** A tenant of its own with the rubric `answer_quality`. */
export async function room(): Promise<Room> {
  const app = await sharedApp();
  const made = await workspace();
  const created = await made.request('POST', RUBRICS, QUALITY);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  return {
    ...made,
    newPerson: (members = {}) => newPerson(app, { tenant: made.tenant, ...members }),
    assess: async (request, answers, { executionId = 'run', ...members }: { executionId?: string } = {}) => {
      const sent = { rubric: 'answer_quality', answers, ...members };
      const { status, body } = await request('POST', assessmentsOf(executionId), sent);
      assert.ok(status === 200 || status === 201, JSON.stringify(body));
      return body;
    },
  };
}

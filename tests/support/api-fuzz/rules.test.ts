import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MARKS } from './fixture.ts';
import { operations } from './operations.ts';
import type { FuzzedRequest } from './requests.ts';
import { check } from './rules.ts';
import type { Answer } from './wire.ts';

const operation = operations.find(({ id }) => id === 'getObservabilityReviewsStats')!;

const REQUEST: FuzzedRequest = {
  ...{ operation, kind: 'good', method: 'GET', target: operation.path, headers: {} },
  ...{ credential: { name: 'full', headers: {}, tenant: 'own' }, framing: 'length' },
  ...{ trespasses: false, alsoStatuses: [] },
};

const STATS = {
  ...{ total: 1, pending: 0, inProgress: 0, resolved: 1, badReviews: 1 },
  ...{ needsImprovement: 0, critical: 0, highPriority: 1, avgResolutionHours: 0.25 },
};

const answer = (status: number, body: unknown, headers = {}): Answer => ({
  ...{ status, body: Buffer.from(JSON.stringify(body)), complete: true },
  headers: { 'x-request-id': 'one', 'content-type': 'application/json; charset=utf-8', ...headers },
});

const fault = (statusCode: number, error: string, message: unknown = 'No.') => ({ statusCode, message, error });
const challenge = { 'www-authenticate': 'Bearer realm="agent-runtime"' };

test('rules: valid answers pass', () => {
  check(REQUEST, answer(200, STATS));
  check(REQUEST, answer(400, fault(400, 'Bad Request', ['agentId: is required'])));
  check(REQUEST, answer(401, fault(401, 'Unauthorized'), challenge));
  check(REQUEST, answer(503, { ...fault(503, 'Service Unavailable'), requestId: 'one' }, { 'retry-after': '1' }));
  check({ ...REQUEST, framing: 'length-cut' }, 'closed');
});

const nobody: FuzzedRequest = {
  ...REQUEST,
  credential: { name: 'none', headers: {}, tenant: 'nobody', refused: 401 },
};
const WRONG: [what: string, Answer | 'closed', RegExp, FuzzedRequest?][] = [
  ['no answer', 'closed', /closed without an answer/],
  ['half an answer', { ...answer(200, STATS), complete: false }, /breaks off/],
  ['a failure', answer(500, fault(500, 'Internal Server Error')), /failure of the server: 500/],
  ['a timeout', answer(504, fault(504, 'Gateway Timeout')), /failure of the server: 504/],
  ['no time to come back', answer(503, fault(503, 'Service Unavailable')), /Retry-After/],
  ['no id', answer(200, STATS, { 'x-request-id': undefined }), /x-request-id/],
  ['a status of its own', answer(409, fault(409, 'Conflict')), /409 is not documented/],
  ['a member too few', answer(200, { ...STATS, total: undefined }), /not as it is documented/],
  ['a member of another type', answer(200, { ...STATS, total: '1' }), /not as it is documented/],
  ['another content type', answer(200, STATS, { 'content-type': 'text/html' }), /text\/html is not documented/],
  ['a text for 400', answer(400, fault(400, 'Bad Request', 'No.')), /an array for 400/],
  ['another status within', answer(400, fault(401, 'Bad Request', ['No.'])), /401 !== 400/],
  ['another reason', answer(400, fault(400, 'Bad', ['No.'])), /Bad/],
  ['an error that is no JSON', answer(400, '', { 'content-type': 'text/html' }), /no JSON/],
  ['a member too many', answer(400, { ...fault(400, 'Bad Request', ['No.']), stack: '' }), /stack/],
  ['no challenge', answer(401, fault(401, 'Unauthorized')), /input did not match/],
  ['the inside', answer(400, fault(400, 'Bad Request', ['SQLITE_BUSY'])), /tells of the inside: SQLITE_/],
  ["another tenant's text", answer(200, { ...STATS, note: MARKS.rival }), /another tenant/],
  ['our text for a stranger', answer(401, fault(401, 'Unauthorized', MARKS.own), challenge), /holds our own/, nobody],
  ['an answer to nobody', answer(200, STATS), /with the credential "none"/, nobody],
  ['what is not theirs', answer(200, STATS), /200 for what is another tenant's/, { ...REQUEST, trespasses: true }],
];

for (const [what, wrong, message, request = REQUEST] of WRONG) {
  test(`${what} is noticed`, () => {
    assert.throws(() => check(request, wrong), message);
  });
}

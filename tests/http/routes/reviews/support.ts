import assert from 'node:assert/strict';
import type { Scope } from '../../../../src/core/base/shared/caller.ts';
import { EXECUTIONS } from '../../../../src/http/routes/executions.ts';
import type { TestApp, TestResponse } from '../../../support/app.ts';
import { appOfThisFile } from '../../../support/shared.ts';

export { EXECUTIONS };
export const REVIEWS = '/api/v1/runtime/v1/observability/reviews';
export const STATS = `${REVIEWS}/stats`;
export const EXPORT = `${REVIEWS}/export/training-data`;

/** Exactly ten characters, which is enough. */
export const COMMENT = 'dez letras';
export const reviewsOf = (executionId: string) => `${EXECUTIONS}/${encodeURIComponent(executionId)}/reviews`;
export const existsFor = (executionId: string) => `${reviewsOf(executionId)}/exists`;

/** Without a rate limit. */
export const sharedApp = appOfThisFile({ rateLimit: 0 });

type Body = TestResponse['body'];

export interface Desk {
  tenant: string;
  tenantId: string;
  /** Bound to the agent `support`, with every scope and the label `test`. */
  key: string;
  request: TestApp['request'];
  /** The answer of a request that must succeed. */
  right(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Body>;
  newKey(options?: { agentId?: string | null; scopes?: (Scope | '*')[]; label?: string }): Promise<string>;
  record(members?: object): Promise<Body>;
  review(members?: object, executionId?: string): Promise<Body>;
  list(query?: string): Promise<Body>;
}

const EVERYTHING: '*'[] = ['*'];

let desks = 0;
let executions = 0;

/** A tenant of its own, on the shared server unless another is given. */
export async function newDesk(app?: TestApp): Promise<Desk> {
  const served = app ?? (await sharedApp());
  const { tenants, keys } = served.runtime;
  const { name: tenant, id: tenantId } = await tenants.create({ name: `tenant ${++desks}` });
  const newKey: Desk['newKey'] = async ({ agentId = 'support', scopes = EVERYTHING, label = 'test' } = {}) =>
    (await keys.create(tenantId, { agentId, label, scopes, expiresAt: null }, null)).key;
  const key = await newKey();
  const request: Desk['request'] = (method, path, body, headers) =>
    served.request(method, path, body, { 'x-api-key': key, ...headers });
  const right: Desk['right'] = async (method, path, body, headers) => {
    const answer = await request(method, path, body, headers);
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    ...{ tenant, tenantId, key, request, right, newKey },
    record: (members = {}) => right('POST', EXECUTIONS, members),
    review: (members = {}, executionId = `execution ${++executions}`) =>
      right('POST', reviewsOf(executionId), { rating: 'bad', comment: COMMENT, ...members }),
    list: (query = '') => right('GET', `${REVIEWS}?${query}`),
  };
}

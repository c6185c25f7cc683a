import assert from 'node:assert/strict';
import type { Role, Scope } from '../../../../src/core/base/shared/caller.ts';
import type { TestApp, TestResponse } from '../../../support/app.ts';
import { appOfThisFile } from '../../../support/shared.ts';
import { addUser, sessionOf } from '../../../support/users.ts';

export const METRICS = '/api/v1/runtime/observability/metrics';
export const TERMS = '/api/v1/runtime/observability/terms';

export const sharedApp = appOfThisFile({ rateLimit: 0 });

/** Started conversations that were resolved. */
export const RESOLUTION_RATE = {
  name: 'resolution_rate',
  title: 'Resolution rate',
  description: 'Conversations that were resolved, of those that were started.',
  synonyms: ['solve rate'],
  unit: '%',
  format: { percent: true, decimals: 1 },
  goodDirection: 'up',
  formula: {
    expression: 'resolved / started',
    parts: {
      resolved: { eventName: 'resolved', aggregation: 'count' },
      started: { eventName: 'started', aggregation: 'count' },
    },
  },
  owner: 'Support',
};

export const REVENUE = {
  name: 'revenue',
  title: 'Revenue',
  goodDirection: 'up',
  formula: { eventName: 'paid', aggregation: 'sum', propertyKey: 'amount' },
};

let tenants = 0;

export interface Workspace {
  tenant: string;
  key: string;
  request: TestApp['request'];
  newKey(scopes: (Scope | '*')[]): Promise<string>;
  /** Proposes and approves it. */
  approved(metric: { name: string; [member: string]: unknown }): Promise<void>;
  /** The headers of a user of that role. */
  as(role: Role): Promise<Record<string, string>>;
  approve(name: string, version: number, headers?: Record<string, string>): Promise<TestResponse>;
}

/** A new tenant on the shared server. */
export async function workspace(): Promise<Workspace> {
  const app = await sharedApp();
  const { name: tenant } = await app.runtime.tenants.create({ name: `metrics ${++tenants}` });
  const newKey: Workspace['newKey'] = (scopes) => app.newKey({ tenant, agentId: null, scopes });
  const key = await newKey(['*']);
  const request: TestApp['request'] = (method, path, body, headers = {}) =>
    app.request(method, path, body, { 'x-api-key': key, ...headers });
  const as: Workspace['as'] = async (role) => sessionOf(app, await addUser(app, { tenant, role }));
  let administrator: Record<string, string> | undefined;
  const approve: Workspace['approve'] = async (name, version, headers) => {
    administrator ??= await as('ADMIN');
    return request('POST', `${METRICS}/${name}/approve`, { version }, headers ?? administrator);
  };
  return {
    tenant,
    key,
    request,
    newKey,
    as,
    approve,
    approved: async (metric) => {
      assert.equal((await request('POST', METRICS, metric)).status, 201);
      assert.equal((await approve(metric.name, 1)).status, 200);
    },
  };
}

import type { TestContext } from 'node:test';
import type { Scope } from '../../../../src/core/base/shared/caller.ts';
import { type AppSettings, type TestApp, testApp } from '../../../support/app.ts';
import { heldEmbedder } from '../../../support/held-embedder.ts';
import type { Desk } from '../../../support/knowledge.ts';
import { appOfThisFile } from '../../../support/shared.ts';

/** Without an embedder and without a rate limit. */
export const sharedApp = appOfThisFile({ rateLimit: 0 });

export interface TenantDesk extends Desk {
  tenantId: string;
  newKey(scopes: (Scope | '*')[]): Promise<string>;
}

let tenants = 0;

/** A new tenant, on the shared server by default. */
export async function newDesk(app?: TestApp): Promise<TenantDesk> {
  const { url, runtime } = app ?? (await sharedApp());
  const { id: tenantId } = await runtime.tenants.create({ name: `tenant ${++tenants}` });
  const newKey: TenantDesk['newKey'] = async (scopes) => {
    const wanted = { agentId: 'support', label: 'test', scopes, expiresAt: null };
    return (await runtime.keys.create(tenantId, wanted, null)).key;
  };
  return { url, tenantId, newKey, key: await newKey(['*']) };
}

/** A server whose embedder waits to be released: until then the first job runs and others wait. */
export async function heldApp(t: TestContext, settings: AppSettings = {}) {
  const { url, letGo } = await heldEmbedder(t);
  const app = await testApp(t, {
    ...{ rateLimit: 0, embedder: 'compatible/held', ingestThreads: 1 },
    embeddingUrl: url,
    ...settings,
  });
  return { app, letGo };
}

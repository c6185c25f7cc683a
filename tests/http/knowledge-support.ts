import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { ConfigInput } from '../../src/config.ts';
import type { Scope } from '../../src/core/caller.ts';
import { type TestApp, testApp } from '../support/app.ts';
import type { Desk } from '../support/knowledge.ts';
import { appOfThisFile } from '../support/shared.ts';

/** Without an embedder and without a rate limit. */
export const sharedApp = appOfThisFile({ rateLimit: 0 });

export interface TenantDesk extends Desk {
  tenantId: string;
  newKey(scopes: (Scope | '*')[]): Promise<string>;
}

let tenants = 0;

/** A tenant of its own, on the shared server unless another is given. */
export async function newDesk(app?: TestApp): Promise<TenantDesk> {
  const { url, runtime } = app ?? (await sharedApp());
  const { id: tenantId } = await runtime.auth.createTenant({ name: `tenant ${++tenants}` });
  const newKey: TenantDesk['newKey'] = async (scopes) => {
    const wanted = { agentId: 'support', label: 'test', scopes, expiresAt: null };
    return (await runtime.auth.createKey(tenantId, wanted, null)).key;
  };
  return { url, tenantId, newKey, key: await newKey(['*']) };
}

/** A server whose embedder answers only once it is let: until then the first job is processed, and the others wait. */
export async function heldApp(t: TestContext, settings: ConfigInput = {}) {
  const letGo = Promise.withResolvers<void>();
  const provider = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    await letGo.promise;
    const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[] };
    const embedding = Buffer.from(Float32Array.of(1, 0).buffer).toString('base64');
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', data, model: 'held' }));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    letGo.resolve();
    provider.close();
    provider.closeAllConnections();
  });
  const app = await testApp(t, {
    ...{ rateLimit: 0, embedder: 'compatible/held', ingestThreads: 1 },
    embeddingUrl: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    ...settings,
  });
  return { app, letGo: () => letGo.resolve() };
}

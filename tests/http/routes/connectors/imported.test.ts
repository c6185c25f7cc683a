import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ImportedConnector, importOpenApi } from '../../../../src/core/agents/connectors/openapi/import.ts';
import { parseDocument } from '../../../../src/core/agents/connectors/openapi/parse-document.ts';
import { type TestApp, testApp } from '../../../support/app.ts';
import { HOSTS } from '../../../support/connectors.ts';
import { type AskedOfApi, applyConnector, call, startApi } from '../../../support/outside-api.ts';

const SECRET = 'secret-of-the-importer';
/** A hash of the parts. */
const BOUNDARY = 'part-43c9e9a4f43909a82ce48c151a270e788a3481e4';

/** A call, and the request that the API documents for it. */
interface Example {
  data?: object;
  method: string;
  url: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const EXAMPLES: Record<string, { authenticated: Record<string, string>; calls: Record<string, Example> }> = {
  'petstore.yaml': {
    authenticated: { api_key: SECRET },
    calls: {
      updatePet: {
        data: { body: { id: 1, name: 'Rex', photoUrls: ['https://example.com/rex.png'] } },
        method: 'PUT',
        url: '/v3/pet',
        body: { id: 1, name: 'Rex', photoUrls: ['https://example.com/rex.png'] },
      },
      findPetsByTags: {
        data: { tags: ['a b', 'c,d'], number: 2 },
        method: 'GET',
        url: '/v3/pet/findByTags?tags=a%20b,c%2Cd&number=2',
      },
      getPetById: { data: { petId: 7 }, method: 'GET', url: '/v3/pet/7' },
      'delete-pet-petId': { data: { petId: 7 }, method: 'DELETE', url: '/v3/pet/7' },
      uploadFile: {
        data: { petId: 7, file: 'a,b' },
        method: 'POST',
        url: '/v3/pet/7/uploadImage',
        body: `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: application/octet-stream\r\n\r\na,b\r\n--${BOUNDARY}--\r\n`,
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      },
      placeOrder: {
        data: { petId: 7, quantity: 2, status: null },
        method: 'POST',
        url: '/v3/store/order',
        body: { petId: 7, quantity: 2, status: null },
      },
    },
  },
};

for (const [file, { authenticated, calls }] of Object.entries(EXAMPLES)) {
  test(`importOpenApi: operations of ${file} are mocked and sent as documented`, async (t) => {
    const [app, api] = [await testApp(t), await startApi(t)];
    const slug = file.split('.')[0]!;
    const resources = await importInto(app, file, slug, api.url);
    assert.deepEqual(Object.keys(calls).sort(), Object.keys(resources).sort(), 'every operation is called');
    for (const [resource, example] of Object.entries(calls)) {
      const { data } = example;
      const mocked = await call(app, { resource, data, options: { useMock: true } }, slug);
      const hasMock = resources[resource]!.mock !== undefined;
      const answered = hasMock
        ? [200, true, undefined]
        : [400, false, `options.useMock: ${resource} has no mock; its definition may give it one`];
      const { status: mockStatus, body: mockBody } = mocked;
      assert.deepEqual([mockStatus, mockBody.metadata?.mocked, mockBody.error], answered);
      assert.equal(api.asked.length, 0);
      const { status, body } = await call(app, { resource, data }, slug);
      assert.equal(status, 200, `${resource} ${body.error}`);
      assertAsked(api.asked.pop()!, { ...example, headers: { ...authenticated, ...example.headers } }, resource);
    }
  });
}

/** Imports a document for an API at this address; returns its resources. */
async function importInto(
  app: TestApp,
  file: string,
  slug: string,
  url: string,
): Promise<ImportedConnector['definition']['resources']> {
  const path = new URL(`../../../core/agents/connectors/openapi/fixtures/${file}`, import.meta.url);
  const { definition } = importOpenApi(parseDocument(readFileSync(path, 'utf8'), file), { slug });
  const environments = Object.entries(definition.environments).map(([name, one]) => {
    const { pathname } = new URL(one.baseUrl);
    return [name, { ...one, baseUrl: `${url}${pathname}` }];
  });
  for (const name of definition.credentials) {
    await app.runtime.credentials.set(app.tenantId, { name, secret: SECRET, hosts: HOSTS }, null);
  }
  const allowPrivateNetworks = ['127.0.0.0/8'];
  await applyConnector(app, { ...definition, environments: Object.fromEntries(environments), allowPrivateNetworks });
  return definition.resources;
}

function assertAsked(asked: AskedOfApi, { method, url, body, headers = {} }: Example, what: string): void {
  assert.deepEqual([asked.method, plain(asked.url)], [method, plain(url)], what);
  const isJson = typeof body === 'object';
  if (isJson) assert.deepEqual(JSON.parse(asked.body), body, what);
  else assert.equal(plain(asked.body), plain((body as string | undefined) ?? ''), what);
  const expected = { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers };
  for (const [name, value] of Object.entries(expected)) assert.equal(asked.headers[name], value, `${what} ${name}`);
  if (body === undefined) assert.equal(asked.headers['content-type'], undefined, what);
}

/** Normalises the encodings of brackets and blanks. */
function plain(text: string): string {
  return text.replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('+', '%20');
}

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importOpenApi } from '../../../../src/core/agents/connectors/openapi/import.ts';
import { parseDocument } from '../../../../src/core/agents/connectors/openapi/parse-document.ts';
import { HOSTS } from '../../../support/connectors.ts';
import { type AskedOfApi, applyConnector, call, json, startApi } from '../../../support/outside-api.ts';
import { appOfThisFile } from '../../../support/shared.ts';

const sharedApp = appOfThisFile();
const PUBLISHED = join(import.meta.dirname, '../../../core/agents/connectors/openapi/published');
const SECRET = 'a secret of the API, for this test';

interface Called {
  data?: object;
  /** Method, path with query, and body, from the vendor's reference. */
  asks: [method: string, url: string, body?: string];
}

/** A call of each operation, and the request that the vendor expects. */
const APIS: Record<string, { file: string; authorization?: string; calls: Record<string, Called> }> = {
  github: {
    file: 'github.json',
    calls: {
      'markdown-render': { data: { text: '*hi*' }, asks: ['POST', '/markdown', '{"text":"*hi*"}'] },
      'rate-limit-get': { asks: ['GET', '/rate_limit'] },
      'git-get-ref': {
        data: { owner: 'octocat', repo: 'hello', ref: 'heads/main' },
        asks: ['GET', '/repos/octocat/hello/git/ref/heads%2Fmain'],
      },
      'issues-list-labels-for-repo': {
        data: { owner: 'octocat', repo: 'hello', per_page: 5, page: '2' },
        asks: ['GET', '/repos/octocat/hello/labels?per_page=5&page=2'],
      },
      'issues-create-label': {
        data: { owner: 'octocat', repo: 'hello', name: 'bug', color: 'f29513' },
        asks: ['POST', '/repos/octocat/hello/labels', '{"name":"bug","color":"f29513"}'],
      },
      'issues-update-label': {
        data: { path: { owner: 'octocat', repo: 'hello', name: 'very bad' }, body: { new_name: 'bug' } },
        asks: ['PATCH', '/repos/octocat/hello/labels/very%20bad', '{"new_name":"bug"}'],
      },
      'issues-delete-label': {
        data: { owner: 'octocat', repo: 'hello', name: 'bug' },
        asks: ['DELETE', '/repos/octocat/hello/labels/bug'],
      },
    },
  },
  stripe: {
    file: 'stripe.json',
    authorization: `Bearer ${SECRET}`,
    calls: {
      GetCoupons: {
        data: { limit: 3, created: { gte: 1_700_000_000 }, expand: ['data.applies_to'] },
        asks: ['GET', '/v1/coupons?limit=3&created[gte]=1700000000&expand[]=data.applies_to'],
      },
      PostCoupons: {
        data: { percent_off: 25.5, duration: 'once', metadata: { campaign: 'spring & summer' } },
        asks: ['POST', '/v1/coupons', 'percent_off=25.5&duration=once&metadata[campaign]=spring & summer'],
      },
      GetCouponsCoupon: { data: { coupon: 'SPRING' }, asks: ['GET', '/v1/coupons/SPRING'] },
      DeleteCouponsCoupon: { data: { coupon: 'SPRING' }, asks: ['DELETE', '/v1/coupons/SPRING'] },
      PostCustomersCustomerBalanceTransactions: {
        data: { customer: 'cus_1', amount: -500, currency: 'brl' },
        asks: ['POST', '/v1/customers/cus_1/balance_transactions', 'amount=-500&currency=brl'],
      },
      GetTaxRates: { data: { active: true, limit: 1 }, asks: ['GET', '/v1/tax_rates?active=true&limit=1'] },
      PostTaxRates: {
        data: { display_name: 'ICMS', inclusive: false, percentage: 18 },
        asks: ['POST', '/v1/tax_rates', 'display_name=ICMS&inclusive=false&percentage=18'],
      },
    },
  },
  figma: {
    file: 'figma.yaml',
    authorization: `Bearer ${SECRET}`,
    calls: {
      getFileVersions: { data: { file_key: 'k', page_size: 10 }, asks: ['GET', '/v1/files/k/versions?page_size=10'] },
      getComments: { data: { file_key: 'k', as_md: true }, asks: ['GET', '/v1/files/k/comments?as_md=true'] },
      postComment: {
        data: { file_key: 'k', message: 'Larger', client_meta: { x: 1, y: 2 } },
        asks: ['POST', '/v1/files/k/comments', '{"message":"Larger","client_meta":{"x":1,"y":2}}'],
      },
      deleteComment: { data: { file_key: 'k', comment_id: '7' }, asks: ['DELETE', '/v1/files/k/comments/7'] },
      getMe: { asks: ['GET', '/v1/me'] },
      getWebhooks: {
        data: { context: 'team', context_id: '1' },
        asks: ['GET', '/v2/webhooks?context=team&context_id=1'],
      },
      getDevResources: {
        data: { file_key: 'k', node_ids: '1:2,1:3' },
        asks: ['GET', '/v1/files/k/dev_resources?node_ids=1:2,1:3'],
      },
      postDevResources: {
        data: { dev_resources: [{ name: 'Docs', url: 'https://example.com', file_key: 'k', node_id: '1:2' }] },
        asks: [
          'POST',
          '/v1/dev_resources',
          '{"dev_resources":[{"name":"Docs","url":"https://example.com","file_key":"k","node_id":"1:2"}]}',
        ],
      },
      deleteDevResource: {
        data: { file_key: 'k', dev_resource_id: 'r' },
        asks: ['DELETE', '/v1/files/k/dev_resources/r'],
      },
    },
  },
};

for (const [slug, { file, authorization, calls }] of Object.entries(APIS)) {
  const document = parseDocument(readFileSync(join(PUBLISHED, file), 'utf8'), file);

  test(`importOpenApi: operations of ${slug} are sent as its reference documents`, async (t) => {
    const app = await sharedApp();
    const api = await startApi(t, (_, response) => json(response, 200, { ok: true }));
    const local = { baseUrl: api.url, allowPrivateNetworks: ['127.0.0.0/8'] };
    const { definition } = importOpenApi(document, { slug, ...local });
    assert.deepEqual(Object.keys(definition.resources).sort(), Object.keys(calls).sort());
    for (const name of definition.credentials) {
      await app.runtime.credentials.set(app.tenantId, { name, secret: SECRET, hosts: HOSTS }, null);
    }
    await applyConnector(app, definition);
    for (const [resource, { data, asks }] of Object.entries(calls)) {
      const { status, body } = await call(app, { resource, data }, slug);
      assert.equal(status, 200, `${resource}: ${JSON.stringify(body)}`);
      assert.deepEqual(shown(api.asked.at(-1)!), asks, resource);
      assert.equal(api.asked.at(-1)!.headers.authorization, authorization, resource);
      if (definition.resources[resource]?.mock === undefined) continue;
      const asked = api.asked.length;
      const mocked = await call(app, { resource, data, options: { useMock: true } }, slug);
      assert.deepEqual([mocked.status, mocked.body.metadata.mocked, api.asked.length], [200, true, asked], resource);
      assert.deepEqual(mocked.body.data, definition.resources[resource].mock.body ?? null, resource);
    }
  });
}

/** Decodes queries and forms. */
function shown({ method, url, headers, body }: AskedOfApi): Called['asks'] {
  const [path = '', query] = url.split('?');
  const whole = query === undefined ? path : `${path}?${decodeURIComponent(query)}`;
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  const text = isForm ? decodeURIComponent(body.replaceAll('+', ' ')) : body;
  return body === '' ? [method, whole] : [method, whole, text];
}

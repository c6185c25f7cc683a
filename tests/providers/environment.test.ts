import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startCanary } from '../outbound/support.ts';
import { rareTest } from '../support/rare.ts';
import { scopeOfThisFile } from '../support/shared.ts';
import { fakeUpstream } from '../support/upstream/server.ts';
import { OFFERS } from './support.ts';

/* The SDKs read settings from the environment, which the operator may have for other programs. */

const upstream = await fakeUpstream(scopeOfThisFile());
const baseUrls = Object.fromEntries(OFFERS.map(({ name, provider }) => [name, upstream.baseUrl(provider)]));
const CHILD = fileURLToPath(new URL('./environment-child.ts', import.meta.url));

async function askedIn(environment: Record<string, string>) {
  const before = upstream.requests.length;
  const { PATH = '' } = process.env;
  const child = await promisify(execFile)(process.execPath, [CHILD, JSON.stringify(baseUrls)], {
    env: { PATH, ...environment },
  });
  return { ...child, requests: upstream.requests.slice(before).map(withoutIds) };
}

function withoutIds({ requestId: _, headers, ...request }: (typeof upstream.requests)[number]) {
  const { 'amz-sdk-invocation-id': _id, ...others } = headers;
  return { ...request, headers: others };
}

rareTest('providers: the environment changes no request, address or credential', async (t) => {
  const canary = await startCanary(t);
  const elsewhere = `http://127.0.0.1:${canary.port}`;
  const leak = 'x-leak: yes\nAuthorization: Bearer leaked\nx-goog-api-key: leaked';
  const clean = await askedIn({});
  const hostile = await askedIn({
    ...{ OPENAI_API_KEY: 'sk-leaked', OPENAI_ADMIN_KEY: 'sk-leaked', OPENAI_BASE_URL: elsewhere },
    ...{ OPENAI_ORG_ID: 'leaked', OPENAI_PROJECT_ID: 'leaked', OPENAI_WEBHOOK_SECRET: 'leaked' },
    ...{ OPENAI_CUSTOM_HEADERS: leak, OPENAI_LOG: 'debug', OPENAI_API_VERSION: 'leaked' },
    ...{ AZURE_OPENAI_ENDPOINT: elsewhere, AZURE_OPENAI_API_KEY: 'leaked' },
    ...{ GROQ_API_KEY: 'leaked', GROQ_BASE_URL: elsewhere, GROQ_CUSTOM_HEADERS: leak, GROQ_LOG: 'debug' },
    ...{ GOOGLE_API_KEY: 'leaked', GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_GENAI_USE_ENTERPRISE: 'true' },
    ...{ GOOGLE_CLOUD_PROJECT: 'leaked', GOOGLE_CLOUD_LOCATION: 'leaked', GOOGLE_GENAI_API_VERSION: 'v1leaked' },
    ...{ GOOGLE_GEMINI_BASE_URL: elsewhere, GOOGLE_VERTEX_BASE_URL: elsewhere },
    ...{ ANTHROPIC_API_KEY: 'leaked', ANTHROPIC_AUTH_TOKEN: 'leaked', ANTHROPIC_BASE_URL: elsewhere },
    ...{ ANTHROPIC_CUSTOM_HEADERS: leak, ANTHROPIC_LOG: 'debug', ANTHROPIC_PROFILE: 'leaked' },
    ...{ AWS_ENDPOINT_URL: elsewhere, AWS_ENDPOINT_URL_BEDROCK_RUNTIME: elsewhere, AWS_MAX_ATTEMPTS: '5' },
    ...{ AWS_ACCESS_KEY_ID: 'leaked', AWS_SECRET_ACCESS_KEY: 'leaked', AWS_BEARER_TOKEN_BEDROCK: 'leaked' },
    ...{ AWS_REGION: 'eu-leak-1', AWS_AUTH_SCHEME_PREFERENCE: 'sigv4', AWS_RETRY_MODE: 'adaptive' },
    ...{ HTTP_PROXY: elsewhere, http_proxy: elsewhere, ALL_PROXY: elsewhere, NODE_USE_ENV_PROXY: '1' },
  });
  assert.equal(clean.requests.length, OFFERS.length);
  assert.deepEqual(hostile.requests, clean.requests);
  assert.equal(hostile.stdout, OFFERS.map(({ name }) => `${name}: Olá mundo 🌍\n`).join(''));
  assert.equal(hostile.stderr, '', 'nothing is logged');
  assert.equal(canary.connections(), 0, 'nobody else is asked');
});

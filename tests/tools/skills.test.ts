import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { parse } from 'yaml';
import type { Log } from '../../src/logging/log.ts';
import { openSkills } from '../../src/tools/skills.ts';
import { temporaryDirectory } from '../support/app.ts';
import { BIN } from '../support/process.ts';
import { JSON_HEADERS, message, rpc } from './mcp-requests.ts';
import { refusal } from './readers.ts';
import { LEGACY, MODERN, sharedApp } from './support.ts';

const DIRECTORY = join(import.meta.dirname, '../../skills');
const NAMES = ['instrument-my-application', 'investigate-a-fall', 'read-a-kpi', 'review-loop'];
const EXTENSION = 'io.modelcontextprotocol/skills';
const MAX_TOKENS = 1_500;
const ERAS = { [LEGACY]: undefined, [MODERN]: { versionNegotiation: { mode: { pin: MODERN } } } } as const;

const uriOf = (name: string) => `skill://${name}/SKILL.md`;
const textOf = (name: string) => readFileSync(join(DIRECTORY, name, 'SKILL.md'), 'utf8');

test('Skills: each is one Markdown file with a name, a description and few tokens', (t) => {
  assert.deepEqual(readdirSync(DIRECTORY).sort(), NAMES);
  for (const name of NAMES) {
    assert.deepEqual(readdirSync(join(DIRECTORY, name)), ['SKILL.md']);
    const text = textOf(name);
    const frontmatter = parse(/^---\n([\s\S]*?)\n---\n/.exec(text)![1]!) as Record<string, string>;
    assert.deepEqual(Object.keys(frontmatter), ['name', 'description']);
    assert.equal(frontmatter.name, name);
    assert.ok(frontmatter.description!.length <= 1_024, name);
    t.diagnostic(`${name}: ${encode(text).length} tokens of ${MAX_TOKENS}`);
    assert.ok(encode(text).length <= MAX_TOKENS, `${name}: ${encode(text).length} tokens`);
  }
});

for (const [era, options] of Object.entries(ERAS)) {
  test(`Skills, ${era}: are declared, listed, and read with the listed digests`, async (t) => {
    const app = await sharedApp();
    const client = await connectedOverHttp(t, app.url, await app.newKey({ scopes: ['mcp:read'] }), options);
    const skills = new SkillsClient(client);
    assert.deepEqual(client.getServerCapabilities()?.extensions?.[EXTENSION], { directoryRead: true });
    const listing = await skills.list();
    assert.deepEqual(
      listing.skills.map(({ uri }) => uri),
      NAMES.map(uriOf),
    );
    for (const skill of listing.skills) {
      const { name } = skill.frontmatter;
      const bytes = readFileSync(join(DIRECTORY, name, 'SKILL.md'));
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      assert.deepEqual(skill.resources, [{ uri: skill.uri, digest, size: bytes.length }]);
      assert.deepEqual((await skills.get(skill.uri)).skill, skill);
      const file = await skills.read(skill);
      assert.deepEqual([file.text, file.verified, file.mimeType], [textOf(name), true, 'text/markdown']);
    }
    const caching = era === MODERN ? [3_600_000, 'public'] : [undefined, undefined];
    const got = await skills.get(uriOf('read-a-kpi'));
    assert.deepEqual([got.ttlMs, got.cacheScope], caching);
  });

  test(`Skills, ${era}: hosts without the extension find them among the resources`, async (t) => {
    const app = await sharedApp();
    const client = await connectedOverHttp(t, app.url, await app.newKey({ scopes: ['mcp:read'] }), options);
    const { resources } = await client.listResources();
    for (const name of NAMES) {
      const listed = resources.find(({ uri }) => uri === uriOf(name));
      assert.deepEqual([listed?.name, listed?.mimeType], [name, 'text/markdown']);
      assert.ok(listed?.description);
    }
  });

  test(`Skills, ${era}: one that is not there is an invalid parameter`, async (t) => {
    const app = await sharedApp();
    const client = await connectedOverHttp(t, app.url, await app.newKey({ scopes: ['mcp:read'] }), options);
    const skills = new SkillsClient(client);
    for (const uri of [uriOf('nothing'), 'skill://read-a-kpi', 'skill://../package.json', 'events://schema']) {
      assert.match(await refusal(skills.get(uri)), /No skill is served at/);
    }
    for (const uri of ['skill://read-a-kpi/../../package.json', 'skill://read-a-kpi/other.md', 'skill:///etc/passwd']) {
      await refusal(client.readResource({ uri }));
    }
  });
}

test('Skills: a key without mcp:read is refused with the scope', async () => {
  const app = await sharedApp();
  const key = await app.newKey({ scopes: ['events:read'] });
  const { result } = await rpc(
    app,
    'initialize',
    { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    key,
  );
  assert.equal(result.capabilities.extensions[EXTENSION], undefined);
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { ...JSON_HEADERS, 'x-api-key': key },
    body: message('skills/get', { uri: uriOf('read-a-kpi') }),
  });
  assert.equal(response.status, 403);
  assert.match(response.headers.get('www-authenticate') ?? '', /insufficient_scope.*mcp:read/);
});

test('Skills: pass the bridge of stdio', async (t) => {
  const app = await sharedApp();
  const client = new Client({ name: 'test', version: '1.0.0' });
  t.after(() => client.close());
  const env = { AGENT_RUNTIME_URL: app.url, AGENT_RUNTIME_API_KEY: await app.newKey({ scopes: ['mcp:read'] }) };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env, stderr: 'ignore' }),
  );
  const skills = new SkillsClient(client);
  const [first] = (await skills.list()).skills;
  assert.equal((await skills.read(first!)).verified, true);
});

test('Skills: if they cannot be read, the reason is logged and the tools go on', async (t) => {
  const errors: unknown[] = [];
  const log = { error: (fields: unknown, text: string) => errors.push([fields, text]), warn: () => assert.fail() };
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, 'broken'));
  writeFileSync(join(directory, 'broken/SKILL.md'), 'no front matter');
  for (const wrong of [directory, join(directory, 'missing')])
    assert.equal(await openSkills(log as unknown as Log, wrong), null);
  assert.equal(errors.length, 2);
});

async function connectedOverHttp(
  t: TestContext,
  url: string,
  key: string,
  options: ConstructorParameters<typeof Client>[1],
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  t.after(() => client.close());
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

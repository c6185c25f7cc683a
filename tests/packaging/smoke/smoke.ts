import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import type { Vendor } from '../../../src/core/agents/chat/capabilities.ts';
import { temporaryDirectory } from '../../support/app.ts';
import {
  connectMcp,
  countOverMcp,
  type Ending,
  runProgram,
  type Server,
  type Started,
  startMcp,
  startServer,
} from '../../support/process.ts';
import { fakeUpstream } from '../../support/upstream/server.ts';
import { ROOT } from '../support.ts';

export const EVENT = 'ticket_resolved';
const FORMATS = [
  'csv/semicolon-decimal-comma.csv',
  'csv/shift-jis.csv',
  'docx/libreoffice.docx',
  'pdf/prose.pdf',
  'json/array.json',
  'json/lines.ndjson',
  'txt/chinese-big5.txt',
];
const MODELS: Record<Vendor, string> = {
  openai: 'gpt-5.1',
  anthropic: 'claude-sonnet-4-5',
  bedrock: 'amazon.nova-lite-v1:0',
  groq: 'llama-3.3-70b-versatile',
  gemini: 'gemini-2.5-pro',
  xai: 'grok-4',
  custom: 'llama3.2',
};

/** A way of starting in an environment with nothing in it but a home directory. */
export function inEmptyEnvironment(t: TestContext, command: string, ...args: string[]): Started {
  const home = join(temporaryDirectory(t), 'home');
  mkdirSync(home, { mode: 0o700 });
  return { command, args, environment: { HOME: home, PATH: '/nonexistent' } };
}

/**
 * Everything that a release must do, by whichever way the program is started: its commands, REST,
 * MCP, every provider's SDK, every file format, backups, and processes beside one another.
 */
export async function smoke(t: TestContext, program: Started): Promise<void> {
  const work = temporaryDirectory(t);
  const dataDir = join(work, 'data');
  const [backup, passphrase] = [join(work, 'all.backup'), join(work, 'passphrase')];
  const used = new Set<string>();
  const run = async (...args: string[]): Promise<Ending> => {
    used.add(args[0]!);
    const ending = await runProgram(t, args, { program, cwd: work });
    assert.equal(ending.code, 0, `${args.join(' ')}: ${ending.stdout}${ending.stderr}`);
    return ending;
  };
  const onData = (...args: string[]) => run(...args, '--data-dir', dataDir);

  await t.test('smoke: it says its version', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    assert.equal((await run('--version')).stdout.trim(), version);
  });

  const server = await startServer(t, dataDir, { program });
  used.add('serve');
  const firstRun = readFileSync(join(dataDir, 'first-run.txt'), 'utf8');
  const key = keyAfter(firstRun, 'Full access key');

  await t.test('smoke: the printed configuration of Claude Desktop works', async (t) => {
    const { client } = await connectMcp(t, printedConfiguration(firstRun, program.environment));
    assert.ok((await client.listTools()).tools.length >= 4);
  });

  await t.test('smoke: documentation, API description, health and metrics', async () => {
    for (const path of ['/docs', '/openapi.json', '/healthz', '/readyz', '/metrics']) {
      assert.equal((await fetch(`${server.url}${path}`)).status, 200, path);
    }
  });

  await t.test('smoke: events in, a number out', async () => {
    const events = Array.from({ length: 500 }, (_, minutes) => ({ eventName: EVENT, properties: { minutes } }));
    const receipt = await server.ingest(key, events);
    assert.equal(await count(server, key, receipt), 500);
  });

  await t.test('smoke: a card as a PNG, with its title', async () => {
    const [short, long] = [await picture(server, key, 'T'), await picture(server, key, 'Tickets that were resolved')];
    assert.equal(short.toString('latin1', 1, 4), 'PNG');
    assert.ok(long.byteLength > short.byteLength, 'without fonts they are equal');
  });

  await t.test('smoke: every file format is ingested and found', async () => {
    const refunds = join(work, 'refunds.md');
    writeFileSync(refunds, '# Refunds\n\nRefunds take fourteen days after the return arrives.\n');
    const files = FORMATS.map((file) => join(ROOT, 'tests/ingest/input', file));
    await onData('ingest', refunds, ...files, '--store', 'help');
    const found = await onData('search', 'how long does a refund take', '--store', 'help');
    assert.match(found.stdout, /fourteen days/);
  });

  await t.test('smoke: every provider answers a chat', async (t) => {
    const upstream = await fakeUpstream(t);
    for (const [vendor, model] of Object.entries(MODELS) as [Vendor, string][]) {
      const file = join(work, `${vendor}.json`);
      const name = `of-${vendor}`;
      const region = vendor === 'bedrock' ? { region: 'us-east-1' } : {};
      const [baseUrl, apiKey] = [upstream.baseUrl(vendor), 'a-key'];
      const definition = { name, provider: vendor, baseUrl, apiKey, allowPrivateNetwork: true, ...region };
      writeFileSync(file, JSON.stringify(definition));
      await onData('providers', 'apply', file);
      assert.match(await chat(server, key, { provider: vendor, providerName: name, model }), /Olá mundo/, vendor);
    }
    assert.equal(upstream.requests.length, Object.keys(MODELS).length);
  });

  await t.test('smoke: MCP over standard input and output beside the server', async (t) => {
    const { client } = await startMcp(t, dataDir, key, { program });
    used.add('mcp');
    assert.equal(await countOverMcp(client, EVENT), 500);
    const skills = new SkillsClient(client);
    const listed = (await skills.list()).skills;
    assert.equal(listed.length, readdirSync(join(ROOT, 'skills')).length);
    for (const skill of listed) assert.ok((await skills.read(skill)).verified, skill.uri);
  });

  await t.test('smoke: commands beside the server', async () => {
    const history = join(work, 'history.ndjson');
    writeFileSync(
      history,
      `${JSON.stringify({ id: 'h-1', eventName: 'imported', timestamp: '2026-03-01T12:30:00Z' })}\n`,
    );
    await onData('import', history);
    await onData('keys', 'create', '--label', 'mine', '--scopes', 'mcp:read');
    await onData('tenants', 'create', 'acme');
    await onData('agents', 'list');
    await onData('users', 'list');
    await run('connectors', 'example');
    await onData('credentials', 'list');
    await run('metrics', 'example');
    await onData('oauth', 'grants');
    await onData('sso', 'list');
    await onData('secrets', 'rotate');
    await onData('erase', '--tenant', 'acme', '--yes');
    await onData('audit', 'export');
    writeFileSync(passphrase, 'a long passphrase of the smoke test\n', { mode: 0o600 });
    await onData('backup', backup, '--passphrase-file', passphrase);
    await onData('compact');
    await onData('doctor');
  });

  await t.test('smoke: no service is installed', async (t) => {
    const { code, stdout, stderr } = await runProgram(t, ['service', 'status'], { program });
    used.add('service');
    assert.ok(code !== 0);
    assert.match(stdout + stderr, /There is no (service|systemctl)|systemd/);
  });

  await t.test('smoke: a second server on the directory is refused', async (t) => {
    const args = ['serve', '--data-dir', dataDir, '--port', '0'];
    const { code, stderr } = await runProgram(t, args, { program });
    assert.deepEqual([code, /is served already/.test(stderr)], [1, true], stderr);
  });

  await t.test('smoke: MCP goes on by itself when the server stops, and beside the next one', async (t) => {
    const { client } = await startMcp(t, dataDir, key, { program });
    assert.equal((await server.end('SIGTERM')).code, 0);
    assert.equal(await countOverMcp(client, EVENT), 500);
    const next = await startServer(t, dataDir, { program });
    assert.equal(await countOverMcp(client, EVENT), 500);
    assert.equal((await next.end('SIGTERM')).code, 0);
  });

  await t.test('smoke: a backup is restored', async (t) => {
    const restored = join(work, 'restored');
    await run('restore', backup, '--data-dir', restored, '--passphrase-file', passphrase);
    const { client } = await startMcp(t, restored, key, { program });
    assert.equal(await countOverMcp(client, EVENT), 500);
  });

  await t.test('smoke: an export answers as what it was made from', async () => {
    const copy = join(work, 'copy');
    await onData('export', copy);
    const { client } = await startMcp(t, copy, key, { program });
    assert.equal(await countOverMcp(client, EVENT), 500);
  });

  await t.test('smoke: the demo', async () => {
    assert.match((await run('demo')).stdout, /resolution rate/i);
  });

  await t.test('smoke: every command of --help has run, and has help', async () => {
    const { stdout } = await run('--help');
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!).filter((name) => name !== 'help');
    const unused = listed.filter((name) => !used.has(name));
    assert.deepEqual(unused, []);
    for (const name of listed) assert.match((await run(name, '--help')).stdout, /Usage/);
  });
}

/** What the greeting prints for Claude Desktop, as a client would read it. */
export function printedConfiguration(firstRun: string, environment: Record<string, string> = {}): Started {
  const text = /Claude Desktop[^\n]*\n( +\{\n[\s\S]*?\n {4}\})\n/.exec(firstRun)?.[1];
  assert.ok(text, firstRun);
  const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, Configuration> };
  const { command, args, env } = mcpServers['agent-runtime']!;
  return { command, args, environment: { ...environment, ...env } };
}

interface Configuration {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export function keyAfter(firstRun: string, label: string): string {
  const key = new RegExp(`${label} +(ar_\\S+)`).exec(firstRun)?.[1];
  assert.ok(key, firstRun);
  return key;
}

export async function count(server: Server, key: string, receipt: string): Promise<number> {
  const path = '/api/v1/runtime/v1/observability/events/query';
  const metrics = [{ aggregation: 'count', alias: 'events' }];
  const body = { eventName: EVENT, mode: 'aggregate', metrics };
  const answer = await server.request(key, 'POST', path, body, { 'x-wait-for': receipt });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.rows[0].events;
}

async function picture({ url }: Server, key: string, title: string): Promise<Buffer> {
  const config = { eventName: EVENT, aggregation: 'count' };
  const response = await fetch(`${url}/api/v1/runtime/observability/dashboard-cards/preview`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'image/png' },
    body: JSON.stringify({ title, cardType: 'number', config }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString());
  return bytes;
}

async function chat({ url }: Server, key: string, provider: object): Promise<string> {
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const response = await fetch(`${url}/api/v1/runtime/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ projectId: 'shop', messages, ...provider }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text;
}

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { temporaryDirectory } from '../support/app.ts';
import { COMPILED } from '../support/compile-cache.ts';
import { OWN_PAGE, PORTAL } from '../support/people.ts';
import { rareTest } from '../support/rare.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/agent-runtime.js', import.meta.url));

rareTest('demo: shows answers, serves the printed address, and cleans up on Ctrl-C', async (t) => {
  const demo = startDemo(t, ['--keep-serving']);
  await demo.says(/Serving until Ctrl-C/);
  const text = demo.text();
  assert.match(text, /[\d.]+% of the conversations were resolved in the last 7 whole days/);
  assert.match(text, /against [\d.]+% in the 7 days before: -[\d.]+ points/);
  assert.equal(text.match(/\((number|rate|line|bar|pie|table|funnel|gauge)\)$/gm)?.length, 8);
  assert.match(text, /Up to five working days[\s\S]*?Source: faq\.md, Help for customers > Refunds > How long/);
  assert.match(text, /[▁▂▃▄▅▆▇█]{14}/);

  // What stands there to be copied works.
  const [, url, key] = /--transport http agent-runtime (\S+) --header "x-api-key: (\S+)"/.exec(text) ?? [];
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { 'x-api-key': key ?? '' } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url ?? ''), { requestInit }));
  const { structuredContent } = await client.callTool({ name: 'describe_workspace', arguments: {} });
  const { cards, tabs } = structuredContent as { cards: unknown[]; tabs: { name: string }[] };
  assert.equal(cards.length, 8);
  assert.deepEqual(
    tabs.map((tab) => tab.name),
    ['Service', 'Operations'],
  );
  await client.close();
  const desktop = JSON.parse(/"mcpServers": (\{[\s\S]*?\n {6}\})/.exec(text)?.[1] ?? '{}');
  const stdio = new Client({ name: 'test', version: '1.0.0' });
  await stdio.connect(new StdioClientTransport({ ...desktop['agent-runtime'], stderr: 'ignore' }));
  assert.ok((await stdio.listTools()).tools.some(({ name }) => name === 'search_knowledge'));
  await stdio.close();

  const [, portal, secret] = /^ {2}(http:\S+)\/login#link=(\S+)$/m.exec(text) ?? [];
  assert.equal(`${portal}/mcp`, url);
  const follow = () =>
    fetch(`${portal}${PORTAL}/login/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...OWN_PAGE },
      body: JSON.stringify({ secret }),
    });
  const [first, second] = [await follow(), await follow()];
  assert.deepEqual([first.status, second.status], [200, 401]);
  const cookie = first.headers.getSetCookie()[1]?.split(';')[0] ?? '';
  const me = await fetch(`${portal}${PORTAL}/me`, { headers: { cookie, ...OWN_PAGE } });
  assert.equal(((await me.json()) as { user: { role: string } }).user.role, 'SUPER_ADMIN');

  const [, email, password] = /^ {2}User (\S+), password (\S+)$/m.exec(text) ?? [];
  const login = await fetch(`${portal}${PORTAL}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  assert.equal(login.status, 200);

  assert.equal(readdirSync(demo.directory).length, 1);
  demo.child.kill('SIGINT');
  const [code] = await once(demo.child, 'close');
  assert.equal(code, 0);
  assert.deepEqual(readdirSync(demo.directory), []);
  assert.equal(demo.errors(), '');
});

rareTest('demo: ends by itself without a terminal, and cleans up when the terminal closes', async (t) => {
  // Without a place for compiled code, as somebody starts it who tries the program.
  const alone = startDemo(t, [], {});
  const [code] = await once(alone.child, 'close');
  assert.equal(code, 0, alone.errors());
  assert.deepEqual(readdirSync(alone.directory), []);

  const watched = startDemo(t, ['--keep-serving']);
  await watched.says(/Serving until Ctrl-C/);
  watched.child.kill('SIGHUP');
  await once(watched.child, 'close');
  assert.deepEqual(readdirSync(watched.directory), []);
});

rareTest('demo: a start that fails is reported and leaves nothing behind', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const demo = startDemo(t, ['--keep-serving', '--port', String(port)]);
  const [code] = await once(demo.child, 'close');
  assert.equal(code, 1);
  assert.match(demo.errors(), /EADDRINUSE/);
  assert.deepEqual(readdirSync(demo.directory), []);
});

function startDemo(t: TestContext, flags: string[], environment: Record<string, string> = COMPILED) {
  const home = temporaryDirectory(t);
  const directory = join(home, 'tmp');
  mkdirSync(directory);
  const child = spawn(process.execPath, [PROGRAM, 'demo', ...flags], {
    cwd: home,
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: directory,
      PORT: '1',
      AGENT_RUNTIME_DATA_DIR: '/nowhere',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  t.after(() => assert.equal(existsSync('/nowhere'), false));
  const texts = { stdout: '', stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text;
  });
  const said = new Map<RegExp, () => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text;
    for (const [pattern, resolve] of said) if (pattern.test(texts.stdout)) resolve();
  });
  return {
    child,
    directory,
    text: () => texts.stdout,
    errors: () => texts.stderr,
    says: (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        said.set(pattern, resolve);
        child.once('close', () => reject(new Error(`ended: ${texts.stderr}`)));
      }),
  };
}

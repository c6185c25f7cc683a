import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { DEMO_FAQ } from '../../src/demo/faq.ts';
import { tools } from '../../src/tools/server.ts';
import { type DemoApp, demoApp } from '../support/demo.ts';
import { type Fence, fencesIn, fencesOf } from '../support/docs.ts';
import { ended, ingested } from '../support/knowledge.ts';
import { newPerson, newUser } from '../support/people.ts';
import { fakeUpstream } from '../support/upstream/server.ts';
import { addUser } from '../support/users.ts';
import { answerOf } from '../tools/support.ts';

/*
 * The examples of docs/*.md and of the skills, run in order on the demo's data. A fence named after a tool is a call of
 * it, `curl` in a shell fence is a request, and a fence marked `answer` is the answer to the call
 * before: "..." stands for anything and, as the last item of an array, for more items. The shell
 * examples of docs/operation.md run in operation.test.ts, those of docs/connectors.md in
 * connectors.test.ts, those of docs/users.md in process/users/users.test.ts.
 */

const PAGES = [
  'mcp',
  'events',
  'executions',
  'reviews',
  'chat',
  'dashboards',
  'users',
  'portal',
  'second-factor',
  'segments',
  'knowledge',
  'connectors',
];
/** Who logs in on the pages. */
const ADA = { email: 'ada@example.com', name: 'Ada', role: 'ADMIN', password: 'correct horse battery staple' } as const;
/** The provider that docs/chat.md means. */
const LOCAL = { name: 'local', provider: 'custom', allowPrivateNetwork: true };
/** The card that the pages mean by CARD_ID. */
const CARD = 'Resolution rate, last 7 days';
/** One that the pages leave as it is. */
const OTHER_CARD = 'Conversations, last 7 days';

for (const page of PAGES) {
  test(`docs/${page}.md: its examples do what the page says`, async (t) => {
    const reader = await readerOf(t, page);
    await reader.readAll(fencesOf(page));
    assert.ok(reader.compared >= 3, `only ${reader.compared} answers compared`);
  });
}

for (const name of readdirSync(new URL('../../skills', import.meta.url))) {
  test(`skills/${name}: its examples do what the skill says`, async (t) => {
    const reader = await readerOf(t, name);
    await reader.readAll(fencesIn(`skills/${name}/SKILL.md`));
    assert.ok(reader.compared >= 1, 'no answer compared');
  });
}

test('docs/mcp.md: has an exchange for every tool', () => {
  const called = new Set(fencesOf('mcp').map(({ mark }) => mark));
  for (const { name } of tools) assert.ok(called.has(name), name);
});

interface Answered {
  status: number;
  text: string;
  body: unknown;
  /** Of a chat. */
  executionId?: string | undefined;
}

/** What a page takes for granted, by the names that stand for it there. */
const PREPARED: Record<string, (app: DemoApp, t: TestContext) => Promise<[string, string][]>> = {
  portal: async (app) => {
    await newUser(app, ADA);
    return [];
  },
  chat: async (app, t) => {
    const upstream = await fakeUpstream(t);
    const baseUrl = upstream.baseUrl('custom');
    await app.runtime.providers.apply(app.tenantId, { ...LOCAL, baseUrl });
    return [];
  },
  mcp: async (app) => {
    await ingested(app, { name: 'faq.md', content: DEMO_FAQ }, { vectorStore: 'help' });
    return [];
  },
  connectors: async (app) => {
    const [definition] = fencesOf('connectors');
    await app.runtime.connectors.apply(app.tenantId, JSON.parse(definition!.text), null);
    return [];
  },
  'second-factor': async (app) => [['TOKEN', (await newPerson(app, { role: 'ADMIN' })).token]],
  users: async (app) => [
    ['ar_USERS', await app.newKey({ scopes: ['users:write'] })],
    ['USER_ID', (await addUser(app, { email: 'ana@example.com', name: 'Ana Silva' })).id],
  ],
};

async function readerOf(t: TestContext, page: string) {
  const app = await demoApp(t);
  const prepared = (await PREPARED[page]?.(app, t)) ?? [];
  const key = await app.newKey({
    scopes: [
      'mcp:read',
      'executions:read',
      'reviews:read',
      'knowledge:read',
      'metrics:write',
      'events:write',
      'alerts:write',
      'dashboards:write',
    ],
  });
  const client = await app.mcpClient(key);
  let last: Answered = { status: 200, text: '', body: null };
  let compared = 0;
  const names = new Map([
    ['http://127.0.0.1:3000', app.url],
    ['ar_FULL', app.key],
    ['ar_READ', key],
    ['CARD_ID', app.cardId(CARD)],
    ['ANY_CARD', app.cardId(OTHER_CARD)],
    ...prepared,
  ]);
  /** What the page shows as a file, by its extension. */
  const files = new Map<string, string>();
  const filled = (text: string) => [...names].reduce((all, [name, value]) => all.replaceAll(name, value), text);

  const perform: Record<string, (fence: Fence) => Promise<void>> = {
    sh: async ({ text }) => {
      if (!text.startsWith('curl')) return;
      last = await request(app, filled(text), files);
      const { id, receipt, token } = (last.body ?? {}) as { id?: string; receipt?: string; token?: string };
      if (/dashboard-tabs\s/.test(text) && id) names.set('TAB_ID', id);
      if (text.includes('portal/keys') && id) names.set('KEY_ID', id);
      if (text.includes('/reviews') && id) names.set('REVIEW_ID', id);
      if (receipt) names.set('RECEIPT', receipt);
      if (last.executionId) names.set('EXECUTION_ID', last.executionId);
      if (token) names.set('TOKEN', token);
      const { jobId, documents } = (last.body ?? {}) as { jobId?: string; documents?: { documentId: string }[] };
      if (documents) names.set('DOCUMENT_ID', documents[0]?.documentId ?? '');
      if (jobId) names.set('JOB_ID', jobId);
      // A reader looks at a job when it has ended.
      if (jobId) await ended(app, jobId);
    },
    file: async ({ language, text }) => {
      files.set(language, `${text}\n`);
    },
    answer: async ({ language, text }) => {
      compared += 1;
      if (language === 'text') assert.equal(last.text, filled(text));
      else matches(last.body, JSON.parse(filled(text)), text);
    },
    call: async ({ mark, text }) => {
      await app.runtime.eventStore.settle();
      const answer = answerOf(
        await client.callTool({ name: mark, arguments: JSON.parse(filled(text)) as Record<string, unknown> }),
      );
      last = { status: answer.isError ? 400 : 200, text: answer.text, body: answer.data };
      const { cases } = (answer.data as { basis?: { cases?: string } } | null)?.basis ?? {};
      if (cases !== undefined) names.set('HANDLE', cases);
    },
  };
  /** A call whose answer the page does not show must at least be right. */
  const read = async (fence: Fence, next?: Fence) => {
    if (fence.mark === 'answer') return perform.answer!(fence);
    if (fence.mark === 'file') return perform.file!(fence);
    const isCall = fence.mark !== '' || fence.text.startsWith('curl');
    if (fence.language === 'sh') await perform.sh!(fence);
    else if (fence.mark !== '') await perform.call!(fence);
    else if (fence.language === 'json') JSON.parse(fence.text);
    if (isCall && next?.mark !== 'answer') assert.ok(last.status < 300, `${last.status} ${last.text}: ${fence.text}`);
  };
  return {
    get compared() {
      return compared;
    },
    readAll: async (fences: Fence[]) => {
      for (const [index, fence] of fences.entries()) await read(fence, fences[index + 1]);
    },
  };
}

/** What `curl` would do with these arguments, without needing one on the machine. */
async function request(app: DemoApp, command: string, files: ReadonlyMap<string, string>) {
  const words = [...command.replaceAll('\\\n', ' ').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
  const after = (flag: string) => words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
  const headers = after('-H').map((header) => header.split(/: (.*)/).slice(0, 2) as [string, string]);
  const parts = after('-F');
  const body = parts.length > 0 ? formOf(parts, files) : after('-d')[0];
  const url = words.find((word) => word.startsWith(app.url));
  assert.ok(url, command);
  const response = await fetch(url, {
    method: after('-X')[0] ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  assert.ok(response.status < 500, `${response.status}: ${text}`);
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  const executionId = response.headers.get('x-execution-id') ?? undefined;
  return { status: response.status, text, body: isJson ? (JSON.parse(text) as unknown) : null, executionId };
}

/** Of `name=text` and `name=@file`, a file of the page. */
function formOf(parts: string[], files: ReadonlyMap<string, string>): FormData {
  const form = new FormData();
  for (const part of parts) {
    const [name = '', value = ''] = part.split(/=(.*)/s);
    if (!value.startsWith('@')) form.append(name, value);
    else form.append(name, new Blob([files.get(value.split('.').at(-1)!) ?? assert.fail(part)]), value.slice(1));
  }
  return form;
}

/** Everything that the page shows is so; an answer may hold more members. */
function matches(actual: unknown, shown: unknown, at: string): void {
  if (shown === '...') {
    assert.notEqual(actual, undefined, at);
  } else if (Array.isArray(shown)) {
    assert.ok(Array.isArray(actual), at);
    const open = shown.at(-1) === '...';
    const items = open ? shown.slice(0, -1) : shown;
    assert.ok(open ? actual.length > items.length : actual.length === items.length, `${at}: ${JSON.stringify(actual)}`);
    for (const [index, item] of items.entries()) matches(actual[index], item, at);
  } else if (typeof shown === 'object' && shown !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, `${at}: ${JSON.stringify(actual)}`);
    for (const [name, value] of Object.entries(shown)) {
      matches((actual as Record<string, unknown>)[name], value, `${name} in ${at}`);
    }
  } else if (typeof shown === 'number' && typeof actual === 'number') {
    assert.ok(Math.abs(shown - actual) <= 1e-9 * Math.abs(shown), `${actual} for ${at}`);
  } else {
    assert.equal(actual, shown, at);
  }
}

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { before, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import type { ToolDefinition } from '../../src/tools/define.ts';
import { tools } from '../../src/tools/server.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { UPDATES_GOLDEN } from '../support/golden.ts';
import { ingested } from '../support/knowledge.ts';
import { scopeOfThisFile } from '../support/shared.ts';
import { HOSTILE } from './hostile-values.ts';
import { answerOf, type ToolAnswer } from './support.ts';
import { CARDS } from './workspace-support.ts';

/** Concurrent calls that one server answers promptly. */
const AT_ONCE = 16;
const MAX_ANSWER = 45 * 1024;

const FILTER = { propertyKey: 'plan', operator: 'eq', value: 'pro' };
const COUNT = { eventName: 'sale', aggregation: 'count', filters: [FILTER] };
const RATE = { eventName: 'sale', aggregation: 'rate', numerator: { eventName: 'sale', filters: [FILTER] } };
const METRIC = { aggregation: 'max', propertyKey: 'amount', alias: 'highest' };

const METRIC_DEFINITION = {
  name: 'sales',
  title: 'Sales',
  format: { decimals: 0 },
  formula: { eventName: 'sale', aggregation: 'count' },
};

/** Valid arguments in which members are replaced; the first that fits is used. */
const RIGHT: Record<string, object[]> = {
  describe_workspace: [{}],
  render_dashboard_card: [{ cardId: 'CARD' }],
  aggregate_events: [COUNT, RATE, { ...COUNT, review: {} }],
  explain_change: [
    { ...COUNT, dateFrom: '-7d' },
    { ...RATE, dateFrom: '-7d' },
    { ...COUNT, dateFrom: '-7d', review: {} },
  ],
  propose_metric: [METRIC_DEFINITION],
  report_gap: [{ question: 'why' }],
  track_event: [{ eventName: 'promise' }],
  create_annotation: [{ text: 'Release' }],
  create_alert: [
    {
      title: 'Sales',
      question: { ...COUNT, filters: [FILTER] },
      condition: { type: 'threshold', operator: 'lt', value: 1 },
    },
    { title: 'Sales', question: RATE, condition: { type: 'change', operator: 'lt', ratio: -0.5 } },
    { title: 'Sales', question: { ...COUNT, review: {} }, condition: { type: 'no_data' } },
  ],
  save_card: [
    {
      ...{ title: 'Sales', cardType: 'number', config: { eventName: 'sale', aggregation: 'count' }, dryRun: true },
      gridLayout: { x: 0, y: 0, w: 1, h: 1 },
    },
  ],
  save_tab: [{ name: 'Tab' }, { name: 'Tab', layout: [{ cardId: 'CARD', x: 0, y: 0, w: 1, h: 1 }] }],
  delete_card: [{ cardId: 'CARD' }],
  query_events: [
    { eventName: 'sale', columns: ['plan'], filters: [FILTER] },
    { eventName: 'sale', mode: 'aggregate', groupBy: ['plan'], metrics: [METRIC], filters: [FILTER] },
    { eventName: 'sale', mode: 'retention', start: { filters: [FILTER] }, returned: { filters: [FILTER] } },
  ],
  search_executions: [{}],
  get_execution: [{ executionId: 'run' }],
  search_knowledge: [{ query: 'refund', filter: { lang: 'en' } }],
};
/** Its members are the caller's own names. */
const FREE = 'filter';
/** Members that the first valid arguments lack. */
const SECOND = /^(question\.)?(numerator|groupBy|metrics|layout)/;
const THIRD = /^((question\.)?review|start|returned|by|dateGrouping|periods)/;

/**
 * For every member of every tool, the hostile values that are answered; all others are refused. The soak writes the file
 * with UPDATE_GOLDEN=1; read the differences.
 */
const GOLDEN = new URL('hostile-arguments.golden.json', import.meta.url);
const MEANT = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Record<string, Record<string, string>>;

const labelOf = (value: string) => (value.length > 60 ? `${value.slice(0, 40)}… ${value.length} characters` : value);

let app: TestApp;
let cardId: string;

export interface HostileOptions {
  /** Each member gets every n-th of the hostile values; 1: all. */
  everyNth: number;
  /** Generated arguments for each tool. */
  runs: number;
}

/** On one server, which still answers correctly at the end. */
export function testHostileArguments({ everyNth, runs }: HostileOptions): void {
  const wholeFile = scopeOfThisFile();
  before(() => opened(wholeFile));

  for (const tool of tools) {
    test(`${tool.name}: answers or refuses any value in place of each member`, async (t) => {
      const members = membersOf(schemaOf(tool));
      const answered = new Set<string>();
      const labels = (member: string) => MEANT[tool.name]![member]!.split(' | ');
      if (!UPDATES_GOLDEN) assert.deepEqual(members.sort(), Object.keys(MEANT[tool.name]!).sort());
      const questions = members.flatMap((member, at) =>
        HOSTILE.filter((_, index) => (at + index) % everyNth === 0).map((value) => ({ member, value })),
      );
      const seen = { answered: 0, refused: 0 };
      await inTurns(questions, async ({ member, value }) => {
        const answer = await ask(tool.name, argumentsWith(tool.name, member, value));
        if (!answer.isError) answered.add(`${member} ${value}`);
        const isMeant = UPDATES_GOLDEN ? !answer.isError : labels(member).includes(labelOf(value));
        const about = `${tool.name} ${member} = ${value.slice(0, 80)}: ${answer.text.slice(0, 300)}`;
        assertNoInternals(answer, about);
        if (isMeant) assertAnswered(answer, about);
        else assertRefused(answer, member, about);
        seen[isMeant ? 'answered' : 'refused'] += 1;
      });
      if (UPDATES_GOLDEN) {
        const labelsOf = (member: string) => HOSTILE.filter((one) => answered.has(`${member} ${one}`)).map(labelOf);
        MEANT[tool.name] = Object.fromEntries(members.sort().map((member) => [member, labelsOf(member).join(' | ')]));
        writeFileSync(GOLDEN, `${JSON.stringify(MEANT, null, 2)}\n`);
      }
      t.diagnostic(`${members.length} members, ${seen.answered} questions answered, ${seen.refused} refused`);
      await assertHealthy();
    });

    test(`${tool.name}: names unknown members, wherever they are`, async () => {
      const places = ['', ...membersOf(schemaOf(tool))].filter((place) => place !== FREE);
      const right = rightFor(tool.name, '');
      const objects = places.filter((place) => isPlainObject(memberAt(rightFor(tool.name, place), place)));
      assert.ok(objects.includes('') && isPlainObject(right));
      for (const place of objects) {
        for (const name of ['nonsense', 'constructor', 'toString', 'hasOwnProperty', 'Eventname', 'event name', '😀']) {
          const path = place === '' ? name : `${place}.${name}`;
          const answer = await ask(tool.name, argumentsWith(tool.name, path, '1'));
          assertRefused(answer, path, `${tool.name} with ${path}: ${answer.text}`);
          assert.match(answer.text, /unknown member/);
        }
      }
      await assertHealthy();
    });

    test(`${tool.name}: no JSON arguments cause an internal error`, async () => {
      const anything = fc.oneof(fc.json({ maxDepth: 3 }), fc.json({ maxDepth: 5, noUnicodeString: false }));
      const some = fc.oneof(
        anything,
        fc
          .dictionary(fc.constantFrom(...Object.keys(MEANT[tool.name]!), 'x'), anything, { maxKeys: 5 })
          .map((members) => `{${Object.entries(members).map(([key, value]) => `${JSON.stringify(key)}:${value}`)}}`),
      );
      const withoutInternals = fc.asyncProperty(some, async (args) =>
        assertNoInternals(await ask(tool.name, args), args),
      );
      await fc.assert(withoutInternals, { seed: 20_260_301, numRuns: runs });
      for (const args of ['[]', '"x"', '7', 'true']) {
        assertProtocolError(await ask(tool.name, args), args);
      }
      await assertHealthy();
    });
  }
}

async function opened(scope: TestContext): Promise<void> {
  app = await testApp(scope, { rateLimit: 0 });
  await app.ingest([
    { eventName: 'sale', properties: { plan: 'pro', amount: 5 } },
    { eventName: 'sale', properties: { plan: 'free', amount: 7 } },
  ]);
  const card = { title: 'Sales', cardType: 'number', config: { eventName: 'sale', aggregation: 'count' } };
  cardId = (await app.request('POST', CARDS, card)).body.id;
  await app.request('POST', '/api/v1/runtime/v1/observability/executions', { id: 'run', output: 'Five days.' });
  await ingested(app, { name: 'help.md', content: 'A refund takes five days.' }, { vectorStore: 'help' });
}

/** The full schema: the advertised one leaves out bounds. */
function schemaOf({ input }: ToolDefinition): Schema {
  return z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema;
}

/** Paths of every member of a schema, including arrays and alternatives. */
function membersOf(schema: Schema, path = ''): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return [at, ...membersOf(member, at)];
  });
  // The expectation of an array of texts covers its items, except for the columns of a table.
  const items = schema.items?.type === 'object' || path === 'columns' ? [`${path}[0]`] : [];
  return [...own, ...items, ...(schema.items?.type === 'object' ? membersOf(schema.items, `${path}[0]`) : [])];
}

interface Schema {
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
}

function rightFor(tool: string, member: string): object {
  const [first, second, third] = RIGHT[tool]!;
  const right = THIRD.test(member) ? third! : SECOND.test(member) ? second! : first!;
  return JSON.parse(JSON.stringify(right).replace('CARD', cardId));
}

function partsOf(path: string): string[] {
  return path === '' ? [] : path.split(/\.|\[(\d+)\]\.?/).filter(Boolean);
}

function memberAt(args: unknown, path: string): unknown {
  return partsOf(path).reduce((value, part) => (value as Record<string, unknown> | undefined)?.[part], args);
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Valid arguments with one member replaced or added, as JSON text. */
function argumentsWith(tool: string, path: string, json: string): string {
  const args = rightFor(tool, path);
  const parts = partsOf(path);
  const holder = parts.slice(0, -1).reduce((value, part) => (value as Record<string, unknown>)[part], args as unknown);
  const mark = 'the member that is put wrong';
  Object.defineProperty(holder, parts.at(-1)!, { value: mark, enumerable: true, configurable: true, writable: true });
  return JSON.stringify(args).replace(JSON.stringify(mark), () => json);
}

interface Outcome extends ToolAnswer {
  status: number;
  /** Of a protocol error. */
  code?: number;
}

/** Several calls run at once: one that proposes a metric may come between the steps of another. */
async function ask(tool: string, args: string): Promise<Outcome> {
  for (;;) {
    const outcome = await askOnce(tool, args);
    if (!/was changed at the same time/.test(outcome.text)) return outcome;
  }
}

async function askOnce(tool: string, args: string): Promise<Outcome> {
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': app.key,
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`,
  });
  const text = await response.text();
  const { result, error } = JSON.parse(/^data: ([^\n]*)$/m.exec(text)?.[1] ?? text);
  const { status } = response;
  return result ? { status, ...answerOf(result) } : { status, code: error?.code, isError: true, text, data: undefined };
}

/** No internals appear, and the size of the answer is bounded. */
function assertNoInternals({ status, text, isError }: Outcome, about: string): void {
  assert.ok(status < 500, about);
  assert.doesNotMatch(
    text,
    /Internal error|-32603|node_modules|\bat .*\.ts:\d|SELECT |TypeError|undefined method/,
    about,
  );
  assert.ok(Buffer.byteLength(text) <= (isError ? 4_096 : MAX_ANSWER), about.slice(0, 200));
}

/** An answer with its basis, or a note that the name is unknown. */
function assertAnswered({ isError, data }: Outcome, about: string): void {
  assert.equal(isError, false, about);
  if (data.outcome ?? data.recorded ?? data.receipt ?? data.at ?? data.newSecrets ?? data.execution) return;
  assert.ok(data.basis ?? data.now ?? data.results ?? data.executions, about);
  const found = data.events ?? data.results ?? data.executions;
  const isEmpty = data.basis ? data.basis.matchedEvents === 0 : found.length === 0;
  const note = data.note ?? data.notes?.join(' ');
  if (isEmpty) assert.ok(note?.length > 20, about);
}

/** Valid but unknown names, and the member that is needed in place of another. */
const UNKNOWN = new Map([
  ['question', /- metric: send one of metric, question and cardId/],
  ['cardId', /There is no dashboard card/],
  ['vectorStore', /There is no vector store/],
  ['executionId', /There is no execution/],
  ['step', /has no step/],
]);

function assertRefused(answer: Outcome, member: string, about: string): void {
  assert.equal(answer.isError, true, about);
  const isUnknown = UNKNOWN.get(member)?.test(answer.text);
  assert.ok(isUnknown || answer.text.includes(`- ${member}`), about);
}

function assertProtocolError({ code, status }: Outcome, about: string): void {
  assert.deepEqual([code, status < 500], [-32602, true], about);
}

async function assertHealthy(): Promise<void> {
  const count = await ask('aggregate_events', JSON.stringify(COUNT));
  assert.equal(count.data?.value, 1, count.text);
  const card = await ask('render_dashboard_card', JSON.stringify({ cardId }));
  assert.equal(card.data?.data.value, 2, card.text);
}

async function inTurns<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    await Promise.all(items.slice(start, start + AT_ONCE).map(work));
  }
}

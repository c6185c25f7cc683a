import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { difference } from '../reference/differential.ts';
import { kpi, table } from '../reference/evaluator.ts';
import { rawQuestion, tableQuestion } from '../reference/questions.ts';
import { EVENTS, skipOnServers } from '../support/app.ts';
import { type DemoApp, demoApp } from '../support/demo.ts';
import { UPDATES_GOLDEN } from '../support/golden.ts';
import { eventually } from '../support/process.ts';
import { demoAgentData } from './demo-data.ts';
import { answerOf, withoutWords } from './support.ts';

/*
 * Questions as language models phrase them: other names, dates in words, text for numbers. Either the first answer is right,
 * or its words lead to a second call that is. UPDATE_GOLDEN=1 writes the answers; the reference evaluator must agree.
 */

type Arguments = Record<string, unknown>;

interface Question {
  question: string;
  tool: string;
  arguments: Arguments;
  /** The second call, when the first answer does not suffice. `card` is the title of the card whose id is sent. */
  then?: Arguments;
  /** Its tool, if another. */
  by?: string;
  /** Names that the caller knows from elsewhere. */
  knows?: string[];
  /** What the person means, in plain arguments; of describe_workspace: the events to be found. */
  meaning: Arguments;
  answer?: unknown;
  thenAnswer?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: each tool answers in its own shape
type Answer = { isError: boolean; text: string; data: any };

const GOLDEN = fileURLToPath(new URL('./plain-questions.golden.json', import.meta.url));
const BIOME = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
const questions = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Question[];

test('plain questions: right at once, or after a second call that the answer words', {
  skip: skipOnServers,
}, async (t) => {
  const app = await demoApp(t);
  const client = await app.mcpClient(await app.newKey({ scopes: ['mcp:read'] }));
  const ask = async (tool: string, { card, ...args }: Arguments): Promise<Answer> => {
    const sent = card === undefined ? args : { ...args, cardId: app.cardId(String(card)) };
    try {
      return answerOf(await client.callTool({ name: tool, arguments: sent }));
    } catch (error) {
      return { isError: true, text: (error as Error).message, data: null };
    }
  };
  // Names of recorded calls are among the nearest ones, and must be known from the first question on.
  await ask('describe_workspace', {});
  const called = { eventName: 'runtime.tool_called', mode: 'aggregate' };
  const calls = async () => (await app.request('POST', `${EVENTS}/query`, called)).body.rows[0]?.count ?? 0;
  await eventually('a call is recorded', async () => (await calls()) > 0, 10_000);
  let inOne = 0;
  for (const asked of questions) {
    await t.test(`plain questions: ${asked.question}`, async () => {
      const first = await ask(asked.tool, asked.arguments);
      const second = asked.then && (await ask(asked.by ?? asked.tool, asked.then));
      if (UPDATES_GOLDEN) Object.assign(asked, shownBoth(first, second));
      assert.deepEqual(shownBoth(first, second), { answer: asked.answer, thenAnswer: asked.thenAnswer });
      if (asked.then) assertWorded(first, asked as Required<Question>);
      else inOne++;
      await assertRight(app, asked, second ?? first);
    });
  }
  t.diagnostic(`${inOne} of ${questions.length} at once, the others after a second call`);
  if (UPDATES_GOLDEN) {
    writeFileSync(GOLDEN, `${JSON.stringify(questions, null, 2)}\n`);
    execFileSync(process.execPath, [BIOME, 'format', '--write', GOLDEN], { stdio: 'ignore' });
  }
});

test('plain questions: at least 120, each once', () => {
  assert.ok(questions.length >= 120);
  assert.equal(new Set(questions.map(({ question }) => question)).size, questions.length);
});

/** An answer that does not suffice is an error or has a note, and every new word of the second call is in it. */
function assertWorded(first: Answer, asked: Required<Question>): void {
  const words = first.isError ? first.text : (first.data.note ?? '');
  assert.notEqual(words, '', 'a silently wrong answer');
  const known = new Set([...leavesOf(asked.arguments), ...(asked.knows ?? [])]);
  for (const leaf of leavesOf(asked.then).filter((one) => !known.has(one) && !isOwnWord(one))) {
    assert.ok(words.includes(leaf), `${leaf} is not in: ${words}`);
  }
}

/** Names and texts, with the names of the members. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('[') ? leavesOf(JSON.parse(value)) : value.split(',');
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return Object.entries(value).flatMap(([name, member]) => [...(name === 'card' ? [] : [name]), ...leavesOf(member)]);
}

/** What the person knows: dates, time zones, and how to name a column. */
function isOwnWord(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$|^-7d$|^[A-Z][a-z]+\/[A-Z]\w+$|^average$|^count$/.test(text);
}

async function assertRight(app: DemoApp, { tool, by = tool, meaning }: Question, answer: Answer): Promise<void> {
  assert.equal(answer.isError, false, answer.text);
  const { data } = answer;
  if (by === 'aggregate_events') {
    const expected = kpi(rawQuestion(meaning), demoAgentData);
    assert.equal(difference(data.value, expected.overall.value), null);
    assert.equal(difference(data.series ?? null, expected.series), null);
    assert.equal(difference(valuesOf(data.groups), valuesOf(expected.groups)), null);
    assert.equal(difference(data.previous?.value, expected.previous?.value), null);
    assert.equal(data.basis.matchedEvents, expected.matched);
  } else if (by === 'query_events') {
    const expected = table(tableQuestion({ limit: 20, ...meaning }), demoAgentData);
    assert.equal(difference(data.rows.map(Object.values), expected.table.rows.map(Object.values)), null);
    assert.equal(data.total, expected.table.total);
  } else if (by === 'render_dashboard_card') {
    const { notes: _, ...card } = await app.runtime.dashboards.render(
      app.caller,
      app.cardId(String(meaning.card)),
      'mcp:read',
    );
    assert.deepEqual(data.card, card.card);
    assert.deepEqual(withoutWords(data.data), withoutWords(card.data));
  } else {
    const names = (data.events as { eventName: string }[]).map(({ eventName }) => eventName);
    for (const name of meaning.events as string[]) assert.ok(names.includes(name), `${name} in ${names.join(', ')}`);
  }
}

function valuesOf(groups: { group: unknown; value: unknown }[] | null | undefined) {
  return groups?.map(({ group, value }) => ({ group, value })) ?? null;
}

function shownBoth(first: Answer, second: Answer | undefined) {
  return { answer: shown(first), thenAnswer: second && shown(second) };
}

/** What a reader of the golden file wants to see. */
function shown({ isError, text, data }: Answer): unknown {
  if (isError) return text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>');
  const { value, groups, rows, total, events, note, basis, card } = data;
  const all = {
    value,
    groups: groups?.length,
    rows: rows?.length,
    total,
    events: (events as { eventName: string }[] | undefined)?.map(({ eventName }) => eventName),
    card: card?.title,
    note,
    from: basis?.from,
    to: basis?.to,
  };
  return JSON.parse(JSON.stringify(all)) as unknown;
}

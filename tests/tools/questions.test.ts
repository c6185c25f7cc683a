import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { difference } from '../reference/differential.ts';
import { kpi, table } from '../reference/evaluator.ts';
import { rawQuestion, tableQuestion } from '../reference/questions.ts';
import { skipOnServers } from '../support/app.ts';
import { demoApp } from '../support/demo.ts';
import { UPDATES_GOLDEN } from '../support/golden.ts';
import { rareTest } from '../support/rare.ts';
import { demoAgentData } from './demo-data.ts';
import { answerOf } from './support.ts';

/*
 * Plain questions, the call that a client makes for each by the tools' descriptions, and the right
 * answer. UPDATE_GOLDEN=1 writes the answers; an independent evaluator must agree with them.
 */

interface Golden {
  question: string;
  tool: string;
  /** A card is named by its title, because ids change. */
  arguments: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: each tool answers in its own shape
  answer: any;
}

const GOLDEN = fileURLToPath(new URL('./questions.golden.json', import.meta.url));
const BIOME = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
const questions = JSON.parse(readFileSync(GOLDEN, 'utf8')) as Golden[];

rareTest('tools: plain questions get the right answers', { skip: skipOnServers }, async (t) => {
  const ask = await asker(t);
  for (const golden of questions) {
    await t.test(`tools: ${golden.question}`, async () => {
      const answer = await ask(golden);
      if (UPDATES_GOLDEN) golden.answer = answer;
      assert.equal(difference(answer, golden.answer), null);
      agreesWithTheReference(golden);
    });
  }
  if (UPDATES_GOLDEN) {
    writeFileSync(GOLDEN, `${JSON.stringify(questions, null, 2)}\n`);
    execFileSync(process.execPath, [BIOME, 'format', '--write', GOLDEN], { stdio: 'ignore' });
  }
});

test('questions.golden.json: has at least twenty, for every tool', () => {
  assert.ok(questions.length >= 20);
  assert.deepEqual([...new Set(questions.map(({ tool }) => tool))].sort(), [
    'aggregate_events',
    'describe_workspace',
    'query_events',
    'render_dashboard_card',
  ]);
});

async function asker(t: TestContext) {
  const app = await demoApp(t);
  const client = await app.mcpClient(await app.newKey({ scopes: ['mcp:read'] }));
  return async ({ tool, arguments: args }: Golden): Promise<unknown> => {
    const sent = typeof args.cardId === 'string' ? { ...args, cardId: app.cardId(args.cardId) } : args;
    const { isError, text, data } = answerOf(await client.callTool({ name: tool, arguments: sent }));
    assert.equal(isError, false, text);
    const anonymous = JSON.stringify(data).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>');
    return JSON.parse(anonymous) as unknown;
  };
}

type Group = { previous?: { value: number | null } };

/** The evaluator yields values; the change between them follows. */
function ungrouped(groups: Group[] | null | undefined): unknown {
  return groups?.map(({ previous, ...group }) => ({ ...group, previous: previous?.value })) ?? null;
}

function agreesWithTheReference({ tool, arguments: args, answer }: Golden): void {
  if (tool === 'aggregate_events') {
    const expected = kpi(rawQuestion(args), demoAgentData);
    assert.equal(difference(answer.value, expected.overall.value), null);
    assert.equal(difference(answer.previous?.value, expected.previous?.value), null);
    assert.equal(difference(ungrouped(answer.groups), ungrouped(expected.groups)), null);
    assert.equal(difference(answer.series ?? null, expected.series), null);
    assert.equal(answer.basis.matchedEvents, expected.matched);
  }
  if (tool === 'query_events') {
    const expected = table(tableQuestion({ limit: 20, ...args }), demoAgentData);
    assert.equal(difference(answer.rows, expected.table.rows), null);
    assert.equal(answer.total, expected.table.total);
  }
}

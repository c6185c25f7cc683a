import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Facts } from '../../../bench/eval/facts.ts';
import { runTasks, type TaskResult } from '../../../bench/eval/runner.ts';
import { tasks } from '../../../bench/eval/tasks/index.ts';
import type { Task } from '../../../bench/eval/tasks/task.ts';
import { openWorkspace, type Workspace } from '../../../bench/eval/workspace.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { rareTest } from '../../support/rare.ts';
import recordings from './recordings.json' with { type: 'json' };
import { type Recording, scriptedModel } from './scripted-model.ts';

/*
 * What `npm run eval:tools` does, with recorded answers of a good agent in place of a model: the
 * tools give the right answers, and the scores tell right from wrong.
 */

const ROOT = join(import.meta.dirname, '../../..');
const facts = new Facts({ now: Date.parse('2026-03-12T17:20:00.000Z'), days: 32, oneExecutionOf: 8 });
let workspace: Workspace;

before(async () => {
  workspace = await openWorkspace(facts);
});
after(() => workspace.close());

const recordingOf = (name: string): Recording => recordings.find(({ task }) => task === name)!;
const questionOf = ({ ask }: Task) => (typeof ask === 'string' ? ask : ask(facts));

let models = 0;

/** Runs the tasks with a model that plays back what is recorded, or what is given instead. */
async function replay(
  t: Parameters<typeof scriptedModel>[0],
  chosen: readonly Task[],
  changed: (recording: Recording) => Recording = (recording) => recording,
): Promise<TaskResult[]> {
  const byQuestion = new Map(chosen.map((task) => [questionOf(task), changed(recordingOf(task.name))]));
  const baseUrl = await scriptedModel(t, (question) => byQuestion.get(question)!);
  const name = `scripted-${++models}`;
  await workspace.applyProviders({ name, provider: 'custom', baseUrl, allowPrivateNetwork: true });
  const chat = await workspace.chatWith(`${name}/recorded`);
  return Array.fromAsync(runTasks(chosen, { workspace, facts, chat }));
}

const named = (...names: string[]) => names.map((name) => tasks.find((task) => task.name === name)!);

test('eval:tools: has 40 tasks, each with a name and a recording of its own', () => {
  const names = tasks.map(({ name }) => name);
  assert.equal(new Set(names).size, 40);
  assert.deepEqual(recordings.map(({ task }) => task).sort(), names.toSorted());
});

test('eval:tools: every task passes with the recorded calls of a good agent', async (t) => {
  const results = await replay(t, tasks);
  assert.deepEqual(
    results.filter(({ passed }) => !passed).map(({ task, fault, calls }) => ({ task, fault, calls })),
    [],
  );
  for (const { inputTokens, outputTokens, calls, cost } of results) {
    assert.equal(inputTokens, 100 * (calls.length + 1));
    assert.equal(outputTokens, 10 * (calls.length + 1));
    assert.equal(cost, null);
  }
});

test('eval:tools: a wrong range, a wrong group and a made-up number fail', async (t) => {
  const otherRange = ({ calls, ...rest }: Recording): Recording => {
    const moved = calls.map(({ name, arguments: args }) => ({
      name,
      arguments: { ...(args as object), dateFrom: '-6d' },
    }));
    return { ...rest, calls: moved.filter(({ name }) => name !== 'describe_workspace') };
  };
  const asked = named('kpi-refunds', 'kpi-change', 'retention-size');
  for (const { passed, task } of await replay(t, asked, otherRange)) assert.equal(passed, false, task);
  const said = (answer: string) => (recording: Recording) => ({ ...recording, answer });
  const [wrongGroup] = await replay(t, named('explain-tools'), said('Answer: issue_refund'));
  assert.match(wrongGroup!.fault ?? '', /expected "lookup_order", got "issue_refund"/);
  const [madeUp] = await replay(t, named('kpi-score'), said('Answer: 4.5'));
  assert.equal(madeUp!.passed, false);
});

test('eval:tools: a gap that is only told, or reported of what can be answered, fails', async (t) => {
  const told = await replay(t, named('gap-partners', 'record-annotation'), (one) => ({ ...one, calls: [] }));
  assert.deepEqual(
    told.map(({ fault }) => fault),
    [
      'gaps: nothing fits {"question":"/partner/i"}',
      'annotations: nothing fits {"text":"/2\\\\.4/","at":"/^2026-03-12T09:00:00/"}',
    ],
  );
  const gap = { name: 'report_gap', arguments: { question: 'How many?' } };
  const [reported] = await replay(t, named('kpi-refunds'), ({ calls, ...one }) => ({ ...one, calls: [...calls, gap] }));
  assert.match(reported!.fault ?? '', /reported a gap/);
});

test('eval:tools: a provider that fails, fails the task with its words', async () => {
  const baseUrl = 'http://127.0.0.1:9/v1';
  await workspace.applyProviders({ name: 'gone', provider: 'custom', baseUrl, allowPrivateNetwork: true });
  const chat = await workspace.chatWith('gone/recorded');
  const [failed] = await Array.fromAsync(runTasks(named('kpi-score'), { workspace, facts, chat }));
  assert.match(failed!.fault ?? '', /^the provider failed: 502/);
});

test('eval:tools: without a key it names the variable to set, and ends with 78', () => {
  const run = (...args: string[]) => {
    const env = { PATH: process.env.PATH ?? '' };
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'bench/eval/run.ts'), ...args], { env });
    return [status, stderr.toString()];
  };
  assert.deepEqual(run('--model', 'anthropic/claude-sonnet-4-5'), [
    78,
    'There is no key for anthropic: set ANTHROPIC_API_KEY.\n',
  ]);
});

rareTest('eval:tools: the command prints what passed, and fails below the share', async (t) => {
  const file = join(temporaryDirectory(t), 'providers.json');
  const baseUrl = await scriptedModel(t, (question) => {
    const { name } = tasks.find(({ ask }) => ask === question)!;
    return name === 'kpi-change' ? { ...recordingOf(name), answer: 'Answer: 7' } : recordingOf(name);
  });
  writeFileSync(file, JSON.stringify({ name: 'own', provider: 'custom', baseUrl, allowPrivateNetwork: true }));
  const run = promisify(execFile);
  const args = ['bench/eval/run.ts', '--model', 'own/m', '--providers', file, '--only', 'kpi-c', '--at-least'];
  const { stdout } = await run(process.execPath, [...args, '0.5'], { cwd: ROOT });
  assert.match(stdout, /kpi-conversations +pass +2 +330 +\? .*\nkpi-change +FAIL +1 .*\ntotal +1 of 2 +3 /);
  const failed = await run(process.execPath, [...args, '0.6', '--json'], { cwd: ROOT }).catch(
    (error: unknown) => error,
  );
  const { code, stdout: json } = failed as { code: number; stdout: string };
  assert.equal(code, 1);
  assert.equal(JSON.parse(json).results[1].fault, 'expected 101, got "7"');
});

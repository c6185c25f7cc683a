import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { keyVariablesOf } from '../../src/core/agents/providers/environment.ts';
import { alignedTable } from '../../src/core/base/shared/text.ts';
import { readModel } from './chat.ts';
import type { TaskResult } from './runner.ts';

const HELP = `npm run eval:tools -- --model provider/model [options]

Gives a model 40 tasks on the demo over MCP, and scores them by what the server holds afterwards or by the events.

  --model      such as anthropic/claude-sonnet-4-5, or the name of a definition in --providers and its model
  --providers  a file as \`providers apply\` takes it, for servers of your own
  --only       tasks whose names begin so, such as kpi
  --at-least   the share of tasks that must pass, from 0 to 1; default 0
  --json       one JSON object instead of the table`;

/** EX_CONFIG of sysexits.h. */
const EX_CONFIG = 78;

/** A Thursday afternoon; the story's outage lies in the week before. */
const NOW = Date.parse('2026-03-12T17:20:00.000Z');

class Unusable extends Error {}

function readOptions() {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      ...{ model: text, providers: text, only: { ...text, default: '' }, 'at-least': { ...text, default: '0' } },
      ...{ json: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    },
  });
  return values;
}

/** Throws `Unusable` with the words for the person who started it. */
function checkKey(model: string | undefined, providers: string | undefined): string {
  const chosen = model === undefined ? null : readModel(model);
  if (model === undefined || !chosen) throw new Unusable('Name a model: --model provider/model.');
  if (providers !== undefined) return model;
  if (chosen.provider === 'custom') {
    throw new Unusable(`There is no vendor ${chosen.providerName}: give its definition with --providers FILE.`);
  }
  const variables = keyVariablesOf(chosen.provider);
  if (variables.some((name) => process.env[name])) return model;
  throw new Unusable(`There is no key for ${chosen.provider}: set ${variables.slice(0, 2).join(' or ')}.`);
}

async function run({ only, json, providers, ...options }: ReturnType<typeof readOptions>): Promise<number> {
  const model = checkKey(options.model, providers);
  const definitions = providers === undefined ? null : JSON.parse(readFileSync(providers, 'utf8'));
  const [{ Facts }, { runTasks }, { tasks }, { openWorkspace }] = await Promise.all([
    import('./facts.ts'),
    import('./runner.ts'),
    import('./tasks/index.ts'),
    import('./workspace.ts'),
  ]);
  const chosen = tasks.filter(({ name }) => name.startsWith(only));
  if (chosen.length === 0) throw new Unusable(`No task begins with ${only}.`);
  const facts = new Facts({ now: NOW });
  const workspace = await openWorkspace(facts);
  const results: TaskResult[] = [];
  try {
    if (definitions !== null) await workspace.applyProviders(definitions);
    const chat = await workspace.chatWith(model);
    for await (const result of runTasks(chosen, { workspace, facts, chat })) {
      results.push(result);
      process.stderr.write(
        `${result.passed ? 'pass' : 'FAIL'}  ${result.task}${result.fault ? `: ${result.fault}` : ''}\n`,
      );
    }
  } finally {
    await workspace.close();
  }
  const passed = results.filter((result) => result.passed).length;
  const report = { model, passed, total: results.length, share: passed / results.length, results };
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : `${table(results).join('\n')}\n`);
  return report.share >= Number(options['at-least']) ? 0 : 1;
}

function table(results: TaskResult[]): string[] {
  const sum = (of: (result: TaskResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const passed = results.filter((result) => result.passed).length;
  const costs = results.map(({ cost }) => cost);
  const row = (name: string, result: string, calls: number, tokens: number, cost: number | null, seconds: number) => [
    ...[name, result, String(calls), tokens.toLocaleString('en')],
    ...[cost === null ? '?' : cost.toFixed(4), seconds.toFixed(1)],
  ];
  const tokensOf = ({ inputTokens, outputTokens }: TaskResult) => inputTokens + outputTokens;
  return alignedTable(
    ['task', 'result', 'calls', 'tokens', 'USD', 'seconds'],
    [
      ...results.map((result) =>
        row(
          result.task,
          result.passed ? 'pass' : 'FAIL',
          result.calls.length,
          tokensOf(result),
          result.cost,
          result.seconds,
        ),
      ),
      row(
        'total',
        `${passed} of ${results.length}`,
        sum(({ calls }) => calls.length),
        sum(tokensOf),
        costs.includes(null) ? null : sum(({ cost }) => cost ?? 0),
        sum(({ seconds }) => seconds),
      ),
    ],
    ['left', 'left', 'right', 'right', 'right', 'right'],
  );
}

try {
  const options = readOptions();
  if (options.help) process.stdout.write(`${HELP}\n`);
  else process.exitCode = await run(options);
} catch (error) {
  const isUsage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  if (!isUsage && !(error instanceof Unusable)) throw error;
  process.stderr.write(`${(error as Error).message}\n${isUsage ? `\n${HELP}\n` : ''}`);
  process.exitCode = EX_CONFIG;
}

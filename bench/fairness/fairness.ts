import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QuietTenant } from '../../tests/support/fairness/quiet-tenant.ts';
import { makeTwoTenants } from '../../tests/support/fairness/two-tenants.ts';
import { fakeUpstream } from '../../tests/support/upstream/server.ts';
import { pause, quantile } from '../events/measure.ts';
import type { Options } from '../events/options.ts';
import { Report } from '../events/report.ts';
import { serve } from '../support.ts';
import type { NoisyMessage } from './noisy-entry.ts';

const SHARE_OF_ROWS = 1 / 25;
const BETWEEN_MS = 5;
/** The attack has begun in all its parts by then. */
const LEAD_MS = 2_000;

type Times = Record<string, number[]>;
/** Delay of the server's event loop, in milliseconds. */
type Loop = { p50: number; p99: number; max: number };

/** What a tenant with small requests waits while another does its worst, beside an idle server. */
export async function benchFairness({ rows, rounds, seconds, json }: Options): Promise<void> {
  const report = new Report(json);
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-runtime-bench-'));
  const cleanups: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  try {
    const local = await fakeUpstream({ after: (cleanup) => cleanups.push(cleanup) });
    const child = fork(new URL('./noisy-entry.ts', import.meta.url));
    cleanups.push(() => child.disconnect());
    const [endlessUrl] = (await once(child, 'message')) as [string];
    const { noisyKey, quietKey } = await makeTwoTenants(dataDir, endlessUrl, local.baseUrl('custom'));
    const served = await serve('product', dataDir);
    const { url } = served;
    cleanups.push(served.stop);
    const events = Math.ceil(rows * SHARE_OF_ROWS);
    await tell(child, { do: 'prepare', url, key: noisyKey, events });
    const quiet = new QuietTenant({ url, key: quietKey });
    await quiet.prepare();
    await measure(quiet, {}, [], 1);

    const [idle, attacked]: [Times, Times] = [{}, {}];
    const failures: string[] = [];
    let answers = {};
    let loop: Loop | undefined;
    for (let round = 0; round < rounds; round++) {
      await measure(quiet, idle, failures, seconds);
      await tell(child, { do: 'start' });
      await pause(LEAD_MS);
      await served.ask<Loop>('loop');
      await measure(quiet, attacked, failures, seconds);
      loop = await served.ask<Loop>('loop');
      answers = await tell(child, { do: 'stop' });
    }
    report.table('fairness', `${events} events of the noisy tenant, ${rounds} rounds of ${seconds} s each`, [
      ...Object.keys(quiet.requests).map((what) => comparison(what, idle[what] ?? [], attacked[what] ?? [])),
    ]);
    report.progress(
      `event loop of the server in the last round: p99 ${loop?.p99.toFixed(1)} ms, max ${loop?.max.toFixed(1)} ms`,
    );
    report.progress(`the noisy tenant was answered ${JSON.stringify(answers)}`);
    for (const failure of new Set(failures)) report.failure('fairness', `the quiet tenant failed: ${failure}`);
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

/** Sends each kind of request in turn, and keeps how long each took, in milliseconds. */
async function measure(quiet: QuietTenant, times: Times, failures: string[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    for (const [what, send] of Object.entries(quiet.requests)) {
      const started = performance.now();
      await send().catch((error: Error) => failures.push(`${what}: ${error.message}`));
      times[what] = [...(times[what] ?? []), performance.now() - started];
      await pause(BETWEEN_MS);
    }
  }
}

function comparison(what: string, idle: number[], attacked: number[]) {
  const ratio = quantile(attacked, 0.99) / quantile(idle, 0.99);
  return {
    what,
    values: {
      'idle p50 ms': quantile(idle, 0.5),
      'p99 ms': quantile(idle, 0.99),
      'attacked p50 ms': quantile(attacked, 0.5),
      'attacked p99 ms': quantile(attacked, 0.99),
      requests: attacked.length,
      'p99 ratio': ratio,
    },
    demanded: { of: 'p99 ratio', atMost: 3 },
  };
}

async function tell(child: ChildProcess, message: NoisyMessage): Promise<object> {
  const answered = once(child, 'message');
  child.send(message);
  return (await answered)[0] as object;
}

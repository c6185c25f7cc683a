import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Options } from '../events/options.ts';
import { row, serve } from '../support.ts';
import type { Calls, Measured } from './calls-entry.ts';

/** Warm-up: long-running programs are compiled. */
const WARM_SECONDS = 5;
const CONTENDERS = ['undici', 'connector', 'server'] as const;
type Figures = Record<Calls['contender'], Measured>;

/**
 * Calls through a connector against plain undici, in alternating rounds; the median round counts.
 */
export async function benchConnectors({ rounds, seconds }: Options): Promise<void> {
  const upstream = fork(new URL('./upstream-entry.ts', import.meta.url));
  const [port] = (await once(upstream, 'message')) as [number];
  const callers = fork(new URL('./calls-entry.ts', import.meta.url));
  const served = await serve('product');
  try {
    await served.ask(`connector ${port}`);
    const asked = { port, server: { url: served.url, key: served.key } };
    for (const contender of CONTENDERS) {
      await measure(callers, { ...asked, contender, concurrency: 50, seconds: WARM_SECONDS });
    }
    reportOne(await inTurn(callers, { ...asked, concurrency: 1, seconds }, rounds));
    reportMany(await inTurn(callers, { ...asked, concurrency: 50, seconds }, rounds));
  } finally {
    await served.stop();
    callers.send('stop');
    await once(callers, 'exit');
    upstream.kill();
  }
}

async function measure(callers: ChildProcess, asked: Calls): Promise<Measured> {
  callers.send(asked);
  return ((await once(callers, 'message')) as [Measured])[0];
}

async function inTurn(callers: ChildProcess, asked: Omit<Calls, 'contender'>, rounds: number): Promise<Figures> {
  const measured: Record<string, Measured[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const contender of CONTENDERS) {
      measured[contender] = [...(measured[contender] ?? []), await measure(callers, { ...asked, contender })];
    }
  }
  return Object.fromEntries(Object.entries(measured).map(([name, all]) => [name, median(all)])) as Figures;
}

function median(all: Measured[]): Measured {
  return [...all].sort((one, other) => one.p50 - other.p50)[all.length >> 1]!;
}

function reportOne(figures: Figures): void {
  for (const name of CONTENDERS) {
    const { p50, p99 } = figures[name];
    row(`one call at a time, ${name}: p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`, '', '');
  }
  const added = (name: Calls['contender']) => `${(figures[name].p50 - figures.undici.p50).toFixed(3)} ms`;
  row('p50 added by a connector', added('connector'), '<= 1 ms');
  row('p50 added by a connector and the server around it', added('server'), '');
}

function reportMany(figures: Figures): void {
  const rate = ({ calls, seconds }: Measured) => calls / seconds;
  for (const name of CONTENDERS) row(`50 calls at a time, ${name}`, `${Math.round(rate(figures[name]))} /s`, '');
  const ratio = (name: Calls['contender']) => `${(rate(figures[name]) / rate(figures.undici)).toFixed(2)} x`;
  row('calls a second through a connector to plain undici', ratio('connector'), '>= 0.5 x');
  row('through a connector and the server around it', ratio('server'), '');
}

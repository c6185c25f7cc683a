import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Options } from '../events/options.ts';
import { row } from '../support.ts';
import {
  type Contender,
  processorSeconds,
  startPipe,
  startPortkey,
  startProduct,
  startUpstream,
} from './contenders.ts';
import type { Load, Measured } from './load-entry.ts';

const WARM_SECONDS = 15;

interface Figures {
  /** Microseconds of processor time for each stream. */
  cpu: number;
  /** Streams in a second. */
  rate: number;
  /** Milliseconds until the first byte. */
  first: number;
}

/** Chats through us, through Portkey, and through nothing but a pipe: in turn, round by round; medians count. */
export async function benchChat({ rounds, seconds, engines }: Options): Promise<void> {
  const upstream = await startUpstream();
  const contenders: Record<string, Contender> = { direct: upstream };
  const client = fork(new URL('./load-entry.ts', import.meta.url));
  try {
    contenders.pipe = await startPipe(upstream.baseUrl);
    contenders.text = await startProduct(upstream.baseUrl, 'chat', 'text/plain');
    contenders.events = { ...contenders.text, headers: { ...contenders.text.headers, accept: 'text/event-stream' } };
    contenders.unrecorded = await startProduct(upstream.baseUrl, 'chat-unrecorded', 'text/plain');
    contenders.portkey = await startPortkey(upstream.baseUrl, engines);
    await warm(client, contenders);
    const measure = (model: string, concurrency: number) =>
      measureInTurn(client, contenders, { model, concurrency, seconds, rounds });
    report(await measure('fast-200', 50), '200 chunks, 50 at once');
    report(await measure('fast-200', 200), '200 chunks, 200 at once');
    reportFirst(await measure('paced-50-20', 200));
  } finally {
    client.kill();
    for (const [name, { stop }] of Object.entries(contenders)) if (name !== 'events') await stop();
  }
}

/**
 * Servers run for months, and for the first thousands of streams they compile themselves: with a second for each, what was
 * compared was how far each had come.
 */
async function warm(client: ChildProcess, contenders: Record<string, Contender>): Promise<void> {
  for (const { url, headers, bodyOf, pid } of Object.values(contenders)) {
    await load(client, pid, { url, headers, body: bodyOf('fast-200'), concurrency: 50, seconds: WARM_SECONDS });
  }
}

interface Setting {
  model: string;
  concurrency: number;
  seconds: number;
  rounds: number;
}

async function measureInTurn(
  client: ChildProcess,
  contenders: Record<string, Contender>,
  { model, concurrency, seconds, rounds }: Setting,
): Promise<Record<string, Figures>> {
  const measured: Record<string, Figures[]> = {};
  // The first does not count: it is another load than the one before.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, contender] of Object.entries(contenders)) {
      const { url, headers, bodyOf, pid } = contender;
      const figures = await load(client, pid, { url, headers, body: bodyOf(model), concurrency, seconds });
      if (round > 0) measured[name] = [...(measured[name] ?? []), figures];
    }
  }
  return Object.fromEntries(Object.entries(measured).map(([name, figures]) => [name, medians(figures)]));
}

async function load(client: ChildProcess, pid: number | null, asked: Load): Promise<Figures> {
  const spent = () => (pid === null ? 0 : processorSeconds(pid));
  client.send(asked);
  await once(client, 'message'); // It is warm.
  const before = spent();
  const [{ streams, failed, firstByteMs, seconds }] = (await once(client, 'message')) as [Measured];
  if (failed > 0) throw new Error(`${failed} of ${streams + failed} streams of ${asked.url} failed.`);
  return { cpu: ((spent() - before) / streams) * 1e6, rate: streams / seconds, first: firstByteMs };
}

function medians(figures: Figures[]): Figures {
  const median = (of: (one: Figures) => number) => {
    const sorted = figures.map(of).sort((one, other) => one - other);
    return sorted[sorted.length >> 1]!;
  };
  return { cpu: median(({ cpu }) => cpu), rate: median(({ rate }) => rate), first: median(({ first }) => first) };
}

function report(figures: Record<string, Figures>, what: string): void {
  const { pipe, text, events, unrecorded, portkey } = figures as Record<Name, Figures>;
  for (const [name, { cpu, rate }] of Object.entries(figures)) {
    row(`${what}, ${name}`, `${Math.round(rate)} /s`, cpu === 0 ? '' : `${Math.round(cpu)} µs of CPU each`);
  }
  const ratio = (name: string, one: number, other: number, demanded: string) =>
    row(`${what}: ${name}`, `${(one / other).toFixed(2)} x`, demanded);
  ratio('CPU of our events to Portkey', events.cpu, portkey.cpu, '<= 0.4 x');
  ratio('CPU of our text to Portkey', text.cpu, portkey.cpu, '<= 0.4 x');
  ratio('streams a second of our events to Portkey', events.rate, portkey.rate, '>= 2 x');
  ratio('streams a second of our text to Portkey', text.rate, portkey.rate, '>= 2 x');
  ratio('CPU of our text to a raw pipe', text.cpu, pipe.cpu, '<= 3 x');
  ratio('CPU with recording to without', text.cpu, unrecorded.cpu, '<= 1.1 x');
}

type Name = 'direct' | 'pipe' | 'text' | 'events' | 'unrecorded' | 'portkey';

function reportFirst(figures: Record<string, Figures>): void {
  const { direct, text, events, portkey } = figures as Record<Name, Figures>;
  const what = '50 chunks, one each 20 ms, 200 at once';
  for (const [name, { first }] of Object.entries(figures)) row(`${what}, ${name}`, `${first.toFixed(1)} ms`, '');
  const added = (one: Figures) => Math.max(0, one.first - direct.first);
  const ratio = (one: Figures) => `${(added(one) / added(portkey)).toFixed(2)} x Portkey`;
  row(`${what}: time to first token added by our text`, ratio(text), '<= 0.5 x');
  row(`${what}: time to first token added by our events`, ratio(events), '<= 0.5 x');
}

import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IssuedKey } from '../../../src/core/access/auth/schema.ts';
import {
  countOverMcp,
  createKey,
  eventually,
  type McpProcess,
  newDataDirectory,
  type Owner,
  ownerOf,
  type Server,
  startMcp,
  startServer,
} from '../../support/process.ts';

/** Nobody who asks waits longer, whoever dies. */
export const ANSWER_MS = 5_000;

export type Name = 'mcp A' | 'mcp B' | 'serve';
export const NAMES: Name[] = ['mcp A', 'mcp B', 'serve'];

export interface Round {
  /** The order in which they start. */
  starts: Name[];
  /** The order in which they die. `owner` is whoever owns the directory then. */
  deaths: (Name | 'owner')[];
  /** The first dies of this one, the next of the other, and so on. */
  firstSignal: 'SIGKILL' | 'SIGTERM';
}

/** One data directory that rounds share one after the other, with the keys that they need. */
export interface Shared {
  dataDir: string;
  full: IssuedKey;
  read: IssuedKey;
  /** Events that every query must see. */
  visible: number;
}

export async function sharedDirectory(t: TestContext): Promise<Shared> {
  const dataDir = newDataDirectory(t);
  const full = await createKey(dataDir);
  const read = await createKey(dataDir, 'mcp:read');
  return { dataDir, full, read, visible: 0 };
}

/** Every order of these. */
export function permutations<Item>(items: Item[]): Item[][] {
  if (items.length < 2) return [items];
  return items.flatMap((first, index) => permutations(items.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

/** Starts all three in one order and ends them in another; those that still run must always answer correctly. */
export async function runRound(t: TestContext, shared: Shared, { starts, deaths, firstSignal }: Round): Promise<void> {
  const processes = new RoundProcesses(t, shared);
  for (const name of starts) {
    await processes.start(name);
    await processes.check(`${name} started`);
  }
  for (const [index, death] of deaths.entries()) {
    const signal = (index % 2 === 0) === (firstSignal === 'SIGKILL') ? 'SIGKILL' : 'SIGTERM';
    await processes.end(death, signal);
  }
  assert.deepEqual(processes.faults, []);
}

class RoundProcesses {
  readonly faults: string[] = [];
  private readonly t: TestContext;
  private readonly shared: Shared;
  private readonly mcps = new Map<Name, { process: McpProcess; asker: Asker }>();
  private server: Server | null = null;

  constructor(t: TestContext, shared: Shared) {
    this.t = t;
    this.shared = shared;
  }

  async start(name: Name): Promise<void> {
    const { dataDir, read } = this.shared;
    if (name === 'serve') {
      this.server = await startServer(this.t, dataDir);
      assert.equal((await this.owner()).pid, this.server.pid, 'a serve that is ready owns the directory');
      return;
    }
    const process = await startMcp(this.t, dataDir, read.key);
    this.mcps.set(name, { process, asker: new Asker(process.client, this.shared) });
  }

  /** Every client is answered, in time and right. With a server, the answer includes an event that it has just taken. */
  async check(moment: string): Promise<void> {
    let receipt: string | undefined;
    if (this.server) {
      receipt = await this.server.ingest(this.shared.full.key, [{ eventName: 'seen' }]);
      this.shared.visible += 1;
    }
    const { visible } = this.shared;
    const answers = [...this.mcps].map(async ([name, { process }]) => {
      const started = performance.now();
      assert.equal(await countOverMcp(process.client, 'seen', receipt), visible, `${name}, after ${moment}`);
      const ms = performance.now() - started;
      assert.ok(ms < ANSWER_MS, `${name} answered in ${ms.toFixed(0)} ms after ${moment}`);
    });
    await Promise.all(answers);
  }

  async end(death: Name | 'owner', signal: NodeJS.Signals): Promise<void> {
    const name = death === 'owner' ? this.nameOf((await this.owner()).pid) : death;
    if (name === 'serve') {
      const ending = await this.server?.end(signal);
      this.server = null;
      if (signal === 'SIGTERM') assert.equal(ending?.code, 0, ending?.stderr);
      this.report(name, ending?.stderr ?? '');
    } else {
      const { process, asker } = this.mcps.get(name)!;
      this.mcps.delete(name);
      await this.dismiss(asker, name);
      await process.end(signal);
      this.report(name, process.stderr());
    }
    await this.check(`${name} ended by ${signal}`);
  }

  private async dismiss(asker: Asker, name: Name): Promise<void> {
    await asker.stop();
    this.faults.push(...asker.faults.map((fault) => `${name}: ${fault}`));
    if (asker.slowest > ANSWER_MS) this.faults.push(`${name} waited ${asker.slowest.toFixed(0)} ms for an answer`);
  }

  private report(name: Name, stderr: string): void {
    const said = stderr.replace(/^First start: .*\n/m, '').trim();
    if (said !== '') this.faults.push(`${name} wrote: ${said}`);
  }

  private async owner(): Promise<Owner> {
    const path = join(this.shared.dataDir, 'runtime.sock');
    return (await eventually('somebody owns the directory', () => ownerOf(path), ANSWER_MS)).found;
  }

  private nameOf(pid: number): Name {
    if (this.server?.pid === pid) return 'serve';
    for (const [name, { process }] of this.mcps) if (process.pid === pid) return name;
    throw new Error(`process ${pid} owns the directory, and is none of ours`);
  }
}

/** Asks the same question again and again, as an agent at work; notes every wrong answer and the slowest. */
class Asker {
  readonly faults: string[] = [];
  slowest = 0;
  private readonly client: McpProcess['client'];
  private readonly shared: Shared;
  private readonly asking: Promise<void>;
  private stopped = false;

  constructor(client: McpProcess['client'], shared: Shared) {
    this.client = client;
    this.shared = shared;
    this.asking = this.ask();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.asking;
  }

  private async ask(): Promise<void> {
    while (!this.stopped) {
      const atLeast = this.seenByAll();
      const started = performance.now();
      try {
        const value = await countOverMcp(this.client, 'seen');
        // The newest event may be on its way.
        if (value < atLeast || value > this.shared.visible + 1) {
          this.faults.push(`was told ${value}, not ${atLeast} to ${this.shared.visible + 1}`);
        }
      } catch (error) {
        this.faults.push(String(error));
      }
      this.slowest = Math.max(this.slowest, performance.now() - started);
      await sleep(120);
    }
  }

  /** Without the newest, which need not be visible yet. */
  private seenByAll(): number {
    return Math.max(0, this.shared.visible - 1);
  }
}

import type { TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timers } from '../../../../src/core/base/concurrency/timers.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import type { DeliveryOutcome } from '../../../../src/core/watch/deliveries/attempt.ts';
import { Deliveries } from '../../../../src/core/watch/deliveries/deliveries.ts';
import { DeliveryDispatcher, type DispatcherParts } from '../../../../src/core/watch/deliveries/dispatcher.ts';
import type { Message, SendContext, SendOutcome } from '../../../../src/core/watch/deliveries/message.ts';
import type { Delivery } from '../../../../src/core/watch/deliveries/store.ts';
import type { Target } from '../../../../src/core/watch/deliveries/targets.ts';
import { StoredKeyRing } from '../../../../src/storage/installation/key-ring.ts';
import { SqlDeliveryStore } from '../../../../src/storage/state/sql/alerts/deliveries.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { openStateWithTenants } from '../../../support/state.ts';

/** More turns of the event loop than the store needs between two steps, beside syncs of its file. */
const TURNS = 20;

export async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    await nextTurn();
    if (process.getActiveResourcesInfo().includes('FSReqCallback')) turn = 0;
  }
}

/** A clock that stands still until the test moves it. */
export class FakeClock implements Timers {
  time = Date.UTC(2026, 10, 24);
  private tasks: { at: number; task: () => void }[] = [];

  now = (): number => this.time;

  after(ms: number, task: () => void): () => void {
    const one = { at: this.time + ms, task };
    this.tasks.push(one);
    return () => {
      this.tasks = this.tasks.filter((other) => other !== one);
    };
  }

  /** Milliseconds until each timer that is set. */
  get set(): number[] {
    return this.tasks.map(({ at }) => at - this.time).sort((one, other) => one - other);
  }

  /** Sets the clock; timers run on, as those of the system do. */
  jump(time: number): void {
    const ms = time - this.time;
    this.time = time;
    for (const one of this.tasks) one.at += ms;
  }

  /** Runs what falls due on the way, in order. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await settled();
      const [next] = this.tasks.toSorted((one, other) => one.at - other.at);
      if (!next || next.at > end) break;
      this.tasks = this.tasks.filter((other) => other !== next);
      this.time = Math.max(this.time, next.at);
      next.task();
    }
    this.time = end;
    await settled();
  }
}

export interface Sent {
  id: string;
  tenantId: string;
  /** Since the test began, in ms. */
  at: number;
  target: Target;
  message: Message;
}

export type Answer = SendOutcome | ((context: SendContext) => Promise<SendOutcome>);

export const HANGS: Answer = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

export const RETRY = { kind: 'retry', error: 'hooks.example.com answered with 500.' } as const satisfies SendOutcome;
export const SENT: SendOutcome = { kind: 'sent' };

export const WEBHOOK: Target = {
  type: 'webhook',
  url: 'https://hooks.example.com/a-secret-path',
  secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
};
export const MESSAGE: Message = {
  type: 'alert.alerting',
  title: 'Too few orders',
  text: 'orders: 3, fewer than 10',
  data: { value: 3 },
};

export const SOURCE = { kind: 'alert', id: 'an-alert' } as const;

/** A dispatcher on a real store, with a clock and a sender of the test's. Deliveries of the tenants `one` and `two`. */
export async function dispatching(
  t: TestContext,
  answer: (sent: Sent, count: number) => Answer = () => SENT,
  parts: Partial<DispatcherParts> = {},
) {
  const directory = temporaryDirectory(t);
  const database = await openStateWithTenants(directory);
  t.after(() => database.destroy());
  const clock = new FakeClock();
  const start = clock.time;
  const store = new SqlDeliveryStore(database);
  const sealingKeys = new StoredKeyRing({ dataDir: directory });
  const sent: Sent[] = [];
  const outcomes: { delivery: Delivery; outcome: DeliveryOutcome }[] = [];
  const errors: unknown[] = [];
  const effects = { ...realEffects, now: clock.now };
  const make = () =>
    new DeliveryDispatcher({
      store,
      sealingKeys,
      effects,
      timers: clock,
      random: () => 0,
      tenants: { isBlocked: () => false },
      sender: {
        send: async (target, message, context) => {
          const { id, tenantId, timestamp } = context;
          const one = { id, tenantId, at: timestamp - start, target, message };
          sent.push(one);
          const answered = answer(one, sent.length);
          return typeof answered === 'function' ? answered(context) : answered;
        },
      },
      onOutcome: (delivery, outcome) => outcomes.push({ delivery, outcome }),
      onError: (error) => errors.push(error),
      ...parts,
    });
  const dispatcher = make();
  t.after(() => clockedClose(dispatcher, clock));
  const deliveries = new Deliveries({
    ...{ store, sealingKeys, effects, sendsMail: true, wake: () => dispatcher.wake() },
    limits: { check: async () => undefined, countTest: async () => undefined },
    recipients: { refused: async () => [] },
  });
  const add = async (tenantId = 'one', targets: Target[] = [WEBHOOK]) => {
    const prepared = await deliveries.prepare(tenantId, SOURCE, { targets, message: MESSAGE });
    await deliveries.add(tenantId, prepared);
    return prepared.map(({ id }) => id);
  };
  const state = async (tenantId = 'one') => {
    const [newest] = await store.list(tenantId, SOURCE, 1);
    return newest;
  };
  return { database, store, clock, dispatcher, deliveries, add, sent, outcomes, errors, state, make };
}

/** A closing waits for time to pass only if something hangs. */
export async function clockedClose(dispatcher: DeliveryDispatcher, clock: FakeClock): Promise<void> {
  const closed = dispatcher.close();
  await clock.advance(2_000);
  await closed;
}

import type { TestContext } from 'node:test';
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
import { FakeClock } from '../../../support/clock.ts';
import { openStateWithTenants } from '../../../support/state.ts';

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

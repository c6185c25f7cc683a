import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ExecutionStore } from '../../src/core/agents/executions/store.ts';
import type { RunnerStore } from '../../src/core/base/concurrency/runners.ts';
import type { BudgetStore } from '../../src/core/limits/quotas/store.ts';
import type { AlertStore } from '../../src/core/watch/alerts/store.ts';
import type { DeliveryStore } from '../../src/core/watch/deliveries/store.ts';
import type { DigestStore, StoredDigest } from '../../src/core/watch/digests/store.ts';
import { newAlert, settlement } from './alert-store.ts';
import { reservation } from './budget-store.ts';
import { ALERT, newDelivery } from './delivery-store.ts';
import { CHAT } from './execution-chats.ts';
import { execution } from './execution-store.ts';

export interface Process {
  id: string;
  runners: RunnerStore;
  executions: ExecutionStore;
  budgets: BudgetStore;
  deliveries: DeliveryStore;
  alerts: AlertStore;
  digests: DigestStore;
}

export interface ProcessBackend {
  name: string;
  /** A place with the tenants `one` and `two`: what opens it once more, until the test ends. */
  place(t: TestContext): Promise<() => Promise<Process>>;
}

const LEASE = { now: 100, leaseUntil: 60_100, limit: 100 };
const FOREVER = 3_600_000;
const ENDED = -1;

/** What several processes on one state must not do to each other. Every backend runs it. */
export function testProcesses({ name, place }: ProcessBackend): void {
  const opened = async (t: TestContext, count: number): Promise<Process[]> => {
    const open = await place(t);
    const processes = [];
    for (let index = 0; index < count; index += 1) processes.push(await open());
    return processes;
  };
  const begin = async ({ executions, budgets, deliveries }: Process) => {
    const chat = execution({ idFromCaller: false, status: 'running', chat: CHAT });
    await executions.recordChats([{ tenantId: 'one', execution: chat, isKnown: false }]);
    await budgets.reserve(reservation({ tokens: 5, nanos: 5 }), []);
    await deliveries.add('one', [newDelivery({ createdAt: 50 })]);
    assert.equal((await deliveries.claim('one', LEASE)).length, 1);
    return chat.id;
  };
  const takenBack = async ({ executions, budgets, deliveries }: Process) => {
    const chats = await executions.runningChats(null, 10);
    await deliveries.releaseAbandoned(150);
    return {
      chats: chats.map(({ execution: { id } }) => id),
      reservations: await budgets.settleAbandoned(),
      deliveries: (await deliveries.claim('one', { ...LEASE, now: 160 })).length,
    };
  };
  const NOTHING = { chats: [], reservations: 0, deliveries: 0 };

  test(`processes (${name}): a start leaves the work of others alone`, async (t) => {
    const [one, other] = (await opened(t, 2)) as [Process, Process];
    await one.runners.renew(one.id, FOREVER);
    await begin(one);
    await other.runners.renew(other.id, FOREVER);
    await other.runners.removeEnded();
    assert.deepEqual(await takenBack(other), NOTHING);
  });

  test(`processes (${name}): work is taken back once its lease ends`, async (t) => {
    const [one, other] = (await opened(t, 2)) as [Process, Process];
    await one.runners.renew(one.id, FOREVER);
    const chat = await begin(one);
    await one.runners.renew(one.id, ENDED);
    assert.deepEqual(await takenBack(other), NOTHING, 'somebody has to look');
    await other.runners.removeEnded();
    assert.deepEqual(await takenBack(other), { chats: [chat], reservations: 1, deliveries: 1 });
  });

  test(`processes (${name}): one that goes leaves no lease behind`, async (t) => {
    const [one, other] = (await opened(t, 2)) as [Process, Process];
    await one.runners.renew(one.id, null);
    const chat = await begin(one);
    await one.runners.remove(one.id);
    assert.deepEqual(await takenBack(other), { chats: [chat], reservations: 1, deliveries: 1 });
  });

  test(`processes (${name}): the only one takes back everything`, async (t) => {
    const [killed, next] = (await opened(t, 2)) as [Process, Process];
    await killed.runners.takeOver(killed.id);
    const chat = await begin(killed);
    await next.runners.takeOver(next.id);
    assert.deepEqual(await takenBack(next), { chats: [chat], reservations: 1, deliveries: 1 });
    const own = await begin(next);
    const { chats, ...others } = await takenBack(next);
    assert.deepEqual(others, { reservations: 0, deliveries: 0 });
    assert.ok(chats.includes(own), 'its own chats are known to it, and may have an end that could not be recorded');
  });

  test(`processes (${name}): a reservation is taken back once`, async (t) => {
    const [killed, ...others] = (await opened(t, 3)) as [Process, Process, Process];
    for (let count = 0; count < 20; count += 1) await killed.budgets.reserve(reservation({ tokens: 5, nanos: 5 }), []);
    const counts = await Promise.all(others.map(({ budgets }) => budgets.settleAbandoned()));
    assert.equal(counts[0]! + counts[1]!, 20);
    const { at } = reservation();
    const { used, reserved } = await killed.budgets.spending('one', null, at, at + 1);
    assert.deepEqual([used.tokens, reserved.tokens], [100, 0]);
  });

  test(`processes (${name}): each delivery is claimed by one`, async (t) => {
    const processes = await opened(t, 3);
    const added = Array.from({ length: 60 }, () => newDelivery({ createdAt: 50 }));
    await processes[0]!.deliveries.add('one', added);
    const claims = await Promise.all(
      processes.flatMap(({ deliveries }) => [1, 2, 3].map(() => deliveries.claim('one', { ...LEASE, limit: 10 }))),
    );
    const ids = claims.flat().map(({ delivery }) => delivery.id);
    assert.equal(new Set(ids).size, ids.length);
  });

  test(`processes (${name}): of two checks of an alert, one notifies`, async (t) => {
    const [one, other] = (await opened(t, 2)) as [Process, Process];
    for (let round = 0; round < 10; round += 1) {
      const alert = newAlert({ definition: { ...newAlert().definition, title: `round ${round}` } });
      await one.alerts.add(alert);
      const settled = await Promise.all(
        [one, other].map(({ alerts }) =>
          alerts.settle(alert, settlement({ deliveries: [newDelivery({ source: { kind: 'alert', id: alert.id } })] })),
        ),
      );
      assert.deepEqual(settled.toSorted(), [false, true]);
      assert.equal((await one.deliveries.list('one', { ...ALERT, id: alert.id }, 5)).length, 1);
    }
  });

  test(`processes (${name}): of two makers of a digest, one sends it`, async (t) => {
    const [one, other] = (await opened(t, 2)) as [Process, Process];
    const digest = newDigest();
    await one.digests.add(digest);
    const settled = await Promise.all(
      [one, other].map(({ digests }) =>
        digests.settle(digest, {
          ...{ at: 110, lastSent: null, nextDue: 200 },
          deliveries: [newDelivery({ source: { kind: 'digest', id: digest.id } })],
        }),
      ),
    );
    assert.deepEqual(settled.toSorted(), [false, true]);
    assert.equal((await one.deliveries.list('one', { kind: 'digest', id: digest.id }, 5)).length, 1);
  });
}

function newDigest(): StoredDigest {
  return {
    id: 'digest-1',
    tenantId: 'one',
    agentId: null,
    definition: { title: 'Orders', cards: { cardIds: ['a'] }, every: '0 8 * * *', timezone: 'UTC', enabled: true },
    sealedTargets: null,
    revision: 0,
    lastSent: null,
    nextDue: 100,
    createdAt: 1,
    updatedAt: 1,
    createdBy: 'test',
  };
}

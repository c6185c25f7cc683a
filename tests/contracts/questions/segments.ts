import assert from 'node:assert/strict';
import type { test } from 'node:test';
import { askKpi, askTable } from '../../../src/core/analytics/events/questions/ask.ts';
import type { SegmentDefinition } from '../../../src/core/analytics/events/segment-schema.ts';
import type { EventStore, StoredEvent } from '../../../src/core/analytics/events/store.ts';
import type { Caller } from '../../../src/core/base/shared/caller.ts';
import { rawQuestion, tableQuestion } from '../../reference/questions.ts';
import type { Asked as Backend } from './differential.ts';

interface GridEvent {
  threadId?: string | null;
  eventName?: string;
  at?: string;
  agentId?: string;
  properties?: object;
}

let events = 0;

function stored({ threadId = null, eventName = 'visit', at, agentId = 'a', properties = {} }: GridEvent): StoredEvent {
  return {
    id: `event ${++events}`,
    idFromCaller: true,
    agentId,
    eventName,
    timestamp: Date.parse(at ?? '2024-01-01T00:00:00Z'),
    threadId,
    executionId: null,
    properties: JSON.stringify(properties),
  };
}

async function send(store: EventStore, sent: GridEvent[], tenantId = 't'): Promise<void> {
  const { receipt } = await store.append(tenantId, sent.map(stored));
  assert.ok(await store.waitFor(receipt, 30_000));
}

interface Asked {
  timezone?: string;
  now?: string;
  agentId?: string;
  tenantId?: string;
}

function contextOf(store: EventStore, { now = '2026-01-01T00:00:00Z', tenantId = 't' }: Asked) {
  const caller = { tenantId, agentId: null, timezone: 'UTC' } as Caller;
  return { store, caller, effects: { now: () => Date.parse(now) } };
}

/** The threads of the `visit` events that a question about the segment counts. */
async function threadsIn(store: EventStore, definition: Partial<SegmentDefinition>, asked: Asked = {}) {
  const segment = { name: 's', by: 'threadId', conditions: [], ...definition };
  const { timezone = 'UTC', agentId } = asked;
  const input = { eventName: 'visit', mode: 'aggregate', groupBy: 'threadId', timezone, agentId, segment, limit: 1000 };
  const { table } = await askTable(tableQuestion(input), contextOf(store, asked));
  return table.rows.map(({ threadId }) => threadId as string).sort();
}

/** Of a thread's only event, in which zones it lies within the local day. */
const DAYS: { day: string; rows: [thread: string, at: string, zones: string[]][] }[] = [
  {
    // Los Angeles begins daylight saving time: 23 hours from 08:00Z.
    day: '2024-03-10',
    rows: [
      ['a', '2024-03-09T23:59:59.999Z', []],
      ['b', '2024-03-10T00:00:00.000Z', ['UTC']],
      ['c', '2024-03-10T07:59:59.999Z', ['UTC']],
      ['d', '2024-03-10T08:00:00.000Z', ['UTC', 'America/Los_Angeles']],
      ['e', '2024-03-10T10:00:00.000Z', ['UTC', 'America/Los_Angeles']],
      ['f', '2024-03-11T06:59:59.999Z', ['America/Los_Angeles']],
      ['g', '2024-03-11T07:00:00.000Z', []],
    ],
  },
  {
    // Los Angeles ends it: 25 hours from 07:00Z.
    day: '2024-11-03',
    rows: [
      ['h', '2024-11-03T06:59:59.999Z', ['UTC']],
      ['i', '2024-11-03T07:00:00.000Z', ['UTC', 'America/Los_Angeles']],
      ['j', '2024-11-04T00:00:00.000Z', ['America/Los_Angeles']],
      ['k', '2024-11-04T07:59:59.999Z', ['America/Los_Angeles']],
      ['l', '2024-11-04T08:00:00.000Z', []],
    ],
  },
  {
    // Lord Howe turns back by half an hour: 24.5 hours from 13:00Z of the day before.
    day: '2024-04-07',
    rows: [
      ['m', '2024-04-06T12:59:59.999Z', []],
      ['n', '2024-04-06T13:00:00.000Z', ['Australia/Lord_Howe']],
      ['o', '2024-04-07T13:29:59.999Z', ['UTC', 'Australia/Lord_Howe']],
      ['p', '2024-04-07T13:30:00.000Z', ['UTC']],
    ],
  },
  {
    // São Paulo has no midnight: its day begins at 01:00, 03:00Z.
    day: '2018-11-04',
    rows: [
      ['q', '2018-11-04T02:59:59.999Z', ['UTC']],
      ['r', '2018-11-04T03:00:00.000Z', ['UTC', 'America/Sao_Paulo']],
      ['s', '2018-11-05T01:59:59.999Z', ['America/Sao_Paulo']],
      ['t', '2018-11-05T02:00:00.000Z', []],
    ],
  },
  {
    // Apia has no such day.
    day: '2011-12-30',
    rows: [
      ['u', '2011-12-30T09:59:59.999Z', ['UTC']],
      ['v', '2011-12-30T10:00:00.000Z', ['UTC']],
    ],
  },
];

export function testSegments({ name, openStore }: Backend, define: typeof test): void {
  define(`Segments on ${name}: days of conditions are those of the time zone of the question`, async (t) => {
    const store = await openStore(t);
    await send(
      store,
      DAYS.flatMap(({ rows }) => rows.map(([threadId, at]) => ({ threadId, at }))),
    );
    const zones = ['UTC', 'America/Los_Angeles', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Pacific/Apia'];
    for (const { day, rows } of DAYS) {
      const own = rows.map(([thread]) => thread);
      const named = new Set(['UTC', ...rows.flatMap(([, , inside]) => inside)]);
      for (const timezone of zones.filter(
        (zone) => named.has(zone) || (zone === 'Pacific/Apia' && day === '2011-12-30'),
      )) {
        const condition = { eventName: 'visit', dateFrom: day, dateTo: day };
        const found = await threadsIn(store, { conditions: [condition] }, { timezone });
        const expected = rows.filter(([, , inside]) => inside.includes(timezone)).map(([thread]) => thread);
        assert.deepEqual(
          found.filter((thread) => own.includes(thread)),
          expected,
          `${day} in ${timezone}`,
        );
      }
    }
  });

  define(`Segments on ${name}: relative dates count from the time of the question, not from its range`, async (t) => {
    const store = await openStore(t);
    await send(store, [
      { threadId: 'old', at: '2024-03-01T12:00:00Z' },
      { threadId: 'new', at: '2024-03-10T20:00:00Z' },
      { threadId: 'new', at: '2024-02-01T12:00:00Z' },
    ]);
    const conditions = [{ eventName: 'visit', dateFrom: '-1d' }];
    // In Los Angeles, -1d is midnight of the 10th, 08:00Z; daylight saving time begins that night.
    const asked = { timezone: 'America/Los_Angeles', now: '2024-03-11T19:00:00Z' };
    assert.deepEqual(await threadsIn(store, { conditions }, asked), ['new']);
    const segment = { name: 's', by: 'threadId', conditions };
    const { timezone } = asked;
    const february = { eventName: 'visit', aggregation: 'count', dateTo: '2024-02-29', timezone, segment };
    const { overall } = await askKpi(rawQuestion(february), contextOf(store, asked));
    assert.equal(overall.value, 1, 'what the subjects did in February');
  });

  define(`Segments on ${name}: all conditions hold, each for at least so many events`, async (t) => {
    const store = await openStore(t);
    const grid: Record<string, [visits: number, orders: number, refunds: number]> = {
      one: [1, 1, 0],
      two: [1, 2, 0],
      three: [1, 3, 1],
      refunded: [1, 0, 2],
      idle: [1, 0, 0],
    };
    for (const [threadId, [visits, orders, refunds]] of Object.entries(grid)) {
      const of = (eventName: string, count: number, plan: string) =>
        Array.from({ length: count }, (_, index) => ({ threadId, eventName, properties: { plan, index } }));
      await send(store, [
        ...of('visit', visits, 'any'),
        ...of('order', orders, 'pro'),
        ...of('refund', refunds, 'pro'),
      ]);
    }
    await send(store, [{ eventName: 'visit' }, { eventName: 'order' }, { eventName: 'order' }]);
    const order = { eventName: 'order' };
    const refund = { eventName: 'refund' };
    const first = [{ propertyKey: 'index', operator: 'eq' as const, value: 0 }];
    const expected: [SegmentDefinition['conditions'], string[]][] = [
      [[order], ['one', 'three', 'two']],
      [[{ ...order, atLeast: 2 }], ['three', 'two']],
      [[{ ...order, atLeast: 3 }], ['three']],
      [[{ ...order, atLeast: 4 }], []],
      [[order, refund], ['three']],
      [[order, { ...refund, atLeast: 2 }], []],
      [[{ ...order, filters: first }], ['one', 'three', 'two']],
      [[{ ...order, filters: first, atLeast: 2 }], []],
      [[{ ...order, filters: [{ propertyKey: 'plan', operator: 'eq', value: 'free' }] }], []],
      [[{ eventName: 'never' }], []],
    ];
    for (const [conditions, threads] of expected)
      assert.deepEqual(await threadsIn(store, { conditions }), threads, JSON.stringify(conditions));
  });

  define(`Segments on ${name}: each condition has its own range`, async (t) => {
    const store = await openStore(t);
    await send(store, [
      ...['early', 'both', 'late'].map((threadId) => ({ threadId })),
      ...['early', 'both'].map((threadId) => ({ threadId, eventName: 'order', at: '2024-01-10T00:00:00Z' })),
      ...['early', 'both'].map((threadId) => ({ threadId, eventName: 'refund', at: '2024-01-20T00:00:00Z' })),
      ...['both', 'late'].map((threadId) => ({ threadId, eventName: 'refund', at: '2024-03-01T00:00:00Z' })),
      { threadId: 'late', eventName: 'order', at: '2024-03-01T00:00:00Z' },
    ]);
    const conditions = [
      { eventName: 'order', dateFrom: '2024-01' },
      { eventName: 'refund', dateFrom: '2024-02-15', dateTo: '2024-03-31' },
    ];
    assert.deepEqual(await threadsIn(store, { conditions }), ['both']);
  });

  define(`Segments on ${name}: subjects are values of any property, with their type`, async (t) => {
    const store = await openStore(t);
    const customers = ['7', 7, true, 'true', null, { id: 7 }, [7]];
    await send(
      store,
      customers.map((customer, index) => ({ threadId: `visit ${index}`, properties: { customer } })),
    );
    await send(
      store,
      [7, true, { id: 7 }, null].map((customer) => ({ eventName: 'order', properties: { customer } })),
    );
    const conditions = [{ eventName: 'order' }];
    assert.deepEqual(await threadsIn(store, { by: 'customer', conditions }), ['visit 1', 'visit 2', 'visit 5']);
    assert.deepEqual(await threadsIn(store, { by: 'customer.id', conditions }), ['visit 5'], 'inside an object');
    assert.deepEqual(await threadsIn(store, { by: 'nothing', conditions }), []);
  });

  define(`Segments on ${name}: events of every agent of the tenant decide, of other tenants none`, async (t) => {
    const store = await openStore(t);
    await send(store, [
      { threadId: 'both', agentId: 'a' },
      { threadId: 'both', agentId: 'b', eventName: 'order' },
      { threadId: 'foreign', agentId: 'a' },
    ]);
    await send(store, [{ threadId: 'foreign', eventName: 'order' }, { threadId: 'foreign' }], 'other');
    const conditions = [{ eventName: 'order' }];
    assert.deepEqual(await threadsIn(store, { conditions }, { agentId: 'a' }), ['both']);
    assert.deepEqual(await threadsIn(store, { conditions }, { tenantId: 'other' }), ['foreign']);
  });

  define(`Segments on ${name}: both periods of a comparison count the same subjects`, async (t) => {
    const store = await openStore(t);
    await send(store, [
      { threadId: 'buyer', at: '2024-05-02T00:00:00Z' },
      { threadId: 'buyer', at: '2024-05-01T00:00:00Z' },
      { threadId: 'buyer', at: '2024-05-01T01:00:00Z' },
      { threadId: 'buyer', eventName: 'order', at: '2024-05-02T00:00:00Z' },
      { threadId: 'other', at: '2024-05-01T00:00:00Z' },
    ]);
    const segment = { name: 's', by: 'threadId', conditions: [{ eventName: 'order' }] };
    const period = { dateFrom: '2024-05-02', dateTo: '2024-05-02', compareTo: 'previous_period' };
    const question = rawQuestion({ eventName: 'visit', aggregation: 'count', segment, ...period });
    const { overall, previous } = await askKpi(question, contextOf(store, {}));
    assert.deepEqual([overall.value, previous?.value], [1, 2]);
  });
}

import type { TestContext } from 'node:test';
import { openAlerts } from '../../../../src/app/alerts.ts';
import type { ConfigInput } from '../../../../src/config.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { FakeClock } from '../../../support/clock.ts';

export const ALERTS = '/api/v1/runtime/observability/alerts';
export const CARDS = '/api/v1/runtime/observability/dashboard-cards';
export const DIGESTS = '/api/v1/runtime/observability/digests';

const MINUTE = 60_000;

/** A whole server whose alerts and digests run by the clock of the test. */
export async function alertApp(t: TestContext, start: string, settings: ConfigInput = {}) {
  const clock = new FakeClock();
  clock.time = Date.parse(start);
  const app = await testApp(t, settings, { ...realEffects, now: clock.now });
  const { events, dashboards, pictures, deliveries } = app.runtime;
  const open = () => openAlerts(app.runtime, { events, dashboards, pictures, deliveries, timers: clock });
  let opened = open();
  t.after(() => opened.close());

  const until = async (time: string) => {
    while (clock.time < Date.parse(time)) {
      await clock.advance(MINUTE);
      await opened.settled();
    }
  };
  /** Sets the clock, as a jump. */
  const jump = async (time: string) => {
    clock.jump(Date.parse(time));
    await clock.advance(MINUTE);
    await opened.settled();
  };
  const restart = async () => {
    await opened.close();
    opened = open();
    await opened.settled();
  };
  const create = async (body: object): Promise<string> => {
    const answer = await app.request('POST', ALERTS, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.alert.id;
  };
  const card = async (members: object = {}): Promise<string> => {
    const config = { eventName: 'order', aggregation: 'count' };
    const answer = await app.request('POST', CARDS, { title: 'Orders', cardType: 'number', config, ...members });
    return answer.body.id;
  };
  /** Type and title of each message, oldest first. */
  const messages = async (id: string, kind: 'alert' | 'digest' = 'alert') => {
    const listed = await app.runtime.deliveryStore.list(app.tenantId, { kind, id }, 1_000);
    return listed.toReversed().map(({ type, title }) => `${type}: ${title}`);
  };
  const stateOf = async (id: string) => (await app.request('GET', `${ALERTS}/${id}`)).body.alert;
  const history = async (id: string) => (await app.request('GET', `${ALERTS}/${id}/history`)).body;
  return { ...app, clock, until, jump, restart, create, card, messages, stateOf, history };
}

export const HOOK = { type: 'webhook', url: 'https://hooks.example.com/alerts' };
export const FEW = { type: 'threshold', operator: 'lt', value: 10 };
export const HOURLY = { eventName: 'order', aggregation: 'count', dateGrouping: 'hour' };

/** A server two minutes before ten, with an alert about few orders: by default checked each minute, and sent to a hook. */
export async function few(t: TestContext, members: object = {}) {
  const app = await alertApp(t, '2026-11-24T09:58:00Z');
  const definition = { title: 'Few', question: HOURLY, condition: FEW, every: '* * * * *', targets: [HOOK] };
  return { app, id: await app.create({ ...definition, ...members }) };
}

/** `count` events of the name, at the time. */
export function eventsAt(timestamp: string, count: number, eventName = 'order'): object[] {
  return Array.from({ length: count }, () => ({ eventName, timestamp }));
}
